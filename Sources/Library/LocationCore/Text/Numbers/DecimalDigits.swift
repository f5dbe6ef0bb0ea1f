extension UInt64 {
    /// The number of decimal digits; 1 for 0.
    @inlinable
    package var digitCount: Int {
        var count = 1
        var bound: UInt64 = 10
        while self >= bound {
            count += 1
            // A `UInt64` has at most 20 digits, and the next bound would overflow.
            if count == 20 { break }
            bound *= 10
        }
        return count
    }

    /// Writes the last `count` decimal digits, with leading zeros if there are fewer.
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
