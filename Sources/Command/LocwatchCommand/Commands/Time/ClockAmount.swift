import LocationCore
import LocwatchTerminal

extension TextBuffer {
    /// Appends a short time with about three digits and its unit, as in `3.2 ms`, `850 ns` or `7168 d`.
    mutating func put(brief nanoseconds: Double, _ glyphs: Glyphs) {
        let size = nanoseconds.magnitude
        guard size < 99.95e9 else { return put(spoken: Duration(clampingSeconds: size / 1e9)) }
        let (scale, unit) =
            switch size {
            case ..<999.5: (1.0, "ns")
            case ..<999.5e3: (1e3, "\(glyphs.micro)s")
            case ..<999.5e6: (1e6, "ms")
            default: (1e9, "s")
            }
        let value = size / scale
        put(trimmed: value, decimals: [99.95, 9.995].firstIndex { value >= $0 } ?? 2)
        put(" \(unit)")
    }

    /// Appends a number of nanoseconds in seconds with all its digits, as in `-0.000001250`.
    mutating func put(secondsOf nanoseconds: Int64) {
        if nanoseconds < 0 { put(UInt8(ascii: "-")) }
        let (seconds, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        put(digits: seconds)
        put(".")
        put(digits: rest, width: 9)
    }

    /// Appends a small number with two digits, as in `1.2e-9`.
    mutating func put(scientific value: Double) {
        guard value > 0, value.isFinite else { return put("0") }
        var (digits, exponent) = (value, 0)
        while digits >= 9.95 { (digits, exponent) = (digits / 10, exponent + 1) }
        while digits < 0.995 { (digits, exponent) = (digits * 10, exponent - 1) }
        put(fixed: digits, decimals: 1)
        if exponent != 0 {
            put("e")
            put(exponent)
        }
    }
}
