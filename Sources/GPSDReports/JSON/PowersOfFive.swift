/// Powers of five to 128 bits, for numbers with more digits than a `Double` holds exactly.
enum PowersOfFive {
    /// A power of five, which is at least `significand` · 2^`exponent` and less than (`significand` + 1) ·
    /// 2^`exponent`.
    struct Power {
        /// The 128 leading bits; the highest is set.
        var significand: UInt128
        var exponent: Int
        /// Whether the power is exactly `significand` · 2^`exponent`.
        var isExact: Bool
    }

    private static let range = -345...310

    /// Returns a power of five, or `nil` if no `Double` needs it.
    static func power(_ exponent: Int) -> Power? {
        range ~= exponent ? table[exponent - range.lowerBound] : nil
    }

    /// Returns 10^exponent exactly, for an exponent of 0 … 22.
    static func ten(to exponent: Int) -> Double {
        var power = 1.0
        for _ in 0..<exponent { power *= 10 }
        return power
    }

    /// Returns the `Double` nearest to mantissa · significand · 2^exponent, or `nil` if it is not a normal number.
    static func rounded(_ mantissa: UInt64, _ significand: UInt128, _ exponent: Int) -> Double? {
        let low = mantissa.multipliedFullWidth(by: UInt64(truncatingIfNeeded: significand))
        let high = mantissa.multipliedFullWidth(by: UInt64(truncatingIfNeeded: significand >> 64))
        // The product has 192 bits: 128 in `top`, and 64 in `low.low`. The sum cannot overflow, because the whole
        // product is less than 2^192.
        let top = UInt128(high.high) << 64 + UInt128(high.low) + UInt128(low.high)
        let leading = top.leadingZeroBitCount
        // The mantissa is not zero, so the product is at least 2^127 and `leading` at most 64: the shift is 11 or more.
        let shift = 128 - 53 - leading
        var bits = UInt64(truncatingIfNeeded: top >> shift)
        let rest = top & (1 << UInt128(shift) - 1)
        let half: UInt128 = 1 << UInt128(shift - 1)
        if rest > half || (rest == half && (low.low != 0 || bits & 1 == 1)) { bits += 1 }
        var binary = exponent + 64 + shift
        if bits == 1 << 53 {
            bits >>= 1
            binary += 1
        }
        let biased = binary + 52 + 1023
        guard 1...2046 ~= biased else { return nil }
        return Double(bitPattern: UInt64(biased) << 52 | (bits & (1 << 52 - 1)))
    }

    private static let table: [Power] = {
        var below: [Power] = []
        // 2^1280 is divided by five repeatedly; each quotient is the floor of the true one. The last one keeps some 470
        // bits.
        var number = [UInt64](repeating: 0, count: 20) + [1]
        for _ in 0..<(-range.lowerBound) {
            var remainder: UInt64 = 0
            for index in number.indices.reversed() {
                let (quotient, rest) = UInt64(5).dividingFullWidth((remainder, number[index]))
                number[index] = quotient
                remainder = rest
            }
            var power = leading(of: number)
            power.exponent -= 1280
            power.isExact = false
            below.append(power)
        }
        var above: [Power] = []
        number = [1] + [UInt64](repeating: 0, count: 12)
        for _ in 0...range.upperBound {
            above.append(leading(of: number))
            var carry: UInt64 = 0
            for index in number.indices {
                let product = number[index].multipliedFullWidth(by: 5)
                let (sum, overflow) = product.low.addingReportingOverflow(carry)
                number[index] = sum
                carry = product.high + (overflow ? 1 : 0)
            }
        }
        return below.reversed() + above
    }()

    /// Returns the 128 leading bits of a number of little-endian words.
    private static func leading(of number: [UInt64]) -> Power {
        var count = number.count
        while count > 1, number[count - 1] == 0 { count -= 1 }
        func word(_ index: Int) -> UInt128 { index >= 0 ? UInt128(number[index]) : 0 }
        let zeros = number[count - 1].leadingZeroBitCount
        var bits = word(count - 1) << 64 | word(count - 2)
        var rest = word(count - 3)
        if zeros > 0 {
            bits = bits << UInt128(zeros) | rest >> UInt128(64 - zeros)
            rest = rest & (1 << UInt128(64 - zeros) - 1)
        }
        let isExact = rest == 0 && number.prefix(max(0, count - 3)).allSatisfy { $0 == 0 }
        return Power(significand: bits, exponent: (count - 2) * 64 - zeros, isExact: isExact)
    }
}
