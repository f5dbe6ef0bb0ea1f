import LocationCore

/// The last figures of one receiver or of one device of a fleet, in few bytes because a fleet can have thousands.
struct MonitorDevice: Sendable {
    enum State: UInt8, Comparable, Sendable {
        case found, searching, error, unknown

        static func < (left: State, right: State) -> Bool { left.rawValue < right.rawValue }
    }

    var state = State.unknown
    /// The session time at which the state began; negative for a position from before the session.
    var since = Duration.zero
    /// The session time of the last position, if any.
    var located: Duration?
    var coordinate: Coordinate?
    var accuracy = Float.nan
    var speed = Float.nan
    var course = Float.nan
    var used: Int?
    var seen: Int?
    /// The reason why there is no position.
    var reason: SearchReason?
    /// The driver and the model, or the activity of a receiver that reports nothing.
    var kind: String?
    var activity: DeviceStatus.Activity?

    /// Whether the only position is one that the source has kept from before the session.
    var isRemembered: Bool { state == .unknown && coordinate != nil }

    /// Sets a position that the source has kept, unless a newer one has arrived.
    mutating func remember(_ location: Location, at moment: Moment) {
        guard located == nil else { return }
        // A device that has kept its position is in this state since then, which may be long before the session.
        let age = location.timestamp.map { moment.wall.since($0) } ?? .zero
        since = moment.elapsed - max(.zero, age)
        coordinate = location.coordinate
        accuracy = Float(location.horizontalAccuracy ?? .nan)
    }

    /// Replaces the position.
    mutating func update(_ location: Location, at moment: Moment) {
        located = moment.elapsed
        coordinate = location.coordinate
        accuracy = Float(location.horizontalAccuracy ?? .nan)
        speed = Float(location.speed ?? .nan)
        course = Float(location.course ?? .nan)
    }

    /// Changes the state.
    mutating func apply(_ transition: StateChange) {
        since = transition.moment.elapsed
        switch transition.to {
        case .found:
            state = .found
            reason = nil
        case .searching(let reason):
            state = .searching
            self.reason = reason
        case .error:
            state = .error
            reason = nil
        }
    }
}
