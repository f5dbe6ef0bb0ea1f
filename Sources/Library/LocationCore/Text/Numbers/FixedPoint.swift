/// A number with a fixed count of decimals, rounded from its exact value; ties go to the even digit, as in printf.
package struct FixedPoint: Sendable {
    package static let mostDecimals = 12

    private static let powersOfTen: [UInt64] = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000,
    ]

    /// Whether the rounded number is below zero; a zero is never negative.
    package let isNegative: Bool
    package let whole: UInt64
    /// The fraction, in units of the last decimal.
    package let fraction: UInt64
    package let decimals: Int

    /// Creates a rounded number, or returns `nil` if the value is not finite or its magnitude is 2⁶³ or more.
    package init?(_ value: Double, decimals: Int) {
        guard value.isFinite, value.magnitude < 0x1p63 else { return nil }
        let decimals = max(0, min(decimals, FixedPoint.mostDecimals))
        let scale = FixedPoint.powersOfTen[decimals]
        let magnitude = value.magnitude
        // A number of nine decimals or fewer differs from them by much less than the last one, so rounding them is rounding the number,
        // except halfway. It needs no product of 128 bits: 190 instructions instead of 340.
        if decimals <= 9, let billionths = DecimalText.multiple(of: magnitude, 1e9) {
            let unit = FixedPoint.powersOfTen[9 - decimals]
            let (number, rest) = billionths.quotientAndRemainder(dividingBy: unit)
            if rest &* 2 != unit {
                let rounded = rest &* 2 > unit ? number &+ 1 : number
                (whole, fraction) = rounded.quotientAndRemainder(dividingBy: scale)
                self.decimals = decimals
                isNegative = value < 0 && rounded != 0
                return
            }
        }
        let scaled: UInt128
        if magnitude >= 0x1p53 {
            // A number of this size has no fraction.
            scaled = UInt128(UInt64(clamping: magnitude)) * UInt128(scale)
        } else if magnitude == 0 {
            scaled = 0
        } else {
            // value = significand × 2^−shift exactly, and significand × scale stays below 2^93.
            let exponent = magnitude.isNormal ? Int(magnitude.exponent) : -1022
            let significand =
                magnitude.isNormal ? magnitude.significandBitPattern | 1 << 52 : magnitude.significandBitPattern
            let shift = 52 - exponent
            let product = UInt128(significand) * UInt128(scale)
            scaled = FixedPoint.halved(product, times: shift)
        }
        if let scaled = UInt64(exactly: scaled) {
            // The common case: a 128-bit division is a function call and ten times as slow.
            (whole, fraction) = scaled.quotientAndRemainder(dividingBy: scale)
        } else {
            let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: UInt128(scale))
            self.whole = UInt64(whole)
            self.fraction = UInt64(fraction)
        }
        self.decimals = decimals
        isNegative = value.sign == .minus && scaled != 0
    }

    /// Returns `product` / 2^`times`, with ties to even; `times` is 0 … 1074.
    private static func halved(_ product: UInt128, times: Int) -> UInt128 {
        if times == 0 { return product }
        if times > 120 { return 0 }
        var quotient = product >> UInt128(times)
        let rest = product & ((1 << UInt128(times)) - 1)
        let half: UInt128 = 1 << UInt128(times - 1)
        if rest > half || (rest == half && quotient & 1 == 1) { quotient += 1 }
        return quotient
    }
}
