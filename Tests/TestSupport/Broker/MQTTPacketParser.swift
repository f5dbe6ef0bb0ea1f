import LocationPublishing

/// An error for bytes that are not a packet of a client.
struct MalformedPacket: Error {}

/// A parser of a client's packets in a stream of bytes that comes in pieces of any size.
struct MQTTPacketParser: Sendable {
    private var buffer: [UInt8] = []

    /// The version of the packets, which the packet that introduces the client sets.
    private var version = MQTTVersion.version3

    mutating func append(_ bytes: [UInt8]) { buffer += bytes }

    /// Returns the next packet, or `nil` if it is not complete yet.
    mutating func next() throws(MalformedPacket) -> ClientPacket? {
        guard let kind = buffer.first else { return nil }
        // Another protocol is noticed at its first byte: its second one can be a length that never comes.
        guard [0x10, 0x40, 0x82, 0xC0, 0xE0].contains(kind) || kind >> 4 == 3 else { throw MalformedPacket() }
        var fields = Fields(bytes: buffer.dropFirst())
        guard let length = try? fields.length() else {
            if buffer.count > 4 { throw MalformedPacket() }
            return nil
        }
        guard fields.bytes.count >= length else { return nil }
        let rest = fields.bytes.dropFirst(length)
        fields.bytes = fields.bytes.prefix(length)
        let packet = try packet(kind, &fields)
        buffer = Array(rest)
        if case .connect(let client) = packet { version = client.version }
        return packet
    }

    private func packet(_ kind: UInt8, _ fields: inout Fields) throws(MalformedPacket) -> ClientPacket {
        switch kind {
        case 0x10: return .connect(try client(&fields))
        case 0x40: return .acknowledgement
        case 0x82:
            let number = try fields.number()
            if version == .version5 { try fields.skipProperties() }
            var filters: [(filter: String, quality: UInt8)] = []
            while !fields.bytes.isEmpty { filters.append((try fields.text(), try fields.byte())) }
            return .subscribe(number, filters)
        case 0xC0: return .ping
        case 0xE0: return .disconnect
        default:
            guard let quality = MQTTMessage.Quality(rawValue: kind >> 1 & 3) else { throw MalformedPacket() }
            let topic = try fields.text()
            let number = quality == .atLeastOnce ? try fields.number() : nil
            if version == .version5 { try fields.skipProperties() }
            let message = MQTTMessage(topic, Array(fields.bytes), quality: quality, isRetained: kind & 1 == 1)
            return .publish(message, number: number)
        }
    }

    private func client(_ fields: inout Fields) throws(MalformedPacket) -> BrokerClient {
        guard try fields.text() == "MQTT", let version = MQTTVersion(rawValue: try fields.byte()) else {
            throw MalformedPacket()
        }
        let flags = try fields.byte()
        let keepAlive = try fields.number()
        if version == .version5 { try fields.skipProperties() }
        var client = BrokerClient(
            clientID: try fields.text(), version: version, isCleanSession: flags & 2 != 0, keepAlive: keepAlive)
        if flags & 4 != 0 {
            guard let quality = MQTTMessage.Quality(rawValue: flags >> 3 & 3) else { throw MalformedPacket() }
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
    var bytes: ArraySlice<UInt8>

    mutating func byte() throws(MalformedPacket) -> UInt8 {
        guard let byte = bytes.popFirst() else { throw MalformedPacket() }
        return byte
    }

    mutating func number() throws(MalformedPacket) -> UInt16 { UInt16(try byte()) << 8 | UInt16(try byte()) }

    mutating func field() throws(MalformedPacket) -> [UInt8] {
        let count = Int(try number())
        guard bytes.count >= count else { throw MalformedPacket() }
        defer { bytes = bytes.dropFirst(count) }
        return Array(bytes.prefix(count))
    }

    mutating func text() throws(MalformedPacket) -> String {
        guard let text = String(validating: try field(), as: UTF8.self) else { throw MalformedPacket() }
        return text
    }

    /// Reads a length of up to four bytes.
    mutating func length() throws(MalformedPacket) -> Int {
        var length = 0
        for place in 0..<4 {
            let next = try byte()
            length |= Int(next & 0x7F) << (7 * place)
            if next < 0x80 { return length }
        }
        throw MalformedPacket()
    }

    /// Reads over the properties of a packet of MQTT 5, which come after their length.
    mutating func skipProperties() throws(MalformedPacket) {
        let length = try length()
        guard bytes.count >= length else { throw MalformedPacket() }
        bytes = bytes.dropFirst(length)
    }
}
