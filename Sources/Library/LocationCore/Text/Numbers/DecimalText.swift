/// The formatting of numbers as decimal digits: no locale, exponent or grouping, and never a negative zero.
package enum DecimalText {
    /// The buffer size for a number written in place: a sign, 20 digits, a point and the decimals.
    @inlinable
    package static var room: Int { 40 }

    private static let point = UInt8(ascii: ".")
    private static let minus = UInt8(ascii: "-")

    /// Writes a number with `decimals` digits after the point, rounded from its exact value, and without trailing zeros
    /// if `trimmed`; returns the length, or `nil` for a number without such a form; see `writtenOut(_:)`.
    package static func write(
        _ value: Double, decimals: Int, trimmed: Bool = false, at place: UnsafeMutablePointer<UInt8>
    ) -> Int? {
        guard let number = FixedPoint(value, decimals: decimals) else { return nil }
        return write(
            number.isNegative, number.whole, number.fraction, decimals: number.decimals, trimmed: trimmed, at: place)
    }

    /// Writes a number with the fewest digits that read back to the same number.
    ///
    /// - Returns: The length, or `nil` for one of the few numbers that take longer; see `writtenOut(_:)`.
    @inline(__always)
    package static func write(shortest value: Double, at place: UnsafeMutablePointer<UInt8>) -> Int? {
        // A decimal of at most 15 digits that reads back to this number is its shortest form, and nearly all numbers
        // from receivers have one. Most have four digits before the point and four after it, or fewer: 80 instructions instead of 200.
        if value.magnitude < 1e4, let number = multiple(of: value.magnitude, 1e4) {
            return write(tenThousandths: number, isNegative: value < 0, at: place)
        }
        return write(longer: value, at: place)
    }

    @inline(never)
    private static func write(longer value: Double, at place: UnsafeMutablePointer<UInt8>) -> Int? {
        let magnitude = value.magnitude
        if magnitude >= 1e4, let number = multiple(of: magnitude, 1e3) {
            let (whole, fraction) = number.quotientAndRemainder(dividingBy: 1000)
            return write(value < 0, whole, fraction, decimals: 3, trimmed: true, at: place)
        }
        guard let number = multiple(of: magnitude, 1e9) else { return nil }
        let (whole, fraction) = number.quotientAndRemainder(dividingBy: 1_000_000_000)
        return write(value < 0, whole, fraction, decimals: 9, trimmed: true, at: place)
    }

    /// Returns the whole number of which a magnitude is the quotient by `scale`, if it is one below 10¹⁵.
    ///
    /// The division is correctly rounded, so equality proves that the decimal reads back to the magnitude.
    @inline(__always)
    static func multiple(of magnitude: Double, _ scale: Double) -> UInt64? {
        let product = magnitude * scale
        guard product < 1e15 else { return nil }
        // From 2⁵² to 2⁵³ all numbers are whole, so the sum is rounded, and its lowest bits are the number.
        let sum = product + 0x1p52
        guard (sum - 0x1p52) / scale == magnitude else { return nil }
        return sum.bitPattern & 0xF_FFFF_FFFF_FFFF
    }

    /// Writes a number of ten-thousandths below 10⁸ without trailing zeros.
    @inline(__always)
    private static func write(
        tenThousandths number: UInt64, isNegative: Bool, at place: UnsafeMutablePointer<UInt8>
    ) -> Int {
        let digits = EightDigits(number)
        // The sign is overwritten unless it is one.
        place.pointee = minus
        let first = place + (isNegative ? 1 : 0)
        let zeros = min(3, digits.leadingZeros)
        digits.write(without: zeros, at: first)
        let end = first + (4 &- zeros)
        digits.write(without: 4, at: end + 1)
        end.pointee = point
        let decimals = 4 &- min(4, digits.trailingZeros)
        return end - place &+ (decimals == 0 ? 0 : 1 &+ decimals)
    }

    private static func write(
        _ isNegative: Bool, _ whole: UInt64, _ fraction: UInt64, decimals: Int, trimmed: Bool,
        at place: UnsafeMutablePointer<UInt8>
    ) -> Int {
        place.pointee = minus
        var end = place + (isNegative ? 1 : 0)
        if whole < 100_000_000 {
            let digits = EightDigits(whole)
            let zeros = min(7, digits.leadingZeros)
            digits.write(without: zeros, at: end)
            end += 8 &- zeros
        } else {
            let count = whole.digitCount
            whole.writeDigits(count, at: end)
            end += count
        }
        guard decimals > 0, fraction > 0 || !trimmed else { return end - place }
        end.pointee = point
        if decimals <= 8 {
            EightDigits(fraction).write(without: 8 &- decimals, at: end + 1)
        } else {
            let (first, rest) = fraction.quotientAndRemainder(dividingBy: 100_000_000)
            first.writeDigits(decimals &- 8, at: end + 1)
            EightDigits(rest).write(without: 0, at: end + (decimals &- 7))
        }
        end += 1 &+ decimals
        if trimmed {
            while end[-1] == UInt8(ascii: "0") { end -= 1 }
        }
        return end - place
    }

    /// Returns the shortest text that reads back to the same number, however long, or `null` for a non-finite number.
    package static func writtenOut(_ value: Double) -> String {
        guard value.isFinite else { return "null" }
        // Swift's description can have an exponent or a trailing `.0`.
        let description = value.description
        let parts = description.split(separator: "e", maxSplits: 1)
        guard parts.count == 2, let exponent = Int(parts[1]) else {
            return description.hasSuffix(".0") ? String(description.dropLast(2)) : description
        }
        var digits = parts[0].filter { $0 != "." && $0 != "-" }
        if digits.hasSuffix("0"), digits.count > 1 { digits.removeLast() }
        let sign = parts[0].hasPrefix("-") ? "-" : ""
        return exponent < 0
            ? sign + "0." + String(repeating: "0", count: -exponent - 1) + digits
            : sign + digits + String(repeating: "0", count: exponent + 1 - digits.count)
    }

    /// Returns a non-negative integer with leading zeros up to a width.
    package static func padded(_ value: Int, to width: Int) -> String {
        TextBuffer.text { $0.put(digits: UInt64(value.magnitude), width: width) }
    }
}
