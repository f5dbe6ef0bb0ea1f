import LocationCore

/// The times at which a failed connection is tried again.
///
/// The delay doubles with each failure from 0.5 s up to 5 min, and a random part of it is waited (full jitter), so that
/// many machines do not return to a server at the same time. A refusal is tried again every 5 min.
struct RetrySchedule: Hashable, Sendable {
    private static let shortest = Duration.milliseconds(500)
    private static let longest = Duration.seconds(300)

    private var failures = 0
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
        let limit = min(Self.longest, Self.shortest * (1 << min(failures - 1, 12)))
        // Not less than a tenth, because an attempt at once would only meet the same failure.
        return max(least, limit * (0.1 + 0.9 * random.unit()))
    }

    /// Begins anew after a success.
    mutating func succeed() { failures = 0 }
}
