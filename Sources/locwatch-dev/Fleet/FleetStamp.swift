/// The mark of a message by which a consumer counts it: the last two members of its JSON.
struct FleetStamp: Hashable, Sendable {
    /// The number of the message among those of its device, from 0 on.
    var sequence: Int
    /// The time at which the message was due, in nanoseconds since the machine started.
    var due: Int64

    private static let sequenceKey = Array(#","seq":"#.utf8)
    private static let dueKey = Array(#","due":"#.utf8)

    /// Creates a mark.
    init(sequence: Int, due: Int64) {
        self.sequence = sequence
        self.due = due
    }

    /// Reads the mark at the end of an object, or returns `nil` if it has none.
    init?(_ object: [UInt8]) {
        guard object.last == UInt8(ascii: "}") else { return nil }
        var rest = object.dropLast()
        guard let due = Self.number(&rest, after: Self.dueKey),
            let sequence = Self.number(&rest, after: Self.sequenceKey), sequence < 1 << 32
        else { return nil }
        self.init(sequence: sequence, due: Int64(due))
    }

    /// Returns an object with the mark as its last members.
    func added(to object: [UInt8]) -> [UInt8] {
        object.dropLast() + Self.sequenceKey + Array(String(sequence).utf8) + Self.dueKey + Array(String(due).utf8)
            + [UInt8(ascii: "}")]
    }

    private static func number(_ text: inout ArraySlice<UInt8>, after key: [UInt8]) -> Int? {
        var (value, unit, digits) = (0, 1, 0)
        while let byte = text.last, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
            digits += 1
            guard digits <= 18 else { return nil }
            value += Int(byte - UInt8(ascii: "0")) * unit
            unit *= 10
            text = text.dropLast()
        }
        guard digits > 0, text.suffix(key.count) == key[...] else { return nil }
        text = text.dropLast(key.count)
        return value
    }
}
