import LocationCore

/// How fast a recording is played.
public enum ReplayPace: Hashable, Sendable {
    /// As fast as its updates are taken.
    case max
    /// This many times as fast as it was recorded.
    case times(Double)

    /// As it was recorded.
    public static let recorded = ReplayPace.times(1)

    /// The longest playing time that every clock can count.
    private static let longest = 1e9

    /// Returns the playing time at which a moment of a recording is due, or `nil` if moments are not waited for.
    package func playingTime(of elapsed: Duration) -> Duration? {
        guard case .times(let rate) = self, rate > 0 else { return nil }
        return Duration(clampingSeconds: Swift.min(elapsed / .seconds(1) / rate, Self.longest))
    }
}
