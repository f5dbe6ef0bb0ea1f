/// The key of a member of a JSON object that follows another one, as it is appended: `,"altMSL":`.
///
/// It is written as three whole words; a key that was copied by its length took 130 instructions.
struct MemberKey: Sendable {
    /// The bytes that are written, which can be more than the key has.
    static let room = 24

    private let words: (UInt64, UInt64, UInt64)
    private let count: Int

    /// Creates the key of a name of at most 20 bytes.
    init(_ name: StaticString) {
        let bytes = Array(",\"\(name)\":".utf8)
        precondition(bytes.count <= Self.room, "the name of a member is too long")
        func word(_ first: Int) -> UInt64 {
            bytes.dropFirst(first).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        (words, count) = ((word(0), word(8), word(16)), bytes.count)
    }

    /// Writes the key and returns the place after it.
    @inline(__always)
    func write(at place: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        let raw = UnsafeMutableRawPointer(place)
        raw.storeBytes(of: words.0.littleEndian, as: UInt64.self)
        raw.storeBytes(of: words.1.littleEndian, toByteOffset: 8, as: UInt64.self)
        raw.storeBytes(of: words.2.littleEndian, toByteOffset: 16, as: UInt64.self)
        return place + count
    }
}

extension TextBuffer {
    /// Appends the numbers of a set as members after others, each with the fewest digits that read back to the same number.
    ///
    /// - Parameters:
    ///   - fields: Known numbers.
    ///   - values: All numbers, at the places of the table.
    package mutating func members(_ fields: UInt64, of values: Span<Double>) {
        values.withUnsafeBufferPointer { members(fields, of: $0) }
    }

    private mutating func members(_ fields: UInt64, of values: UnsafeBufferPointer<Double>) {
        let keys = Location.Field.keys
        precondition(fields >> UInt64(values.count) == 0, "each number must be one of the table")
        var rest = fields
        while rest != 0 {
            // Room for all of them is made at once, which saves half of the instructions of a member.
            extend(by: rest.nonzeroBitCount * (MemberKey.room + DecimalText.room)) { start in
                var end = start
                while rest != 0 {
                    let place = rest.trailingZeroBitCount
                    let value = keys[place].write(at: end)
                    guard let length = DecimalText.write(shortest: values[place], at: value) else { break }
                    end = value + length
                    rest &= rest &- 1
                }
                return end - start
            }
            guard rest != 0 else { return }
            let place = rest.trailingZeroBitCount
            // A whole number beyond 64 bits is no count.
            if !Location.Field.rows[place].isCount || Int(exactly: values[place]) != nil {
                member(Location.Field.rows[place].name, values[place])
            }
            rest &= rest &- 1
        }
    }
}
