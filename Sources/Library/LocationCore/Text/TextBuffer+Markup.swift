extension TextBuffer {
    /// Appends text of an XML element or attribute, with hidden characters made visible (`VisibleText`).
    package mutating func put(xml text: String) {
        for byte in VisibleText.of(text).utf8 {
            switch byte {
            case UInt8(ascii: "&"): put("&amp;")
            case UInt8(ascii: "<"): put("&lt;")
            case UInt8(ascii: ">"): put("&gt;")
            case UInt8(ascii: "\""): put("&quot;")
            case UInt8(ascii: "'"): put("&#39;")
            default: put(byte)
            }
        }
    }

    /// Appends a field of a CSV record (RFC 4180), quoted if necessary, with hidden characters made visible.
    package mutating func put(csv text: String) {
        let visible = VisibleText.of(text)
        let quote = UInt8(ascii: "\"")
        guard visible.utf8.contains(where: { $0 == quote || $0 == UInt8(ascii: ",") }) else { return put(visible) }
        put(quote)
        for byte in visible.utf8 {
            if byte == quote { put(quote) }
            put(byte)
        }
        put(quote)
    }
}
