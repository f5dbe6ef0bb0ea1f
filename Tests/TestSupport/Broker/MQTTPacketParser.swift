package import LocationPublishing

/// A reason for which bytes are not a packet.
package enum MQTTPacketFault: Error, Hashable, Sendable {
    /// The length of the packet has more than four bytes.
    case length
    /// The packet is larger than the parser allows.
    case tooLarge(Int)
    /// The kind of the packet is unknown, or not supported.
    case kind(UInt8)
    /// A field of the packet is cut off or wrong.
    case malformed
}

/// A parser of the packets in a stream of bytes that comes in pieces of any size.
package struct MQTTPacketParser: Sendable {
    /// The maximum number of bytes of a packet without its header.
    static let sizeLimit = 1 << 21

    private var buffer: [UInt8] = []
    /// The place in the buffer where the next packet begins.
    ///
    /// Packets are removed together, because each removal moves the rest of the buffer.
    private var position = 0

    /// The version of the packets, which a packet that introduces a client sets.
    private(set) var version: MQTTVersion

    /// Creates a parser at the start of a stream.
    package init(_ version: MQTTVersion = .version3) { self.version = version }

    /// Appends a piece of the stream.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        buffer.removeFirst(position)
        position = 0
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next packet, or `nil` if it is not complete yet.
    package mutating func next() throws(MQTTPacketFault) -> MQTTPacket? {
        guard position < buffer.count else { return nil }
        let kind = buffer[position]
        // Another protocol is noticed at its first byte: its second one can be a length that never comes.
        guard Self.isKnown(kind) else { throw .kind(kind) }
        guard let (length, start) = try header() else { return nil }
        guard length <= Self.sizeLimit else { throw .tooLarge(length) }
        guard buffer.count >= start + length else { return nil }
        var fields = Fields(buffer[start..<(start + length)])
        position = start + length
        let packet = try packet(kind, &fields)
        if case .connect(let client) = packet { version = client.version }
        return packet
    }

    private static func isKnown(_ kind: UInt8) -> Bool {
        switch kind {
        case 0x10, 0x20, 0x30...0x3F, 0x40, 0x82, 0x90, 0xA2, 0xB0, 0xC0, 0xD0, 0xE0: true
        default: false
        }
    }

    /// Returns the length of the packet and the place where it begins.
    private func header() throws(MQTTPacketFault) -> (length: Int, start: Int)? {
        var length = 0
        for (index, byte) in buffer[(position + 1)...].prefix(4).enumerated() {
            length |= Int(byte & 0x7F) << (7 * index)
            if byte < 0x80 { return (length, position + index + 2) }
        }
        if buffer.count > position + 4 { throw .length }
        return nil
    }

    private func packet(_ kind: UInt8, _ fields: inout Fields) throws(MQTTPacketFault) -> MQTTPacket {
        let isNew = version == .version5
        let packet: MQTTPacket
        switch kind {
        case 0x10: packet = .connect(try Self.client(&fields))
        case 0x20:
            let flags = try fields.byte()
            packet = .connectionAcknowledgement(code: try fields.byte(), isSessionPresent: flags & 1 == 1)
            if isNew { try fields.skipProperties() }
        case 0x30...0x3F: return try message(kind, &fields)
        case 0x40:
            let number = try fields.number()
            packet = .acknowledgement(number, reason: try isNew ? fields.reason() : 0)
        case 0x82:
            let number = try fields.number()
            if isNew { try fields.skipProperties() }
            var filters: [MQTTPacket.Filter] = []
            while !fields.isEmpty { filters.append(.init(text: try fields.text(), quality: try fields.byte())) }
            guard !filters.isEmpty else { throw .malformed }
            packet = .subscribe(number, filters)
        case 0x90:
            let number = try fields.number()
            if isNew { try fields.skipProperties() }
            return .subscriptionAcknowledgement(number, granted: fields.rest())
        case 0xA2:
            let number = try fields.number()
            if isNew { try fields.skipProperties() }
            var filters: [String] = []
            while !fields.isEmpty { filters.append(try fields.text()) }
            packet = .unsubscribe(number, filters)
        case 0xB0:
            let number = try fields.number()
            if isNew { try fields.skipProperties() }
            packet = .unsubscriptionAcknowledgement(number, reasons: isNew ? fields.rest() : [])
        case 0xC0: packet = .ping
        case 0xD0: packet = .pong
        case 0xE0: packet = .disconnect(reason: try isNew ? fields.reason() : 0)
        default: throw .kind(kind)
        }
        guard fields.isEmpty else { throw .malformed }
        return packet
    }

    private func message(_ kind: UInt8, _ fields: inout Fields) throws(MQTTPacketFault) -> MQTTPacket {
        guard let quality = MQTTMessage.Quality(rawValue: kind >> 1 & 3) else { throw .kind(kind) }
        let topic = try fields.text()
        let number = quality == .atLeastOnce ? try fields.number() : nil
        if version == .version5 { try fields.skipProperties() }
        let message = MQTTMessage(topic, fields.rest(), quality: quality, isRetained: kind & 1 == 1)
        return .publish(message, number: number)
    }

    private static func client(_ fields: inout Fields) throws(MQTTPacketFault) -> BrokerClient {
        guard try fields.text() == "MQTT", let version = MQTTVersion(rawValue: try fields.byte()) else {
            throw .malformed
        }
        let flags = try fields.byte()
        let keepAlive = try fields.number()
        if version == .version5 { try fields.skipProperties() }
        var client = BrokerClient(clientID: try fields.text())
        client.version = version
        client.isCleanSession = flags & 2 != 0
        client.keepAlive = keepAlive
        if flags & 4 != 0 {
            guard let quality = MQTTMessage.Quality(rawValue: flags >> 3 & 3) else { throw .malformed }
            if version == .version5 { try fields.skipProperties() }
            client.will = MQTTMessage(
                try fields.text(), try fields.field(), quality: quality, isRetained: flags & 0x20 != 0)
        }
        if flags & 0x80 != 0 { client.user = try fields.text() }
        if flags & 0x40 != 0 { client.password = try fields.text() }
        return client
    }
}

/// The fields of a packet that were not read yet.
private struct Fields {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var isEmpty: Bool { bytes.isEmpty }

    mutating func byte() throws(MQTTPacketFault) -> UInt8 {
        guard let byte = bytes.popFirst() else { throw .malformed }
        return byte
    }

    mutating func number() throws(MQTTPacketFault) -> UInt16 { UInt16(try byte()) << 8 | UInt16(try byte()) }

    mutating func field() throws(MQTTPacketFault) -> [UInt8] {
        let count = Int(try number())
        guard bytes.count >= count else { throw .malformed }
        defer { bytes = bytes.dropFirst(count) }
        return Array(bytes.prefix(count))
    }

    mutating func text() throws(MQTTPacketFault) -> String {
        guard let text = String(validating: try field(), as: UTF8.self) else { throw .malformed }
        return text
    }

    /// Reads the reason and the properties at the end of a packet of MQTT 5, both of which can be missing.
    mutating func reason() throws(MQTTPacketFault) -> UInt8 {
        guard !isEmpty else { return 0 }
        let reason = try byte()
        if !isEmpty { try skipProperties() }
        return reason
    }

    /// Reads over the properties of a packet of MQTT 5, which come after their length.
    mutating func skipProperties() throws(MQTTPacketFault) {
        var length = 0
        var shift = 0
        while true {
            let next = try byte()
            length |= Int(next & 0x7F) << shift
            shift += 7
            if next < 0x80 { break }
            guard shift < 28 else { throw .malformed }
        }
        guard bytes.count >= length else { throw .malformed }
        bytes = bytes.dropFirst(length)
    }

    mutating func rest() -> [UInt8] {
        defer { bytes = [] }
        return Array(bytes)
    }
}
