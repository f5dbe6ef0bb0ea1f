extension Duration {
    /// Converts seconds to a duration, to the microsecond, clamped to 0 … 10,000,000,000 s so that it cannot overflow.
    ///
    /// `Duration.seconds(_: Double)`, or a sum of its results, traps on numbers that a report or a file can contain.
    package init(clampingSeconds seconds: Double) {
        self = seconds > 0 ? .microseconds(Int64(clamping: (Swift.min(seconds, 1e10) * 1e6).rounded())) : .zero
    }

    /// Returns the pause before another attempt, which doubles with each one up to the longest.
    package func doubled(_ times: Int, upTo longest: Duration) -> Duration {
        var pause = self
        for _ in 0..<Swift.max(0, Swift.min(times, 62)) where pause < longest { pause = Swift.min(pause * 2, longest) }
        return pause
    }

    var wholeNanoseconds: Int128 {
        guard let (nanoseconds, _) = splitNanoseconds else { return attoseconds / 1_000_000_000 }
        return Int128(nanoseconds)
    }

    /// The nanoseconds and the attoseconds that are left, unless the duration is negative or longer than 292 years.
    ///
    /// One division of the processor takes 15 instructions; that of 128 bits by the library takes 200.
    private var splitNanoseconds: (nanoseconds: Int64, attoseconds: Int64)? {
        let all = attoseconds
        let high = UInt64(truncatingIfNeeded: all >> 64)
        // A negative number has its highest bits set.
        guard high < 500_000_000 else { return nil }
        let divisor: UInt64 = 1_000_000_000
        let (quotient, rest) = divisor.dividingFullWidth((high, UInt64(truncatingIfNeeded: all)))
        return Int64(exactly: quotient).map { ($0, Int64(rest)) }
    }

    /// The whole nanoseconds of a duration that is not negative, clamped to 64 bits, which hold 292 years.
    ///
    /// Sums and comparisons of such numbers take one instruction each, those of durations up to 540.
    package var clampedNanoseconds: Int64 {
        splitNanoseconds?.nanoseconds ?? (self < .zero ? 0 : .max)
    }

    /// The number of seconds.
    ///
    /// A whole number of microseconds gives the nearest number, which a quotient of durations does not: 50,000 s would be
    /// 49,999.99999999999.
    package var inSeconds: Double {
        if let (nanoseconds, rest) = splitNanoseconds, rest == 0, nanoseconds % 1000 == 0 {
            return Double(nanoseconds / 1000) / 1e6
        }
        let (seconds, attoseconds) = components
        let (microseconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000)
        // 64 bits hold the microseconds of 290,000 years. The conversion of 128 bits took a tenth of the instructions of a session.
        guard rest == 0, seconds.magnitude < 9_000_000_000_000 else {
            return Double(seconds) + Double(attoseconds) / 1e18
        }
        return Double(seconds * 1_000_000 + microseconds) / 1e6
    }
}
