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
    ///
    /// A spreadsheet evaluates a field that looks like a formula even if it is quoted, but not one that begins with an
    /// apostrophe.
    package mutating func put(csv text: String) {
        // A word of letters and digits, such as the name of a device, needs no second look.
        let isWord = text.utf8.withContiguousStorageIfAvailable { bytes in
            guard bytes.first != UInt8(ascii: "-"), bytes.allSatisfy(\.isOfPlainWord) else { return false }
            put(bytes)
            return true
        }
        if isWord == true { return }
        let visible = VisibleText.of(text)
        let quote = UInt8(ascii: "\"")
        let isFormula = Self.isFormula(visible)
        guard isFormula || visible.utf8.contains(where: { $0 == quote || $0 == UInt8(ascii: ",") }) else {
            return put(visible)
        }
        put(quote)
        if isFormula { put(UInt8(ascii: "'")) }
        for byte in visible.utf8 {
            if byte == quote { put(quote) }
            put(byte)
        }
        put(quote)
    }

    /// Returns whether a spreadsheet takes a text for a formula: by its first character, which can have full width.
    package static func isFormula(_ text: some StringProtocol) -> Bool {
        switch text.unicodeScalars.first {
        case "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
        default: false
        }
    }
}

extension UInt8 {
    /// Whether the byte is a letter, a digit, or one of `-./`, in two comparisons.
    fileprivate var isOfPlainWord: Bool {
        self &- UInt8(ascii: "-") <= UInt8(ascii: "9") - UInt8(ascii: "-") || (self | 0x20) &- UInt8(ascii: "a") < 26
    }
}
