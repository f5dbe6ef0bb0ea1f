extension Duration {
    /// Converts seconds to a duration, to the microsecond, clamped to 0 … 10,000,000,000 s so that it cannot overflow.
    ///
    /// `Duration.seconds(_: Double)`, or a sum of its results, traps on numbers that a report or a file can contain.
    package init(clampingSeconds seconds: Double) {
        self = seconds > 0 ? .microseconds(Int64(clamping: (Swift.min(seconds, 1e10) * 1e6).rounded())) : .zero
    }

    /// The duration as a number of seconds.
    package var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
