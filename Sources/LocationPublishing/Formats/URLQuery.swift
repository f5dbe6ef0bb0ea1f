import LocationCore

/// The query of a URL; names and values are percent-encoded.
struct URLQuery {
    /// The query without a question mark.
    private(set) var text = ""

    mutating func set(_ name: String, _ value: String) {
        text += (text.isEmpty ? "" : "&") + name + "=" + Self.encoded(value)
    }

    /// Sets a number with at most `decimals` decimals; a number that is unknown or not finite is left out.
    mutating func set(_ name: String, _ value: Double?, decimals: Int) {
        guard let value, value.isFinite else { return }
        set(name, DecimalText.text { DecimalText.append(value, decimals: decimals, trimmed: true, to: &$0) })
    }

    /// Returns text with every byte encoded that is not a letter, a digit, or one of `-._~`.
    static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                let digits = Array("0123456789ABCDEF".utf8)
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
