package enum JSONText {
    /// Returns text as a quoted and escaped JSON string.
    package static func quoted(_ text: String) -> String { TextBuffer.text { $0.put(jsonString: text) } }

    /// Returns a character as it is written in a string: quotes, backslashes and hidden characters (`VisibleText`) are
    /// escaped.
    static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": #"\""#
        case "\\": #"\\"#
        case "\n": #"\n"#
        case "\r": #"\r"#
        case "\t": #"\t"#
        case _ where VisibleText.isHidden(scalar):
            // JSON escapes characters beyond 16 bits as their UTF-16 surrogate pair.
            String(scalar).utf16.map { "\\u" + $0.hexadecimal }.joined()
        default: String(scalar)
        }
    }

    /// Returns whether one of some bytes is, or may begin, a character that must be escaped.
    static func mayNeedEscapes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var first = 0
        let raw = UnsafeRawBufferPointer(bytes)
        // Eight bytes at once, which takes a third of the instructions of one by one.
        while bytes.count - first >= 8 {
            if mayNeedEscapes(raw.loadUnaligned(fromByteOffset: first, as: UInt64.self)) { return true }
            first += 8
        }
        return bytes[first...].contains(where: mayNeedEscape)
    }

    /// Returns the same of the eight bytes of a word; it may be true of a word that needs none.
    @inline(__always)
    private static func mayNeedEscapes(_ word: UInt64) -> Bool {
        let (ones, highBits) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
        // A byte borrows from its high bit if it is less than what is subtracted, as zero is less than one.
        func hasByte(_ byte: UInt8) -> UInt64 { (word ^ (ones &* UInt64(byte))) &- ones }
        let low = word &- ones &* 0x20
        return (low | hasByte(0x22) | hasByte(0x5C) | (word &+ ones) | word) & highBits != 0
    }

    /// Returns whether a byte is, or may begin, a character that must be escaped.
    @inlinable @inline(__always)
    package static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}
