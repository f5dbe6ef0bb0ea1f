import LocationCore

/// The speed at which a recording is played.
public enum ReplayPace: Hashable, Sendable {
    /// As fast as the updates are taken.
    case max
    /// A multiple of the recorded speed.
    case times(Double)

    /// The recorded speed.
    public static let recorded = ReplayPace.times(1)

    /// The longest playing time in seconds that every clock can represent.
    private static let longest = 1e9

    /// Returns the playing time at which a moment of a recording is due, or `nil` if the pace does not wait.
    package func playingTime(of elapsed: Duration) -> Duration? {
        guard case .times(let rate) = self, rate > 0 else { return nil }
        return Duration(clampingSeconds: Swift.min(elapsed.inSeconds / rate, Self.longest))
    }
}
