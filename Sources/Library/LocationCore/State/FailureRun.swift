/// A failure and its repetitions without anything in between.
public struct FailureRun: Hashable, Sendable {
    /// The error.
    package internal(set) var error: LocationError
    /// The number of attempts that failed.
    package internal(set) var count: Int
    /// The moment of the last one.
    package internal(set) var moment: Moment
}
