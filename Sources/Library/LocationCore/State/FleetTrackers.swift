import LocwatchSupport

/// The trackers of a fleet's devices, each of which processes its updates in constant time.
///
/// A loss of the connection concerns the session only: nothing is known of the devices then, and their positions become
/// stale on their own. The devices with a position are linked in the order of their reports, so that the session always
/// shows the newest position.
struct FleetTrackers: Sendable {
    private struct Device {
        var tracker: LocationTracker
        /// The neighbours in the list of the devices with a position.
        var newer: Int?
        var older: Int?
        var isLinked = false
    }

    private let staleAfter: Duration?
    private var devices = PerDevice<Device>()
    private var deadlines = DeadlineHeap()
    private var standing = StandingState()
    /// The device with the newest position.
    private var newest: Int?

    init(staleAfter: Duration?) { self.staleAfter = staleAfter }

    var state: LocationState { standing.state }

    var states: [String?: LocationState] {
        Dictionary(uniqueKeysWithValues: zip(devices.devices, devices.values.map(\.tracker.state)))
    }

    var deadline: Moment? { deadlines.first }

    func state(of device: String?) -> LocationState? { devices[device]?.tracker.state }

    func reports(of device: String?) -> ReportInterval.Estimate? { devices[device]?.tracker.reports }

    mutating func apply(_ event: LocationEvent, at moment: Moment, isSuitable: Bool) -> [TrackedUpdate] {
        var changes = expire(at: moment)
        switch event {
        case .location, .searching(_, _?), .device: track(event, of: event.device, at: moment, isSuitable, &changes)
        case .searching(let reason, nil): move(to: .searching(reason), at: moment, device: nil, &changes)
        case .failure(let error, _): move(to: .error(error), at: moment, device: nil, &changes)
        case .satellites, .receiver, .clock, .authorization, .line, .notice, .other: break
        }
        return changes
    }

    mutating func expire(at moment: Moment) -> [TrackedUpdate] {
        guard let first = deadlines.first, first <= moment else { return [] }
        var changes: [TrackedUpdate] = []
        while let (place, due) = deadlines.pop(until: moment, deadline: { devices[place: $0].tracker.deadline }) {
            guard let transition = devices[place: place].tracker.expire(at: due) else { continue }
            changes.append(.deviceTransition(transition.of(devices.device(at: place))))
            settle(place, isNewPosition: false, at: due, &changes)
        }
        return changes
    }

    private mutating func track(
        _ event: LocationEvent, of device: String?, at moment: Moment, _ isSuitable: Bool,
        _ changes: inout [TrackedUpdate]
    ) {
        let place = devices.place(
            of: device, default: Device(tracker: LocationTracker(staleAfter: staleAfter, isFleet: true)))
        for transition in devices[place: place].tracker.apply(event, at: moment, isSuitable: isSuitable) {
            changes.append(.deviceTransition(transition.of(device)))
        }
        deadlines.set(devices[place: place].tracker.deadline, of: place)
        let isNewPosition = event.location.map { isSuitable && !$0.isLate && $0.fix >= .twoD } ?? false
        settle(place, isNewPosition: isNewPosition, at: moment, &changes)
    }

    /// Updates the list of the devices with a position, and the state of the session, after a change of a device.
    private mutating func settle(
        _ place: Int, isNewPosition: Bool, at moment: Moment, _ changes: inout [TrackedUpdate]
    ) {
        let state = devices[place: place].tracker.state
        let device = devices.device(at: place)
        if case .found = state {
            guard isNewPosition else { return }
            link(place)
            return move(to: state, at: moment, device: device, &changes)
        }
        let wasShown = newest == place
        if devices[place: place].isLinked { unlink(place) }
        // Before the first position, and while the connection is lost, a device does not change the session's state.
        guard wasShown, case .found = standing.state else { return }
        let shown = newest.map { devices[place: $0].tracker.state } ?? state
        move(to: shown, at: moment, device: device, &changes)
    }

    private mutating func move(
        to state: LocationState, at moment: Moment, device: String?, _ changes: inout [TrackedUpdate]
    ) {
        if let transition = standing.move(to: state, at: moment, device: device) {
            changes.append(.transition(transition))
        }
    }

    private mutating func link(_ place: Int) {
        guard newest != place else { return }
        if devices[place: place].isLinked { unlink(place) }
        devices[place: place].isLinked = true
        devices[place: place].older = newest
        if let newest { devices[place: newest].newer = place }
        newest = place
    }

    private mutating func unlink(_ place: Int) {
        let (newer, older) = (devices[place: place].newer, devices[place: place].older)
        if let newer { devices[place: newer].older = older } else { newest = older }
        if let older { devices[place: older].newer = newer }
        devices[place: place].newer = nil
        devices[place: place].older = nil
        devices[place: place].isLinked = false
    }
}
