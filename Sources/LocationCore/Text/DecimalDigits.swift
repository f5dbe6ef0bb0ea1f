extension UInt64 {
    /// How many decimal digits the number has; 1 for 0.
    @inlinable
    package var digitCount: Int {
        var count = 1
        var bound: UInt64 = 10
        while self >= bound {
            count += 1
            // 20 digits are the most there are, and a bound for more there is not.
            if count == 20 { break }
            bound *= 10
        }
        return count
    }

    /// Writes the last so many decimal digits of the number, with zeros in front where it has fewer.
    @inlinable @inline(__always)
    package func writeDigits(_ count: Int, at place: UnsafeMutablePointer<UInt8>) {
        var rest = self
        var index = count
        while index > 0 {
            index -= 1
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            place[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
            rest = quotient
        }
    }
}
