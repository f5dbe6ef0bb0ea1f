/// How fast a recording is played.
public enum ReplayPace: Hashable, Sendable {
    /// As fast as it is asked for.
    case max
    /// So many times as fast as it was recorded.
    case times(Double)

    /// As it was recorded.
    public static let recorded = ReplayPace.times(1)
}
