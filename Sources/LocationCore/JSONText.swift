/// Text as JSON writes it.
package enum JSONText {
    /// A string in quotes, with what must be escaped escaped.
    package static func quoted(_ text: String) -> String {
        var quoted: [UInt8] = []
        write(text) { quoted.append(contentsOf: $0) }
        return String(decoding: quoted, as: UTF8.self)
    }

    /// Hands on a string in quotes, piece by piece: every byte below space and DEL is escaped.
    package static func write(_ text: String, _ put: (UnsafeBufferPointer<UInt8>) -> Void) {
        var text = text
        let quote: StaticString = "\""
        quote.withUTF8Buffer(put)
        text.withUTF8 { bytes in
            var start = 0
            for (index, byte) in bytes.enumerated() where mustEscape(byte) {
                put(UnsafeBufferPointer(rebasing: bytes[start..<index]))
                start = index + 1
                write(escaped: byte, put)
            }
            put(UnsafeBufferPointer(rebasing: bytes[start...]))
        }
        quote.withUTF8Buffer(put)
    }

    private static func write(escaped byte: UInt8, _ put: (UnsafeBufferPointer<UInt8>) -> Void) {
        let short: StaticString
        switch byte {
        case UInt8(ascii: "\""): short = "\\\""
        case UInt8(ascii: "\\"): short = "\\\\"
        case UInt8(ascii: "\n"): short = "\\n"
        case UInt8(ascii: "\r"): short = "\\r"
        case UInt8(ascii: "\t"): short = "\\t"
        default:
            let digits = (byte < 16 ? "0" : "") + String(byte, radix: 16)
            return Array("\\u00\(digits)".utf8).withUnsafeBufferPointer(put)
        }
        short.withUTF8Buffer(put)
    }

    /// Whether a byte cannot stand in a string as it is.
    @inlinable @inline(__always)
    package static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}
