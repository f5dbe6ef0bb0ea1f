import LocationCore

/// The percent-encoding of text in an address (RFC 3986).
package enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Returns text in which every byte is encoded that is not a letter, a digit or one of `-._~`.
    package static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if byte.isLetterOrDigit || "-._~".utf8.contains(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Returns the text that an encoded one stands for; a percent sign without two digits stays as it is.
    package static func decode(_ text: some StringProtocol) -> String {
        var decoded: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let code = rest.prefix(2).compactMap(\.hexadecimalDigit)
            if byte == UInt8(ascii: "%"), code.count == 2 {
                decoded.append(code[0] << 4 | code[1])
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}

extension UInt8 {
    /// The value of the byte as a hexadecimal digit, or `nil` if it is none.
    var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
