/// A position in the padded copy of a line, and the steps that read from it.
///
/// Every line lies in a buffer of its own, with 64 bytes of zeros after its last byte (`LineBuffer`). That zero is a
/// byte that no rule of JSON accepts, so no step passes `end`: each advances only over bytes that it has accepted.
/// Steps look at most 32 bytes past the byte they stand on, which the padding covers.
///
/// The scanner is a handful of registers: what is rare goes to functions that take and give back the cursor as a value,
/// so that the scanner itself need never live in memory.
struct JSONScanner {
    typealias Cursor = UnsafePointer<UInt8>

    var cursor: Cursor
    let start: Cursor
    let end: Cursor
    /// Whether the value at the cursor is not of the kind that was asked for; nothing has been read then.
    var isMisfit = false

    init(start: Cursor, count: Int) {
        self.start = start
        cursor = start
        end = start + count
    }

    /// Eight bytes as a little-endian word.
    @inline(__always)
    static func word(_ cursor: Cursor) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(cursor).loadUnaligned(as: UInt64.self))
    }

    @inline(__always)
    static func halfWord(_ cursor: Cursor) -> UInt32 {
        UInt32(littleEndian: UnsafeRawPointer(cursor).loadUnaligned(as: UInt32.self))
    }

    /// The high bit of each byte that equals `pattern`'s; above the lowest such byte there may be false ones.
    @inline(__always)
    static func bytes(of word: UInt64, equalTo pattern: UInt64) -> UInt64 {
        let difference = word ^ pattern
        return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
    }

    /// What is wrong with the byte at a cursor.
    @inline(never)
    func failure(at cursor: Cursor, _ kind: ReportError.Kind = .unexpectedByte) -> ReportError {
        ReportError(cursor >= end ? .unexpectedEnd : kind, offset: cursor - start)
    }

    @inline(__always)
    mutating func skipSpace() {
        if cursor.pointee <= UInt8(ascii: " ") { cursor = JSONScanner.afterSpace(cursor) }
    }

    @inline(never)
    static func afterSpace(_ cursor: Cursor) -> Cursor {
        var cursor = cursor
        while true {
            switch cursor.pointee {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): cursor += 1
            default: return cursor
            }
        }
    }

    /// Steps over a byte that must come next, white space allowed.
    @inline(__always)
    mutating func expect(_ byte: UInt8) throws(ReportError) {
        if cursor.pointee != byte {
            skipSpace()
            guard cursor.pointee == byte else { throw failure(at: cursor) }
        }
        cursor += 1
    }

    @inline(__always)
    var isAtString: Bool { cursor.pointee == UInt8(ascii: "\"") }

    var isAtNumber: Bool { cursor.pointee == UInt8(ascii: "-") || cursor.pointee &- UInt8(ascii: "0") < 10 }

    var isAtNull: Bool { JSONScanner.halfWord(cursor) == 0x6C6C_756E }

    /// A truth value, or `nil` for a value of another kind.
    @inline(__always)
    mutating func bool() -> Bool? {
        // Computed, not decided: which satellites are used is hard to foresee.
        let word = JSONScanner.word(cursor)
        let isTrue = word & 0xFFFF_FFFF == 0x6575_7274  // "true"
        let isFalse = word & 0xFF_FFFF_FFFF == 0x65_736C_6166  // "false"
        guard isTrue != isFalse else {
            isMisfit = true
            return nil
        }
        cursor += 5 - (isTrue ? 1 : 0)
        return isTrue
    }

    /// A string, or `nil` for a value of another kind.
    @inline(__always)
    mutating func string() throws(ReportError) -> String? {
        guard isAtString else {
            isMisfit = true
            return nil
        }
        let text = try stringSpan(from: cursor + 1)
        cursor = text.after
        return JSONScanner.string(text)
    }
}
