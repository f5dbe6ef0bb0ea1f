import LocationCore

extension TextBuffer {
    /// A JSON string with its quotes; every byte below space and DEL is escaped.
    mutating func put(jsonString text: String) {
        var text = text
        let isPlain = text.withUTF8 { bytes in
            guard !bytes.contains(where: JSONText.mustEscape) else { return false }
            extend(by: bytes.count + 2) { place in
                place.pointee = UInt8(ascii: "\"")
                if let first = bytes.baseAddress { (place + 1).update(from: first, count: bytes.count) }
                place[bytes.count + 1] = UInt8(ascii: "\"")
                return bytes.count + 2
            }
            return true
        }
        if !isPlain { JSONText.write(text) { put($0) } }
    }

    /// Text that somebody else has written, for a screen: control characters of every kind become visible escapes, so
    /// that they can neither move the cursor nor change what a later line looks like.
    mutating func put(printable text: String) {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x20...0x7E: put(UInt8(truncatingIfNeeded: scalar.value))
            case 0x0A: put("\\n")
            case 0x0D: put("\\r")
            case 0x09: put("\\t")
            case 0..<0x20, 0x7F:
                put("\\x")
                put(hex: UInt8(truncatingIfNeeded: scalar.value))
            default:
                if scalar.isInvisible {
                    put("\\u{\(String(scalar.value, radix: 16))}")
                } else {
                    UTF8.encode(scalar).map { put($0) }
                }
            }
        }
    }

    /// A field of CSV (RFC 4180): in quotes where it has to be, control characters made visible before.
    mutating func put(csvField text: String) {
        var visible = TextBuffer()
        visible.put(printable: text)
        let special: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: "\"")]
        guard visible.bytes.contains(where: special.contains) else { return put(visible.bytes) }
        put(UInt8(ascii: "\""))
        for byte in visible.bytes {
            if byte == UInt8(ascii: "\"") { put(byte) }
            put(byte)
        }
        put(UInt8(ascii: "\""))
    }

    private mutating func put(hex byte: UInt8) {
        let digits: StaticString = "0123456789abcdef"
        digits.withUTF8Buffer { digits in
            put(digits[Int(byte >> 4)])
            put(digits[Int(byte & 15)])
        }
    }
}

extension Unicode.Scalar {
    /// Whether it could change the order or the look of other text instead of being seen itself.
    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }
}

extension String {
    /// The text with control characters made visible; see `TextBuffer.put(printable:)`.
    var printable: String {
        var buffer = TextBuffer()
        buffer.put(printable: self)
        return buffer.text
    }
}
