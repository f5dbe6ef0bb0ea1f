import LocationCore

extension TextBuffer {
    /// A number with so many decimals: no exponent, no grouping, never `-0`.
    mutating func put(fixed value: Double, decimals: Int) {
        put(value) { DecimalText.write(value, decimals: decimals, at: $0) }
    }

    /// A number with at most so many decimals: zeros at the end of the fraction are left out.
    mutating func put(trimmed value: Double, decimals: Int) {
        put(value) { DecimalText.write(value, decimals: decimals, trimmed: true, at: $0) }
    }

    /// The shortest text that reads back as the same number, without an exponent; `null` for what is no number.
    mutating func put(shortest value: Double) {
        put(value) { DecimalText.write(shortest: value, at: $0) }
    }

    @inline(__always)
    private mutating func put(_ value: Double, _ write: (UnsafeMutablePointer<UInt8>) -> Int?) {
        let before = count
        extend(by: DecimalText.room) { write($0) ?? 0 }
        // A number that is written takes a digit at least.
        if count == before { put(DecimalText.writtenOut(value)) }
    }

    /// A whole number.
    mutating func put(_ number: Int) {
        if number < 0 { put(UInt8(ascii: "-")) }
        put(digits: UInt64(number.magnitude))
    }

    /// The digits of a number, with zeros in front up to a width of at most 64.
    mutating func put(digits number: UInt64, width: Int = 1) {
        let length = max(number.digitCount, min(width, 64))
        extend(by: length) { place in
            number.writeDigits(length, at: place)
            return length
        }
    }
}
