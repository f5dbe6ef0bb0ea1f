/// A plain decimal number: digits with at most one point, without the other forms that `Double` accepts.
package enum PlainNumber {
    package static func read(_ text: some StringProtocol, signed: Bool = false) -> Double? {
        let digits = signed && (text.hasPrefix("-") || text.hasPrefix("+")) ? text.dropFirst() : text[...]
        guard digits.utf8.contains(where: { 0x30...0x39 ~= $0 }),
            digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }), let value = Double(text),
            value.isFinite
        else { return nil }
        return value
    }

    /// Returns a number and the unit that follows it.
    package static func quantity(_ text: some StringProtocol) -> (number: Double, unit: String)? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let value = PlainNumber.read(number) else { return nil }
        return (value, text.dropFirst(number.count).drop { $0 == " " }.lowercased())
    }
}
