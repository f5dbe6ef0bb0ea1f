/// A failure and its repetitions without anything in between.
public struct FailureRun: Hashable, Sendable {
    /// The error.
    public internal(set) var error: LocationError
    /// The number of attempts that failed.
    public internal(set) var count: Int
    /// The moment of the last one.
    public internal(set) var moment: Moment
}
