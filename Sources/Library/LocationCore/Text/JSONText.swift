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

    /// Returns whether a byte is, or may begin, a character that must be escaped.
    @inlinable @inline(__always)
    package static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}
