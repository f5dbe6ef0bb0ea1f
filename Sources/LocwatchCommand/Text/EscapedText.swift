import LocationCore

extension TextBuffer {
    /// Appends a JSON string with its quotes; hidden characters are escaped.
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

    /// Appends external text with hidden characters made visible; see `VisibleText`.
    mutating func put(printable text: String) {
        VisibleText.write(text) { put($0) }
    }
}

extension String {
    /// The text with hidden characters made visible; see `VisibleText`.
    var printable: String { VisibleText.of(self) }
}
