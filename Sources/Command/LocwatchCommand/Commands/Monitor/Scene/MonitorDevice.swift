import LocationCore

/// The last figures of one receiver or of one device of a fleet, in few bytes because a fleet can have thousands.
struct MonitorDevice: Sendable {
    /// A state, from the best to the worst.
    enum DeviceState: UInt8, Sendable {
        case found, searching, error, unknown

        init(_ state: LocationState) {
            self =
                switch state {
                case .found: .found
                case .searching: .searching
                case .error: .error
                }
        }
    }

    var state = DeviceState.unknown
    /// The session time at which the state began; negative for a position from before the session.
    var since = Duration.zero
    /// The session time of the last position, if any; negative for one from before the session.
    var located: Duration?
    /// The last position, as it was reported.
    private var report: Location?
    /// The satellites of the last position, or those of the search for one.
    var sky: SkyView?
    /// The reason why there is no position.
    var reason: SearchReason?
    /// The driver and the model, or the activity of a receiver that reports nothing.
    var kind: String?
    var activity: DeviceStatus.Activity?

    var used: Int? { sky?.used }
    var seen: Int? { sky?.seen }

    /// The last position; of one that the source has kept, only the place.
    var location: Location? {
        guard let location = report, isRemembered else { return report }
        return Location(
            coordinate: location.coordinate, fix: location.fix, device: location.device,
            horizontalAccuracy: location.horizontalAccuracy)
    }

    /// Whether the only position is one that the source has kept from before the session.
    var isRemembered: Bool { state == .unknown && report != nil }

    /// Sets a position that the source has kept, unless a newer one has arrived.
    mutating func remember(_ location: Location, at moment: Moment) {
        guard located == nil || isRemembered else { return }
        // A device that has kept its position is in this state since then, which may be long before the session.
        let age = location.timestamp.map { moment.wall.since($0) } ?? .zero
        since = moment.elapsed - max(.zero, age)
        located = since
        report = location
    }

    /// Replaces the position.
    ///
    /// - Parameter update: The update with the position; that of another machine may have been on its way for any time.
    mutating func move(to location: Location, _ update: LocationUpdate) {
        let age = update.subject == nil ? nil : location.timestamp.map { update.moment.wall.since($0) }
        located = update.moment.elapsed - max(.zero, age ?? .zero)
        (report, sky) = (location, update.sky)
    }

    mutating func apply(_ transition: StateChange) {
        since = transition.moment.elapsed
        state = DeviceState(transition.to)
        reason = if case .searching(let reason) = transition.to { reason } else { nil }
    }
}
