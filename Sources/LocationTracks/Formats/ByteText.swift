import LocationCore

extension [UInt8] {
    @inline(__always) mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(text: String) { append(contentsOf: text.utf8) }

    /// Appends text of an XML element or attribute, with hidden characters made visible (`VisibleText`).
    mutating func append(xml text: String) {
        for byte in VisibleText.of(text).utf8 {
            switch byte {
            case UInt8(ascii: "&"): append("&amp;")
            case UInt8(ascii: "<"): append("&lt;")
            case UInt8(ascii: ">"): append("&gt;")
            case UInt8(ascii: "\""): append("&quot;")
            case UInt8(ascii: "'"): append("&#39;")
            default: append(byte)
            }
        }
    }

    /// Appends a JSON string in quotes.
    mutating func append(json text: String) {
        JSONText.write(text) { append(contentsOf: $0) }
    }

    /// Appends a field of a CSV record (RFC 4180), quoted if necessary, with hidden characters made visible.
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
