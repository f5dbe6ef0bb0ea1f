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
        // The attoseconds of up to nine seconds fit into 64 bits, which avoids a slow 128-bit division.
        if let small = Int64(exactly: attoseconds) {
            Int128(small / 1_000_000_000)
        } else {
            attoseconds / 1_000_000_000
        }
    }

    /// The number of seconds.
    ///
    /// A whole number of microseconds gives the nearest number, which a quotient of durations does not: 50,000 s would be
    /// 49,999.99999999999.
    package var inSeconds: Double {
        let (seconds, attoseconds) = components
        let (microseconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000)
        // 64 bits hold the microseconds of 290,000 years. The conversion of 128 bits took a tenth of the instructions of a session.
        guard rest == 0, seconds.magnitude < 9_000_000_000_000 else {
            return Double(seconds) + Double(attoseconds) / 1e18
        }
        return Double(seconds * 1_000_000 + microseconds) / 1e6
    }
}
