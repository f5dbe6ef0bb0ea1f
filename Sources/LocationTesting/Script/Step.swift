public import LocationCore

/// One step of what a scripted source does in a session.
public enum Step: Hashable, Sendable {
    /// Lets time pass, on the source's clock.
    case wait(Duration)
    /// Tells a position as it is given, with its own time or none.
    case location(Location)
    /// Tells a three-dimensional position of the moment at which it is told.
    case place(Coordinate, accuracy: Double)
    /// Tells that there is no position now, and why.
    case searching(SearchReason, device: String? = nil)
    /// Tells that something failed; the session goes on.
    case error(LocationError)
    /// Tells the satellites.
    case satellites(SkyView)
    /// Tells of a receiver.
    case device(DeviceStatus)
    /// Tells whether positions may be had; `.denied` is followed by the failure of that name.
    case authorization(AuthorizationStatus)
    /// Tells something that changes no state.
    case notice(Notice)
    /// So many positions of a random walk, each after a wait; the first is one step away from `from`.
    case randomWalk(from: Coordinate, steps: Int, every: Duration = .seconds(1), stride: Double = 1.4, seed: UInt64)
    /// Plays a recorded session, and goes on when it is over; ends the session with an error where it cannot be read.
    case replay(RecordedAnswer)
    /// Goes on for ever without another word; what is forced by hand still comes.
    case hang
    /// Ends the session.
    case end
    /// Ends the session with an error.
    case endThrowing(LocationError)

    /// A position of the moment at which it is told, so many degrees north and east and accurate to five metres.
    public static func location(_ latitude: Double, _ longitude: Double, accuracy: Double = 5) -> Step {
        .place(Coordinate(latitude: latitude, longitude: longitude), accuracy: accuracy)
    }
}
