/// A number with a fixed count of decimals, rounded from its exact value; ties go to the even digit, as printf does.
struct FixedPoint {
    /// The most decimals that a number may be written with.
    static let mostDecimals = 12

    private static let powersOfTen: [UInt64] = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000,
    ]

    let isNegative: Bool
    let whole: UInt64
    let fraction: UInt64
    let decimals: Int

    /// `nil` for a number that has no such form here: not finite, or 2⁶³ and beyond.
    init?(_ value: Double, decimals: Int) {
        guard value.isFinite, value.magnitude < 0x1p63 else { return nil }
        let decimals = max(0, min(decimals, FixedPoint.mostDecimals))
        let scale = FixedPoint.powersOfTen[decimals]
        let magnitude = value.magnitude
        let scaled: UInt128
        if magnitude >= 0x1p53 {
            // No fraction is left at this size.
            scaled = UInt128(UInt64(magnitude)) * UInt128(scale)
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

extension TextBuffer {
    /// A number with so many decimals: no exponent, no grouping, never `-0`.
    mutating func put(fixed value: Double, decimals: Int) {
        guard let number = FixedPoint(value, decimals: decimals) else { return put(shortest: value) }
        if number.isNegative { put(UInt8(ascii: "-")) }
        put(digits: number.whole)
        if number.decimals > 0 {
            put(UInt8(ascii: "."))
            put(digits: number.fraction, width: number.decimals)
        }
    }

    /// A number with at most so many decimals: zeros at the end of the fraction are left out.
    mutating func put(trimmed value: Double, decimals: Int) {
        guard let number = FixedPoint(value, decimals: decimals) else { return put(shortest: value) }
        put(trimmed: number.isNegative, number.whole, number.fraction, decimals: number.decimals)
    }

    private mutating func put(trimmed isNegative: Bool, _ whole: UInt64, _ fraction: UInt64, decimals: Int) {
        var (fraction, decimals) = (fraction, decimals)
        if fraction == 0 {
            decimals = 0
        } else {
            while fraction.isMultiple(of: 10) {
                fraction /= 10
                decimals -= 1
            }
        }
        let digits = whole.digitCount
        extend(by: digits + decimals + 2) { place in
            var end = 0
            if isNegative {
                place[end] = UInt8(ascii: "-")
                end += 1
            }
            whole.writeDigits(digits, at: place + end)
            end += digits
            if decimals > 0 {
                place[end] = UInt8(ascii: ".")
                fraction.writeDigits(decimals, at: place + end + 1)
                end += 1 + decimals
            }
            return end
        }
    }

    /// The shortest text that reads back as the same number; JSON's form, without an exponent where it can be.
    mutating func put(shortest value: Double) {
        guard value.isFinite else { return put("null") }
        if value == 0 { return put(UInt8(ascii: "0")) }
        // A decimal of at most 15 digits that reads as this number is its shortest form, and nearly all that
        // receivers tell has one; the division is exact to the last bit, so that equality proves it.
        if put(value, whole: 1e3, 1000, decimals: 3) || put(value, whole: 1e9, 1_000_000_000, decimals: 9) { return }
        put(plain: value.description)
    }

    /// Puts a number that is a whole one of so many decimals; answers whether it is.
    @inline(__always)
    private mutating func put(_ value: Double, whole scale: Double, _ divisor: UInt64, decimals: Int) -> Bool {
        let scaled = value.magnitude * scale + 0.5
        guard scaled < 1e15 else { return false }
        let number = UInt64(scaled)
        guard Double(number) / scale == value.magnitude else { return false }
        let (whole, fraction) = number.quotientAndRemainder(dividingBy: divisor)
        put(trimmed: value < 0, whole, fraction, decimals: decimals)
        return true
    }

    /// What `Double.description` gives, with a moderate exponent written out and `.0` left out.
    private mutating func put(plain description: String) {
        let parts = description.split(separator: "e", maxSplits: 1)
        guard parts.count == 2, let exponent = Int(parts[1]) else {
            return put(description.hasSuffix(".0") ? String(description.dropLast(2)) : description)
        }
        var digits = parts[0].filter { $0 != "." && $0 != "-" }
        if digits.hasSuffix("0"), digits.count > 1 { digits.removeLast() }
        if parts[0].hasPrefix("-") { put(UInt8(ascii: "-")) }
        if exponent < 0 {
            put("0.")
            put(repeating: UInt8(ascii: "0"), count: -exponent - 1)
            put(digits)
        } else {
            put(digits)
            put(repeating: UInt8(ascii: "0"), count: exponent + 1 - digits.count)
        }
    }
}
