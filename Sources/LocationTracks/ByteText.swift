import LocationCore

extension [UInt8] {
    @inline(__always) mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(text: String) { append(contentsOf: text.utf8) }

    /// Text inside an XML element or attribute.
    ///
    /// A question mark is escaped too, so that no text can end a processing instruction; see `Concealment`. What no XML
    /// document may hold is left out.
    mutating func append(xml text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\"": append("&quot;")
            case "'": append("&#39;")
            case "?": append("&#63;")
            case "\t", "\n", "\r": append(UInt8(ascii: " "))
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
            default: append(contentsOf: UTF8.encode(scalar) ?? .init())
            }
        }
    }

    /// A JSON string in quotes.
    mutating func append(json text: String) {
        JSONText.write(text) { append(contentsOf: $0) }
    }

    /// Appends a field of a CSV record (RFC 4180): in quotes where it has to be, with control characters made visible.
    package mutating func append(csv text: String) {
        var field: [UInt8] = []
        PrintableText.write(text) { field.append(contentsOf: $0) }
        guard field.contains(where: { [0x22, 0x2C].contains($0) }) else { return append(contentsOf: field) }
        append(UInt8(ascii: "\""))
        for byte in field {
            if byte == 0x22 { append(0x22) }
            append(byte)
        }
        append(UInt8(ascii: "\""))
    }
}
