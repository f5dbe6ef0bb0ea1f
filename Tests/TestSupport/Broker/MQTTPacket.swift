import LocationPublishing

/// A packet that a client sends to a broker, of MQTT 3.1.1 or MQTT 5, without QoS 2.
///
/// The properties of MQTT 5 are read over.
enum ClientPacket: Sendable {
    case connect(BrokerClient)
    /// A message; it has a number if its quality is `atLeastOnce`.
    case publish(MQTTMessage, number: UInt16?)
    case acknowledgement
    case subscribe(UInt16, [(filter: String, quality: UInt8)])
    case ping
    case disconnect
}

/// A packet that a broker sends to a client.
enum BrokerPacket {
    case connectionAcknowledgement(code: UInt8)
    case publish(MQTTMessage, number: UInt16?)
    case acknowledgement(UInt16, reason: UInt8 = 0)
    case subscriptionAcknowledgement(UInt16, granted: [UInt8])
    case pong
    case disconnect(reason: UInt8)

    /// Returns the bytes of the packet in a version of the protocol; only MQTT 5 has reasons and properties.
    func bytes(in version: MQTTVersion) -> [UInt8] {
        let isNew = version == .version5
        let properties: [UInt8] = isNew ? [0] : []
        return switch self {
        case .connectionAcknowledgement(let code): Self.packet(0x20, [0, code] + properties)
        case .publish(let message, let number):
            Self.packet(
                0x30 | message.quality.rawValue << 1 | (message.isRetained ? 1 : 0),
                Self.number(UInt16(message.topic.utf8.count)) + message.topic.utf8
                    + (number.map(Self.number) ?? []) + properties + message.payload)
        case .acknowledgement(let number, let reason):
            Self.packet(0x40, Self.number(number) + (isNew && reason != 0 ? [reason] : []))
        case .subscriptionAcknowledgement(let number, let granted):
            Self.packet(0x90, Self.number(number) + properties + granted)
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

    private static func number(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
}
