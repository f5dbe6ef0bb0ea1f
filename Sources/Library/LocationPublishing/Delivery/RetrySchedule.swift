import LocationCore

/// The times at which a failed connection is tried again.
///
/// The delay doubles with each failure from 0.5 s up to 5 min, and a random part of it is waited (full jitter), so that
/// many machines do not return to a server at the same time. A refusal is tried again every 5 min.
///
/// A target that takes a record begins the delays anew. If its connections end shortly after they began, as those of two clients
/// with one name do, the delays grow to 16 s all the same.
struct RetrySchedule: Hashable, Sendable {
    private static let shortest = Duration.milliseconds(500)
    private static let longest = Duration.seconds(300)
    /// The life of a connection that is not brief.
    private static let steady = Duration.seconds(10)
    /// The number of brief connections after which the delay grows no more.
    private static let briefLimit = 6

    private var failures = 0
    /// The number of connections in a row that ended shortly after they began.
    private var briefConnections = 0
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// Returns the delay after another failure.
    ///
    /// - Parameter least: The delay that the target has asked for.
    mutating func delay(isRefusal: Bool, least: Duration?) -> Duration {
        failures += 1
        let least = min(least ?? .zero, Self.longest)
        guard !isRefusal else { return Self.longest }
        let limit = Self.shortest.doubled(failures - 1, upTo: Self.longest)
        // Not less than a tenth, because an attempt at once would only meet the same failure.
        return max(least, limit * (0.1 + 0.9 * random.unit()))
    }

    /// Notes that a connection that the target had accepted has ended.
    ///
    /// - Parameter life: The time for which it was open.
    mutating func noteEnd(after life: Duration) {
        briefConnections = life < Self.steady ? min(briefConnections + 1, Self.briefLimit) : 0
        failures = max(failures, briefConnections - 1)
    }

    /// Begins anew after a success.
    mutating func succeed() { failures = 0 }
}
