import LocationCore

extension [UInt8] {
    @inline(__always) mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(text: String) { append(contentsOf: text.utf8) }

    /// Text inside an XML element or attribute, with hidden characters made visible (`VisibleText`).
    ///
    /// A question mark is escaped too, so that no text can end a processing instruction; see `Concealment`.
    mutating func append(xml text: String) {
        for byte in VisibleText.of(text).utf8 {
            switch byte {
            case UInt8(ascii: "&"): append("&amp;")
            case UInt8(ascii: "<"): append("&lt;")
            case UInt8(ascii: ">"): append("&gt;")
            case UInt8(ascii: "\""): append("&quot;")
            case UInt8(ascii: "'"): append("&#39;")
            case UInt8(ascii: "?"): append("&#63;")
            default: append(byte)
            }
        }
    }

    /// A JSON string in quotes.
    mutating func append(json text: String) {
        JSONText.write(text) { append(contentsOf: $0) }
    }

    /// A byte as two hexadecimal digits, large letters.
    mutating func append(hex byte: UInt8) {
        for digit in [byte >> 4, byte & 15] {
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
        }
    }

    /// Appends a field of a CSV record (RFC 4180): in quotes where it has to be, with hidden characters made visible.
    package mutating func append(csv text: String) {
        let visible = VisibleText.of(text)
        guard visible.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C }) else {
            return append(contentsOf: visible.utf8)
        }
        append(UInt8(ascii: "\""))
        for byte in visible.utf8 {
            if byte == 0x22 { append(0x22) }
            append(byte)
        }
        append(UInt8(ascii: "\""))
    }
}
