/// A point in time on a session's clock.
///
/// `elapsed` never decreases and decides the order; `wall` is the time for display. In a live session both come from
/// the host, and in a replay from the recording, so that a replay at any pace yields the same moments.
public struct Moment: Hashable, Sendable {
    /// The time since the session began.
    public var elapsed: Duration
    /// The corresponding civil time.
    public var wall: Timestamp

    /// Creates a moment of a session.
    public init(elapsed: Duration, wall: Timestamp) {
        self.elapsed = elapsed
        self.wall = wall
    }

    /// The moment of all updates of a recording without any time, or whose first time has not been read yet.
    package static let unknown = Moment(elapsed: .zero, wall: Timestamp(nanosecondsSince1970: 0))
}

extension Moment: InstantProtocol {
    /// Returns whether a moment is earlier in the session than another one.
    public static func < (left: Moment, right: Moment) -> Bool { left.elapsed < right.elapsed }

    /// Returns the moment that is `duration` later on both clocks.
    public func advanced(by duration: Duration) -> Moment {
        Moment(elapsed: elapsed + duration, wall: wall.advanced(by: duration))
    }

    /// Returns the session time from this moment to another.
    public func duration(to other: Moment) -> Duration { other.elapsed - elapsed }
}
