/// The formatting of text as JSON strings.
package enum JSONText {
    /// Returns text as a quoted and escaped JSON string.
    package static func quoted(_ text: String) -> String {
        var quoted: [UInt8] = []
        write(text) { quoted.append(contentsOf: $0) }
        return String(decoding: quoted, as: UTF8.self)
    }

    /// Writes text as a quoted JSON string, piece by piece; quotes, backslashes and hidden characters (`VisibleText`)
    /// are escaped.
    package static func write(_ text: String, _ put: (UnsafeBufferPointer<UInt8>) -> Void) {
        var text = text
        let quote: StaticString = "\""
        quote.withUTF8Buffer(put)
        let isPlain = text.withUTF8 { bytes in
            guard !bytes.contains(where: mayNeedEscape) else { return false }
            put(bytes)
            return true
        }
        if !isPlain {
            var escaped: [UInt8] = []
            for scalar in text.unicodeScalars { append(scalar, to: &escaped) }
            escaped.withUnsafeBufferPointer(put)
        }
        quote.withUTF8Buffer(put)
    }

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar {
        case "\"": bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "\"")])
        case "\\": bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "\\")])
        case "\n": bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "n")])
        case "\r": bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "r")])
        case "\t": bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "t")])
        case _ where VisibleText.isHidden(scalar):
            // JSON escapes characters beyond 16 bits as their UTF-16 surrogate pair.
            for unit in UTF16.encode(scalar) ?? .init() {
                let digits = String(unit, radix: 16)
                bytes.append(contentsOf: "\\u".utf8)
                bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
                bytes.append(contentsOf: digits.utf8)
            }
        default: bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
        }
    }

    /// Returns whether a byte is, or may begin, a character that must be escaped.
    @inlinable @inline(__always)
    package static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}
