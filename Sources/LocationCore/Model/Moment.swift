/// When something happened, on the session's own clock.
///
/// `elapsed` never goes back and decides what is earlier; `wall` is what a person reads. In a live session both come from
/// the host, in a replay from the recording, so that a replay at any pace sees the same moments.
public struct Moment: Hashable, Sendable, Codable {
    /// Time since the session began.
    public var elapsed: Duration
    /// The civil time that belongs to it.
    public var wall: Timestamp

    /// A moment of a session.
    public init(elapsed: Duration, wall: Timestamp) {
        self.elapsed = elapsed
        self.wall = wall
    }
}

extension Moment: InstantProtocol {
    /// Earlier in the session than.
    public static func < (left: Moment, right: Moment) -> Bool { left.elapsed < right.elapsed }

    /// The moment that lies `duration` later on both clocks.
    public func advanced(by duration: Duration) -> Moment {
        Moment(elapsed: elapsed + duration, wall: wall.advanced(by: duration))
    }

    /// How long it is from this moment to another.
    public func duration(to other: Moment) -> Duration { other.elapsed - elapsed }
}
