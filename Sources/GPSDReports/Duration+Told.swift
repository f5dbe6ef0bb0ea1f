extension Duration {
    /// Seconds that a file or a daemon tells, to the microsecond: at least none, at most what can be reckoned with.
    ///
    /// The conversion of the standard library, and every sum after it, would trap on what a hostile line can say.
    init(toldSeconds seconds: Double) {
        self = seconds > 0 ? .microseconds(Int64((Swift.min(seconds, 1e10) * 1e6).rounded())) : .zero
    }
}
