/// Numbers as decimal digits, appended to a buffer of bytes: no locale, no exponent, no negative zero.
package enum DecimalText {
    private static let zero = UInt8(ascii: "0")
    private static let point = UInt8(ascii: ".")
    private static let minus = UInt8(ascii: "-")

    /// A whole number, with zeros in front up to so many digits.
    @inline(__always)
    package static func append(_ value: Int, digits: Int = 1, to bytes: inout [UInt8]) {
        if value < 0 { bytes.append(minus) }
        append(magnitude: UInt64(value.magnitude), digits: digits, to: &bytes)
    }

    /// A number with so many digits after the point, rounded, and at least `digits` before it.
    ///
    /// - Parameter trimmed: whether zeros at the end of the fraction are left out, and the point with the last of them.
    package static func append(
        _ value: Double, decimals: Int, digits: Int = 1, trimmed: Bool = false, to bytes: inout [UInt8]
    ) {
        let places = max(0, min(9, decimals))
        let scale = scales[places]
        // Clamped: what does not fit is beyond anything that is measured.
        let scaled = Int64((max(-9e9, min(9e9, value)) * Double(scale)).rounded())
        append(scaled: scaled, places: places, digits: digits, trimmed: trimmed, to: &bytes)
    }

    /// A finite number in as few digits as read back to the same number.
    package static func append(shortest value: Double, to bytes: inout [UInt8]) {
        // A whole number of 10⁻⁹ that divides back to the value is its decimal text: division rounds as parsing does. Most
        // that is measured has three decimals at most.
        let thousandths = (value * 1000).rounded()
        if abs(thousandths) < 9e15, thousandths / 1000 == value {
            return append(scaled: Int64(thousandths), places: 3, digits: 1, trimmed: true, to: &bytes)
        }
        let scaled = (value * 1e9).rounded()
        if abs(scaled) < 9e15, scaled / 1e9 == value {
            return append(scaled: Int64(scaled), places: 9, digits: 1, trimmed: true, to: &bytes)
        }
        appendDescription(of: value, to: &bytes)
    }

    /// A coordinate's degrees without an exponent: what is smaller than 10⁻⁴ is rounded to a tenth of a millimetre.
    @inline(__always)
    package static func append(degrees value: Double, to bytes: inout [UInt8]) {
        append(decimal: value, to: &bytes)
    }

    /// A finite number without an exponent: in as few digits as read back to the same, or rounded to nine decimals where
    /// that would take an exponent.
    package static func append(decimal value: Double, to bytes: inout [UInt8]) {
        let size = abs(value)
        // Outside of this a description has an exponent.
        guard size >= 1e-4, size < 9e15 else {
            return append(value, decimals: 9, trimmed: true, to: &bytes)
        }
        append(shortest: value, to: &bytes)
    }

    /// A number with so many digits after the point, as text of its own.
    package static func fixed(_ value: Double, decimals: Int, digits: Int = 1) -> String {
        var bytes: [UInt8] = []
        append(value, decimals: decimals, digits: digits, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A number that is not negative, with zeros in front up to a width.
    package static func padded(_ value: Int, to width: Int) -> String {
        var bytes: [UInt8] = []
        append(value, digits: width, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// An angle as NMEA has it: degrees and minutes in one number, `ddmm.mmmmmm`, without its sign.
    package static func append(degreesMinutes angle: Double, degreeDigits: Int, to bytes: inout [UInt8]) {
        // Rounded as a whole, so that 59.9999999 minutes become the next degree and never 60.
        let perDegree = 60 * 1_000_000
        let total = Int((abs(angle) * Double(perDegree)).rounded())
        let (degrees, rest) = total.quotientAndRemainder(dividingBy: perDegree)
        let (minutes, fraction) = rest.quotientAndRemainder(dividingBy: 1_000_000)
        append(degrees, digits: degreeDigits, to: &bytes)
        append(minutes, digits: 2, to: &bytes)
        bytes.append(point)
        append(fraction, digits: 6, to: &bytes)
    }

    /// An angle as NMEA has it, as text of its own.
    package static func degreesMinutes(_ angle: Double, degreeDigits: Int) -> String {
        var bytes: [UInt8] = []
        append(degreesMinutes: angle, degreeDigits: degreeDigits, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let scales: [Int64] = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    ]

    private static func append(
        scaled: Int64, places: Int, digits: Int, trimmed: Bool, to bytes: inout [UInt8]
    ) {
        if scaled < 0 { bytes.append(minus) }
        var (whole, fraction) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt64(scales[places]))
        append(magnitude: whole, digits: digits, to: &bytes)
        var places = places
        if trimmed {
            guard fraction > 0 else { return }
            while fraction % 10 == 0 {
                fraction /= 10
                places -= 1
            }
        }
        guard places > 0 else { return }
        bytes.append(point)
        whole = fraction
        append(magnitude: whole, digits: places, to: &bytes)
    }

    @inline(__always)
    private static func append(magnitude: UInt64, digits: Int, to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { text in
            var start = 32
            var rest = magnitude
            repeat {
                start -= 1
                text[start] = zero + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            while start > max(0, 32 - digits) {
                start -= 1
                text[start] = zero
            }
            bytes.append(contentsOf: UnsafeMutableBufferPointer(rebasing: text[start...]))
        }
    }

    private static func appendDescription(of value: Double, to bytes: inout [UInt8]) {
        var text = value.description
        text.withUTF8 { digits in
            // A whole number is written without the fraction that Swift shows.
            let isWhole = digits.count > 2 && digits[digits.count - 1] == zero && digits[digits.count - 2] == point
            bytes.append(contentsOf: digits[..<(isWhole ? digits.count - 2 : digits.count)])
        }
    }
}
