/// Numbers as a receiver writes them: a fixed number of decimals, zeros in front.
enum DecimalText {
    /// A number with `decimals` digits after the point, and at least `digits` before it.
    static func fixed(_ value: Double, decimals: Int, digits: Int = 1) -> String {
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        // Clamped: what does not fit is out of any receiver's range.
        let scaled = Int((max(-1e12, min(1e12, value)) * Double(scale)).rounded())
        let (whole, fraction) = abs(scaled).quotientAndRemainder(dividingBy: scale)
        var text = scaled < 0 ? "-" : ""
        text += padded(whole, to: digits)
        if decimals > 0 { text += "." + padded(fraction, to: decimals) }
        return text
    }

    /// A number that is not negative, with zeros in front up to a width.
    static func padded(_ value: Int, to width: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    /// An angle as NMEA has it: degrees and minutes in one number, `ddmm.mmmmmm`.
    static func degreesMinutes(_ angle: Double, degreeDigits: Int) -> String {
        // Rounded as a whole, so that 59.9999999 minutes become the next degree and never 60.
        let perDegree = 60 * 1_000_000
        let total = Int((abs(angle) * Double(perDegree)).rounded())
        let (degrees, rest) = total.quotientAndRemainder(dividingBy: perDegree)
        let (minutes, fraction) = rest.quotientAndRemainder(dividingBy: 1_000_000)
        return padded(degrees, to: degreeDigits) + padded(minutes, to: 2) + "." + padded(fraction, to: 6)
    }
}
