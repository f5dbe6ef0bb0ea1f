import LocationCore

extension TextBuffer {
    /// A JSON string with its quotes; hidden characters are escaped.
    mutating func put(jsonString text: String) {
        var text = text
        let isPlain = text.withUTF8 { bytes in
            guard !bytes.contains(where: JSONText.mayNeedEscape) else { return false }
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

    /// Text from outside, for a screen; see `VisibleText`.
    mutating func put(printable text: String) {
        VisibleText.write(text) { put($0) }
    }

    /// A field of CSV (RFC 4180): in quotes where it has to be, hidden characters made visible before.
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
}

extension String {
    /// The text with hidden characters made visible; see `VisibleText`.
    var printable: String { VisibleText.of(self) }
}
