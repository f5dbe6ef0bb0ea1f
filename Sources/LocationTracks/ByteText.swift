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

    /// A field of a CSV record, in quotes where it has to be (RFC 4180).
    mutating func append(csv text: String) {
        guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else {
            return append(contentsOf: text.utf8)
        }
        append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == 0x22 { append(0x22) }
            append(byte)
        }
        append(UInt8(ascii: "\""))
    }
}
