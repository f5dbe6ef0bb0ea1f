package import LocationPublishing

/// A packet of MQTT 3.1.1 or MQTT 5, of the kinds that a broker without QoS 2 needs.
///
/// Reasons exist in MQTT 5 only. Its properties are read over, and none are written.
package enum MQTTPacket: Hashable, Sendable {
    /// A filter of a subscription and the quality that the client asks for.
    package struct Filter: Hashable, Sendable {
        package var text: String
        package var quality: UInt8

        package init(text: String, quality: UInt8) {
            self.text = text
            self.quality = quality
        }
    }

    case connect(BrokerClient)
    case connectionAcknowledgement(code: UInt8, isSessionPresent: Bool)
    /// A message; it has a number if its quality is `atLeastOnce`.
    case publish(MQTTMessage, number: UInt16?)
    case acknowledgement(UInt16, reason: UInt8 = 0)
    case subscribe(UInt16, [Filter])
    case subscriptionAcknowledgement(UInt16, granted: [UInt8])
    case unsubscribe(UInt16, [String])
    case unsubscriptionAcknowledgement(UInt16, reasons: [UInt8] = [])
    case ping
    case pong
    case disconnect(reason: UInt8 = 0)

    /// The bytes of the packet in MQTT 3.1.1.
    package var bytes: [UInt8] { bytes(in: .version3) }

    /// Returns the bytes of the packet in a version of the protocol; a client's packet has the version of the client.
    package func bytes(in version: MQTTVersion) -> [UInt8] {
        let isNew = version == .version5
        let properties: [UInt8] = isNew ? [0] : []
        return switch self {
        case .connect(let client): Self.packet(0x10, client.bytes)
        case .connectionAcknowledgement(let code, let isSessionPresent):
            Self.packet(0x20, [isSessionPresent ? 1 : 0, code] + properties)
        case .publish(let message, let number):
            Self.packet(
                0x30 | message.quality.rawValue << 1 | (message.isRetained ? 1 : 0),
                Self.text(message.topic) + (number.map(Self.number) ?? []) + properties + message.payload)
        case .acknowledgement(let number, let reason):
            Self.packet(0x40, Self.number(number) + (isNew && reason != 0 ? [reason] : []))
        case .subscribe(let number, let filters):
            Self.packet(0x82, Self.number(number) + properties + filters.flatMap { Self.text($0.text) + [$0.quality] })
        case .subscriptionAcknowledgement(let number, let granted):
            Self.packet(0x90, Self.number(number) + properties + granted)
        case .unsubscribe(let number, let filters):
            Self.packet(0xA2, Self.number(number) + properties + filters.flatMap(Self.text))
        case .unsubscriptionAcknowledgement(let number, let reasons):
            Self.packet(0xB0, Self.number(number) + properties + (isNew ? reasons : []))
        case .ping: Self.packet(0xC0, [])
        case .pong: Self.packet(0xD0, [])
        case .disconnect(let reason): Self.packet(0xE0, isNew && reason != 0 ? [reason] : [])
        }
    }

    private static func packet(_ kind: UInt8, _ body: [UInt8]) -> [UInt8] {
        var bytes = [kind]
        var length = body.count
        repeat {
            bytes.append(UInt8(length % 128) | (length >= 128 ? 0x80 : 0))
            length /= 128
        } while length > 0
        return bytes + body
    }

    /// Returns a number of two bytes.
    static func number(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }

    /// Returns bytes after their count; those that no packet can hold are left out.
    static func field(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let bytes = bytes.prefix(Int(UInt16.max))
        return number(UInt16(clamping: bytes.count)) + bytes
    }

    /// Returns a text after the count of its bytes.
    static func text(_ text: String) -> [UInt8] { field(text.utf8) }
}
