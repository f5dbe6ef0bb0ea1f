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

/// The eight decimal digits of a number below 10⁸ in the bytes of one word, with leading zeros.
///
/// They are computed together, in 20 instructions; one by one they take 8 instructions each.
struct EightDigits {
    /// The digits from 0 to 9, the first one in the lowest byte.
    private let values: UInt64

    /// Creates the digits; of a larger number they have no meaning.
    @inline(__always)
    init(_ number: UInt64) {
        // Each step divides the numbers in the parts of the word by a product and a shift, and puts the remainders beside the quotients.
        let (high, low) = number.quotientAndRemainder(dividingBy: 10_000)
        let fours = high | low &<< 32
        let hundreds = (fours &* 10_486) &>> 20 & 0x7F_0000_007F
        let twos = hundreds | (fours &- hundreds &* 100) &<< 16
        let tens = (twos &* 103) &>> 10 & 0x000F_000F_000F_000F
        values = tens | (twos &- tens &* 10) &<< 8
    }

    /// The number of zeros before the first other digit.
    @inline(__always)
    var leadingZeros: Int { values.trailingZeroBitCount &>> 3 }

    /// The number of zeros after the last other digit.
    @inline(__always)
    var trailingZeros: Int { values.leadingZeroBitCount &>> 3 }

    /// Writes the digits without some of the first ones, and then as many other bytes.
    ///
    /// - Parameter skipped: A number from 0 to 7.
    @inline(__always)
    func write(without skipped: Int, at place: UnsafeMutablePointer<UInt8>) {
        let text = (values | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: skipped &<< 3)
        UnsafeMutableRawPointer(place).storeBytes(of: text.littleEndian, as: UInt64.self)
    }
}
