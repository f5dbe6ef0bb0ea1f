/// A cursor in the padded copy of a line, with the operations that read from it.
///
/// Each line is copied to a buffer with 64 bytes of zeros after its last byte (`ReportDecoder`). A zero is not allowed
/// anywhere in JSON, so no operation passes `end`: each advances only over bytes that it has accepted. Operations look
/// at most 32 bytes past the cursor, which the padding covers.
///
/// The scanner is small enough for a few registers: rare cases are handled by functions that take and return the cursor
/// as a value, so that the scanner never has to live in memory.
struct JSONScanner {
    typealias Cursor = UnsafePointer<UInt8>

    var cursor: Cursor
    let start: Cursor
    let end: Cursor
    /// Whether the value at the cursor is not of the requested type, in which case it has not been read.
    var isMisfit = false

    init(start: Cursor, count: Int) {
        self.start = start
        cursor = start
        end = start + count
    }

    /// Loads eight bytes as a little-endian word.
    @inline(__always)
    static func word(_ cursor: Cursor) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(cursor).loadUnaligned(as: UInt64.self))
    }

    @inline(__always)
    static func halfWord(_ cursor: Cursor) -> UInt32 {
        UInt32(littleEndian: UnsafeRawPointer(cursor).loadUnaligned(as: UInt32.self))
    }

    /// Returns the high bit of each byte that equals that of `pattern`; there may be false ones above the lowest match.
    @inline(__always)
    static func bytes(of word: UInt64, equalTo pattern: UInt64) -> UInt64 {
        let difference = word ^ pattern
        return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
    }

    /// Returns the error for the byte at a cursor.
    @inline(never)
    func failure(at cursor: Cursor, _ kind: ReportError.Fault = .unexpectedByte) -> ReportError {
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

    /// Skips a required byte and white space before it.
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

    /// Reads a Boolean, or returns `nil` for a value of another type.
    @inline(__always)
    mutating func bool() -> Bool? {
        // Computed without a branch, because it is hard to predict which satellites are used.
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

    /// Reads a string, or returns `nil` for a value of another type.
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

    /// Reads a list of objects, of which `element` reads each from its opening brace to after its closing one.
    ///
    /// - Returns: Whether the value was such a list; otherwise it is left to be skipped.
    @inline(__always)
    mutating func objects(
        _ element: (inout JSONScanner) throws(ReportError) -> Void
    ) throws(ReportError) -> Bool {
        // A local copy of the scanner stays in registers.
        var scanner = self
        guard scanner.cursor.pointee == UInt8(ascii: "[") else {
            isMisfit = true
            return false
        }
        scanner.cursor += 1
        scanner.skipSpace()
        if scanner.cursor.pointee != UInt8(ascii: "]") {
            while true {
                guard scanner.cursor.pointee == UInt8(ascii: "{") else {
                    isMisfit = true
                    return false
                }
                try element(&scanner)
                scanner.skipSpace()
                if scanner.cursor.pointee == UInt8(ascii: "]") { break }
                try scanner.expect(UInt8(ascii: ","))
                scanner.skipSpace()
            }
        }
        cursor = scanner.cursor + 1
        return true
    }
}
