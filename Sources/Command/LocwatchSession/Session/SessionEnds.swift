import LocationCore
import LocwatchArguments

/// The limits of a session's time: that after which it ends, and that by which there must be a good position.
struct SessionEnds {
    private let duration: Duration?
    private let timeout: Duration?
    private let timeoutIsFinal: Bool
    /// The session time from which they count.
    let start: Duration
    /// The session time before which no limit ends the session, or `nil` if there is none.
    let earliest: Duration?

    /// - Parameter timeoutIsFinal: Whether the timeout ends the session although a good position has come.
    init(_ limits: SessionLimits, timeoutIsFinal: Bool, start: Duration) {
        (duration, timeout) = (limits.duration, limits.timeout)
        self.timeoutIsFinal = timeoutIsFinal
        self.start = start
        earliest = [duration, timeout].compactMap(\.self).min().map { start + $0 }
    }

    /// Returns the first limit and the reason with which it ends the session, if there is one.
    ///
    /// - Parameters:
    ///   - isSatisfied: Whether there was a good position.
    ///   - wall: The civil time of the session.
    func first(isSatisfied: Bool, wall: Timestamp) -> (moment: Moment, reason: SessionEnd.Reason)? {
        let beginning = Moment(elapsed: start, wall: wall)
        if let timeout, timeoutIsFinal || !isSatisfied, duration.map({ timeout < $0 }) ?? true {
            return (beginning.advanced(by: timeout), .timeout)
        }
        return duration.map { (beginning.advanced(by: $0), .duration) }
    }
}
