/// A number with a fixed count of decimals, rounded from its exact value; ties go to the even digit, as printf does.
package struct FixedPoint: Sendable {
    /// The most decimals that a number may be written with.
    package static let mostDecimals = 12

    private static let powersOfTen: [UInt64] = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000,
    ]

    /// Whether it is below zero when it is rounded: there is no negative zero.
    package let isNegative: Bool
    /// What stands before the point.
    package let whole: UInt64
    /// What stands after the point, in units of the last decimal.
    package let fraction: UInt64
    /// How many decimals there are.
    package let decimals: Int

    /// `nil` for a number that has no such form here: not finite, or 2⁶³ and beyond.
    package init?(_ value: Double, decimals: Int) {
        guard value.isFinite, value.magnitude < 0x1p63 else { return nil }
        let decimals = max(0, min(decimals, FixedPoint.mostDecimals))
        let scale = FixedPoint.powersOfTen[decimals]
        let magnitude = value.magnitude
        let scaled: UInt128
        if magnitude >= 0x1p53 {
            // No fraction is left at this size.
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
            // The usual size; division of twice as many bits is a call and ten times as slow.
            (whole, fraction) = scaled.quotientAndRemainder(dividingBy: scale)
        } else {
            let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: UInt128(scale))
            self.whole = UInt64(whole)
            self.fraction = UInt64(fraction)
        }
        self.decimals = decimals
        isNegative = value.sign == .minus && scaled != 0
    }

    /// `product` / 2^times, ties to even; `times` is 0 … 1074.
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
