/// A failure and its repetitions without anything in between.
public struct FailureRun: Hashable, Sendable {
    package internal(set) var error: LocationError
    package internal(set) var count: Int
    /// The moment of the last one.
    package internal(set) var moment: Moment
}
