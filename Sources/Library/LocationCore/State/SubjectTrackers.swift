import LocwatchSupport

/// The trackers of all subjects of a session, and the state of the session as a whole.
///
/// A *subject* is what a position is about: the machine of the session, whose receivers are compared with each other, or one of
/// any number of machines with names. Each receiver, or each machine with a name, has a tracker, which processes its updates
/// in constant time.
///
/// Receivers share the connection to their daemon, so its loss concerns each of them. Of machines with names nothing is known
/// then: their positions become stale on their own. From the first name on, the receivers count as such machines.
package struct SubjectTrackers: Sendable {
    /// The number of trackers beyond which an event takes constant time on average: `deadline` may be earlier than the
    /// first of their deadlines, and an event of the whole session changes a receiver once until it reports again.
    private static let exactCount = 8

    private let staleAfter: Duration?
    /// The time after which positions are stale that the source names, if it is a track.
    private var trackStaleAfter: Duration?
    private var standing = StandingState()
    private var trackers = PerDevice<LocationTracker>()
    private var deadlines = DeadlineHeap()
    /// The choice between the receivers of a machine, until the session names machines.
    private var best = BestReceiver()
    /// The choice between machines, once the session has named one.
    private var newest: NewestSubject?

    /// Creates the trackers of a session that begins now; see ``LocationTracker``.
    package init(staleAfter: Duration? = nil) { self.staleAfter = staleAfter }

    /// Whether the source is a track, which names the time after which its positions are stale.
    var isTrack: Bool { trackStaleAfter != nil }

    package var state: LocationState { standing.state }

    /// The state of each receiver, or of each machine with a name; the key of one without a name is `nil`.
    package var devices: [String?: LocationState] {
        Dictionary(uniqueKeysWithValues: zip(trackers.devices, trackers.values.map(\.state)))
    }

    /// Returns the state of a receiver or of a machine with a name, or `nil` if it has not been reported.
    package func state(of device: String?) -> LocationState? { trackers[device]?.state }

    /// Returns the interval of the reports of a receiver or of a machine with a name, or `nil` if it has not been reported.
    func reportInterval(of device: String?) -> ReportInterval.Estimate? { trackers[device]?.reportInterval }

    /// The moment at which `expire` must be called if nothing arrives before.
    package private(set) var deadline: Moment?

    /// Processes an event about a subject and returns the resulting changes; deadlines that passed before it are
    /// applied first.
    package mutating func apply(
        _ event: LocationEvent, at moment: Moment, of subject: String? = nil, isSuitable: Bool = true
    ) -> [TrackedUpdate] {
        if case .staleAfter(let time) = event.notice { trackStaleAfter = trackStaleAfter ?? time }
        if subject != nil, newest == nil { newest = NewestSubject(of: trackers) }
        var changes = expire(at: moment)
        switch event {
        case .location, .searching(_, _?), .device: track(event, of: subject, at: moment, isSuitable, &changes)
        case .searching(let reason, nil): track(event, ofAll: .searching(reason), at: moment, &changes)
        case .failure(let error, _): track(event, ofAll: .error(error), at: moment, &changes)
        case .satellites, .attitude, .receiver, .clock, .authorization, .line, .notice, .other: break
        }
        return changes
    }

    /// Expires the positions whose deadline has passed, each as of its deadline, and returns the resulting changes.
    package mutating func expire(at moment: Moment) -> [TrackedUpdate] {
        // Also the entries before the exact deadline of a few trackers, so that none is left in the past.
        guard let first = deadlines.first, first <= moment else { return [] }
        var changes: [TrackedUpdate] = []
        while let (place, due) = deadlines.pop(until: moment, deadline: { trackers[place: $0].deadline }) {
            guard let transition = trackers[place: place].expire(at: due) else { continue }
            changes.append(.deviceTransition(transition.of(trackers.device(at: place))))
            settle(place, at: due, &changes)
        }
        updateDeadline()
        return changes
    }

    /// Returns the standing of a position of a subject that was applied last.
    func standing(of location: Location, _ subject: String?) -> TrackedUpdate.Standing {
        let isOther = newest == nil && best.current.map { trackers.device(at: $0) != location.device } ?? false
        if location.isLate { return isOther ? .other : .late }
        guard case .found? = state(of: newest == nil ? location.device : subject) else { return .outdated }
        if isOther { return .other }
        return location.fix >= .twoD ? .current : .outdated
    }

    /// Processes an event of one receiver, or of a machine with a name.
    private mutating func track(
        _ event: LocationEvent, of subject: String?, at moment: Moment, _ isSuitable: Bool,
        _ changes: inout [TrackedUpdate]
    ) {
        let place: Int
        if newest == nil {
            place = trackers.place(
                of: event.device, default: LocationTracker(staleAfter: staleAfter ?? trackStaleAfter))
            best.noteReport(event, of: place)
        } else {
            place = trackers.place(of: subject, default: LocationTracker(staleAfter: staleAfter, interval: .remote))
        }
        apply(event, to: place, at: moment, isSuitable: isSuitable, &changes)
        let isPosition = event.location.map { isSuitable && !$0.isLate && $0.fix >= .twoD } ?? false
        settle(place, isNewPosition: isPosition, at: moment, &changes)
        updateDeadline()
    }

    /// Processes an event of the whole session, which also concerns each receiver.
    private mutating func track(
        _ event: LocationEvent, ofAll state: LocationState, at moment: Moment, _ changes: inout [TrackedUpdate]
    ) {
        guard newest == nil else { return move(to: state, at: moment, device: nil, &changes) }
        for place in best.interrupt(with: state, onlyReported: trackers.count > Self.exactCount) {
            apply(event, to: place, at: moment, &changes)
            best.note(trackers[place: place].state, of: place)
        }
        settle(nil, at: moment, &changes)
        updateDeadline()
    }

    private mutating func apply(
        _ event: LocationEvent, to place: Int, at moment: Moment, isSuitable: Bool = true,
        _ changes: inout [TrackedUpdate]
    ) {
        for transition in trackers[place: place].apply(event, at: moment, isSuitable: isSuitable) {
            changes.append(.deviceTransition(transition.of(trackers.device(at: place))))
        }
        deadlines.set(trackers[place: place].deadline, of: place)
    }

    /// Updates the state of the session after a change of the tracker at a place, or of all receivers.
    private mutating func settle(
        _ place: Int?, isNewPosition: Bool = false, at moment: Moment, _ changes: inout [TrackedUpdate]
    ) {
        let device = place.flatMap { trackers.device(at: $0) }
        if newest != nil, let place {
            let shown = newest?.settle(place, isNewPosition: isNewPosition, of: trackers, in: standing.state)
            if let shown { move(to: shown, at: moment, device: device, &changes) }
        } else if let (shown, handover) = best.settle(place, of: trackers, at: moment) {
            move(to: shown, at: moment, device: device, &changes)
            if let handover { changes.append(.handover(handover)) }
        }
    }

    private mutating func move(
        to state: LocationState, at moment: Moment, device: String?, _ changes: inout [TrackedUpdate]
    ) {
        if let transition = standing.move(to: state, at: moment, device: device) {
            changes.append(.transition(transition))
        }
    }

    private mutating func updateDeadline() {
        deadline = trackers.count > Self.exactCount ? deadlines.first : earliestDeadline()
    }

    private func earliestDeadline() -> Moment? {
        // A closure would copy all trackers.
        var earliest: Moment?
        for place in 0..<trackers.count {
            guard let due = trackers[place: place].deadline else { continue }
            if earliest.map({ due < $0 }) ?? true { earliest = due }
        }
        return earliest
    }
}

extension StateChange {
    fileprivate func of(_ device: String?) -> StateChange {
        var copy = self
        copy.device = device
        return copy
    }
}
