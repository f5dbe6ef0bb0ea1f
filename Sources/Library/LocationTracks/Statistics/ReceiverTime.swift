import LocationCore

/// The time between two positions by the receiver's clock.
enum ReceiverTime {
    /// The difference from the session's clock up to which the receiver's counts between two positions.
    private static let tolerance = Duration.seconds(2)

    /// Returns the time since the last position by the receiver's clock if it differs little from the session's, because reports can come
    /// in bursts, and recordings can be made faster than the receiver reported.
    static func between(
        _ before: Timestamp?, and location: Location, session time: Duration
    ) -> Duration {
        guard let now = location.timestamp, let before else { return time }
        let told = now.since(before)
        return told > .zero && max(told, time) - min(told, time) < tolerance ? told : time
    }
}
