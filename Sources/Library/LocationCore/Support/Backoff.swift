/// The pauses between the attempts of a session to connect again.
public struct RetryPauses: Hashable, Sendable {
    /// The pause before the first retry; it doubles with each failure.
    public var first: Duration
    /// The longest pause.
    public var longest: Duration
    /// The seed of the random part of the pauses, which is the same for the same seed; `nil` for another one in each session.
    public var seed: UInt64?

    /// Creates pauses, by default from half a second to thirty seconds.
    public init(
        first: Duration = .milliseconds(500), longest: Duration = .seconds(30), seed: UInt64? = nil
    ) {
        self.first = first
        self.longest = longest
        self.seed = seed
    }
}

/// The pauses before the attempts that follow failures: each is twice as long as the one before, up to a limit.
///
/// A random part of each pause keeps many clients from returning to a server at the same time.
package struct Backoff: Hashable, Sendable {
    /// The life of a connection that is not brief.
    private static let steady = Duration.seconds(10)
    /// The number of brief connections after which the pause grows no more: 16 s after the usual first one.
    private static let briefLimit = 6

    private let pauses: RetryPauses
    /// The part of a pause that is waited.
    private let part: ClosedRange<Double>
    /// The number of failures in a row.
    package private(set) var failures = 0
    /// The number of connections in a row that ended shortly after they began.
    private var briefConnections = 0
    /// Made by the first failure, so that a session without one draws no number.
    private var random: SplitMix64?

    /// Creates the pauses before the first attempt.
    ///
    /// - Parameter part: The part of a pause that is waited; its length is random.
    package init(_ pauses: RetryPauses, waiting part: ClosedRange<Double> = 0.8...1.2) {
        let longest = max(.zero, pauses.longest)
        self.pauses = RetryPauses(first: min(max(.zero, pauses.first), longest), longest: longest, seed: pauses.seed)
        self.part = part
    }

    /// Notes a failure, and returns the pause before the next attempt.
    ///
    /// - Parameter least: The pause that the server has asked for, if any; more than the longest pause is not waited.
    package mutating func fail(least: Duration? = nil) -> Duration {
        failures += 1
        var random = random ?? SplitMix64(seed: pauses.seed ?? .random(in: 0...(.max)))
        let limit = pauses.first.doubled(failures - 1, upTo: pauses.longest)
        let pause = limit * (part.lowerBound + (part.upperBound - part.lowerBound) * random.unit())
        self.random = random
        return max(pause, min(least ?? .zero, pauses.longest))
    }

    /// Notes a refusal, and returns the pause before the next attempt, which is the longest one.
    package mutating func refuse() -> Duration {
        failures += 1
        return pauses.longest
    }

    /// Begins anew after a success.
    package mutating func succeed() { failures = 0 }

    /// Notes that a connection that the server had accepted has ended.
    ///
    /// Connections that end shortly after they began, as those of two clients with one name do, let the pauses grow although each
    /// of them is a success.
    ///
    /// - Parameter life: The time for which the connection was open.
    package mutating func noteEnd(after life: Duration) {
        briefConnections = life < Self.steady ? min(briefConnections + 1, Self.briefLimit) : 0
        failures = max(failures, briefConnections - 1)
    }
}
