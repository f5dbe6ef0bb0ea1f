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
    package static func write(shortest value: Double, at place: UnsafeMutablePointer<UInt8>) -> Int? {
        // A decimal of at most 15 digits that reads back to this number is its shortest form, and nearly all numbers
        // from receivers have one. The division is correctly rounded, so equality proves it.
        write(value, whole: 1e3, 1000, decimals: 3, at: place)
            ?? write(value, whole: 1e9, 1_000_000_000, decimals: 9, at: place)
    }

    /// Writes a number that is a whole multiple of 1 / `scale`, or returns `nil` if it is not.
    @inline(__always)
    private static func write(
        _ value: Double, whole scale: Double, _ divisor: UInt64, decimals: Int, at place: UnsafeMutablePointer<UInt8>
    ) -> Int? {
        let scaled = value.magnitude * scale + 0.5
        guard scaled < 1e15 else { return nil }
        let number = UInt64(clamping: scaled)
        guard Double(number) / scale == value.magnitude else { return nil }
        let (whole, fraction) = number.quotientAndRemainder(dividingBy: divisor)
        return write(value < 0, whole, fraction, decimals: decimals, trimmed: true, at: place)
    }

    @inline(__always)
    private static func write(
        _ isNegative: Bool, _ whole: UInt64, _ fraction: UInt64, decimals: Int, trimmed: Bool,
        at place: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var (fraction, decimals) = (fraction, decimals)
        if trimmed {
            if fraction == 0 {
                decimals = 0
            } else {
                while fraction.isMultiple(of: 10) {
                    fraction /= 10
                    decimals -= 1
                }
            }
        }
        var end = 0
        if isNegative {
            place[end] = minus
            end += 1
        }
        let digits = whole.digitCount
        whole.writeDigits(digits, at: place + end)
        end += digits
        if decimals > 0 {
            place[end] = point
            fraction.writeDigits(decimals, at: place + end + 1)
            end += 1 + decimals
        }
        return end
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
