public import LocationCore

/// One step of what a scripted source does in a session.
public enum Step: Hashable, Sendable {
    /// Lets time pass, on the source's clock.
    case wait(Duration)
    /// Tells a position.
    case location(Location)
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
    /// Goes on for ever without another word; what is forced by hand still comes.
    case hang
    /// Ends the session.
    case end
    /// Ends the session with an error.
    case endThrowing(LocationError)

    /// A position of a good receiver at so many degrees north and east.
    public static func location(_ latitude: Double, _ longitude: Double, accuracy: Double = 5) -> Step {
        .location(
            Location(
                coordinate: Coordinate(latitude: latitude, longitude: longitude), horizontalAccuracy: accuracy))
    }
}
