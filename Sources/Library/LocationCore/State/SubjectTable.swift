import LocwatchSupport

/// The subjects of a session: their trackers, their fences, and the state of the session as a whole.
///
/// A *subject* is what a position is about: the machine of the session, which has no name and whose receivers are compared with
/// each other, or one of any number of machines with names, a fleet. `LocationUpdate.subject` names it. Each receiver, or each machine
/// with a name, has a tracker, which processes its updates in constant time.
///
/// Receivers share the connection to their daemon, so its loss concerns each of them. Of machines with names nothing is known
/// then: their positions become stale on their own. From the first name on, the receivers count as such machines.
///
/// All that differs for a fleet is decided here, or from `LocationUpdate.subject`:
///
/// | | one machine | a fleet |
/// |---|---|---|
/// | a tracker, and its learned interval | each receiver's | each machine's, with the intervals of telephones |
/// | the position of the session | that of `BestReceiver` | that of `NewestSubject` |
/// | the change of a subject's state | the session's | the machine's |
/// | fences | those of the session | those of each machine |
package struct SubjectTable: Sendable {
    /// The number of trackers beyond which an event takes constant time on average: `deadline` may be earlier than the
    /// first of their deadlines, and an event of the whole session changes a receiver once until it reports again.
    private static let exactCount = 8

    private let staleAfter: Duration?
    /// The time after which positions are stale that the source names, if it is a track.
    private var trackStaleAfter: Duration?
    private var standing = StateHistory()
    private var trackers = PerDevice<LocationTracker>()
    private var deadlines = DeadlineHeap()
    /// The choice between the receivers of a machine, until the session names machines.
    private var best = BestReceiver()
    /// The choice between machines, once the session has named one.
    private var newest: NewestSubject?

    /// The list of the fences that the session watches, if any.
    private var fenceList: FenceList?
    private var fenceVersion = -1
    /// The monitors of the fences.
    package var fences: SubjectFences?

    /// Creates the table of a session that begins now; see ``LocationTracker``.
    package init(staleAfter: Duration? = nil, fences: FenceList? = nil) {
        self.staleAfter = staleAfter
        fenceList = fences
        self.fences = fences.map { SubjectFences($0.monitor) }
        fenceList?.apply(to: &self.fences, since: &fenceVersion)
    }

    // MARK: Subjects

    /// Whether the session is about a fleet: machines with names, each with a position of its own.
    var isFleet: Bool { newest != nil }

    /// Notes the subject of an update; the first name makes the session one of a fleet.
    mutating func note(_ subject: String?) {
        if subject != nil, newest == nil { newest = NewestSubject(of: trackers) }
    }

    /// Returns the subject of the positions of a device.
    func subject(of device: String?) -> String? { isFleet ? device : nil }

    /// Returns the change of a subject's state that an update is, if any, with the name of the subject.
    func change(by update: TrackedUpdate) -> (subject: String?, change: StateChange)? {
        switch update {
        case .transition(let change): isFleet ? nil : (nil, change)
        case .deviceTransition(let change): isFleet ? (change.device, change) : nil
        case .update, .handover, .fence, .integrity, .failureEnded: nil
        }
    }

    // MARK: States

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
    /// The moment at which the first position becomes stale.
    private var staleDeadline: Moment?

    /// Processes an event about a subject and returns the resulting changes; the positions that became stale before it are
    /// lost first.
    package mutating func apply(
        _ event: LocationEvent, at moment: Moment, of subject: String? = nil, isSuitable: Bool = true
    ) -> [TrackedUpdate] {
        if case .staleAfter(let time) = event.notice { trackStaleAfter = trackStaleAfter ?? time }
        note(subject)
        var changes: [TrackedUpdate] = []
        expirePositions(at: moment, &changes)
        switch event {
        case .location, .searching(_, _?), .device: track(event, of: subject, at: moment, isSuitable, &changes)
        case .searching(let reason, nil): track(event, ofAll: .searching(reason), at: moment, &changes)
        case .failure(let error, _): track(event, ofAll: .error(error), at: moment, &changes)
        case .satellites, .attitude, .receiver, .clock, .authorization, .line, .notice, .other: break
        }
        return changes
    }

    /// Expires the positions and the stays in fences whose deadline has passed, each as of its deadline, and returns the changes.
    package mutating func expire(at moment: Moment) -> [TrackedUpdate] {
        var changes: [TrackedUpdate] = []
        expirePositions(at: moment, &changes)
        expireFences(at: moment, &changes)
        updateDeadline()
        return changes
    }

    private mutating func expirePositions(at moment: Moment, _ changes: inout [TrackedUpdate]) {
        // Also the entries before the exact deadline of a few trackers, so that none is left in the past.
        guard let first = deadlines.first, first <= moment else { return }
        while let (place, due) = deadlines.pop(until: moment, deadline: { trackers[place: $0].deadline }) {
            guard let transition = trackers[place: place].expire(at: due) else { continue }
            append(.deviceTransition(transition.of(trackers.device(at: place))), &changes)
            choose(after: place, at: due, &changes)
        }
        updateDeadline()
    }

    /// Returns the standing of a position of a subject that was applied last.
    func standing(of location: Location, _ subject: String?) -> TrackedUpdate.Standing {
        let isOther = !isFleet && best.current.map { trackers.device(at: $0) != location.device } ?? false
        if location.isLate { return isOther ? .other : .late }
        guard case .found? = state(of: isFleet ? subject : location.device) else { return .outdated }
        if isOther { return .other }
        return location.fix >= .twoD ? .current : .outdated
    }

    /// Processes an event of one receiver, or of a machine with a name.
    private mutating func track(
        _ event: LocationEvent, of subject: String?, at moment: Moment, _ isSuitable: Bool,
        _ changes: inout [TrackedUpdate]
    ) {
        let place: Int
        if isFleet {
            place = trackers.place(of: subject, default: LocationTracker(staleAfter: staleAfter, interval: .remote))
        } else {
            place = trackers.place(
                of: event.device, default: LocationTracker(staleAfter: staleAfter ?? trackStaleAfter))
            best.noteReport(event, of: place)
        }
        apply(event, to: place, at: moment, isSuitable: isSuitable, &changes)
        let isPosition = event.location.map { isSuitable && !$0.isLate && $0.fix >= .twoD } ?? false
        choose(after: place, isNewPosition: isPosition, at: moment, &changes)
        updateDeadline()
    }

    /// Processes an event of the whole session, which also concerns each receiver.
    private mutating func track(
        _ event: LocationEvent, ofAll state: LocationState, at moment: Moment, _ changes: inout [TrackedUpdate]
    ) {
        if isFleet { return move(to: state, at: moment, device: nil, &changes) }
        for place in best.interrupt(with: state, onlyReported: trackers.count > Self.exactCount) {
            apply(event, to: place, at: moment, &changes)
            best.note(trackers[place: place].state, of: place)
        }
        choose(after: nil, at: moment, &changes)
        updateDeadline()
    }

    private mutating func apply(
        _ event: LocationEvent, to place: Int, at moment: Moment, isSuitable: Bool = true,
        _ changes: inout [TrackedUpdate]
    ) {
        for transition in trackers[place: place].apply(event, at: moment, isSuitable: isSuitable) {
            append(.deviceTransition(transition.of(trackers.device(at: place))), &changes)
        }
        deadlines.set(trackers[place: place].deadline, of: place)
    }

    /// Chooses the position of the session after a change of the tracker at a place, or of all receivers.
    private mutating func choose(
        after place: Int?, isNewPosition: Bool = false, at moment: Moment, _ changes: inout [TrackedUpdate]
    ) {
        let device = place.flatMap { trackers.device(at: $0) }
        if isFleet, let place {
            let shown = newest?.choose(after: place, isNewPosition: isNewPosition, of: trackers, in: standing.state)
            if let shown { move(to: shown, at: moment, device: device, &changes) }
        } else if let (shown, handover) = best.choose(after: place, of: trackers, at: moment) {
            move(to: shown, at: moment, device: device, &changes)
            if let handover { changes.append(.handover(handover)) }
        }
    }

    private mutating func move(
        to state: LocationState, at moment: Moment, device: String?, _ changes: inout [TrackedUpdate]
    ) {
        if let transition = standing.move(to: state, at: moment, device: device) {
            append(.transition(transition), &changes)
        }
    }

    /// Appends a change of state; the clocks of the stays of a subject stop with the loss of its position.
    private mutating func append(_ change: TrackedUpdate, _ changes: inout [TrackedUpdate]) {
        changes.append(change)
        guard fenceList != nil, let (subject, change) = self.change(by: change), change.from.location != nil,
            change.to.location == nil
        else { return }
        let events = fences?.pause(subject, at: change.moment) ?? []
        append(events, &changes)
    }

    private mutating func updateDeadline() {
        staleDeadline = trackers.count > Self.exactCount ? deadlines.first : earliestDeadline()
        updateDeadlineOfFences()
    }

    private mutating func updateDeadlineOfFences() {
        deadline = staleDeadline
        if fenceList != nil { deadline.shorten(to: fences?.deadline) }
    }

    private func earliestDeadline() -> Moment? {
        // A closure would copy all trackers.
        var earliest: Moment?
        for place in 0..<trackers.count {
            earliest.shorten(to: trackers[place: place].deadline)
        }
        return earliest
    }

    // MARK: Fences

    /// Whether the session watches fences, of which there may be none at present.
    var watchesFences: Bool { fenceList != nil }

    /// Watches no fences any longer.
    mutating func forgetFences() {
        (fenceList, fences) = (nil, nil)
        updateDeadline()
    }

    /// Processes a position that shows where its subject is, and returns the events at fences.
    ///
    /// - Parameter isDoubted: Whether the position is not to be believed, so that it says nothing about a fence, like one that is too
    ///   inaccurate.
    mutating func watch(
        _ location: Location, of subject: String?, at moment: Moment, isDoubted: Bool
    ) -> [TrackedUpdate] {
        // The fences themselves would be copied for the comparison.
        guard let fenceList else { return [] }
        var changes: [TrackedUpdate] = []
        fenceList.apply(to: &fences, since: &fenceVersion)
        let events =
            isDoubted
            ? fences?.pause(subject, at: moment) : fences?.update(location, at: moment, of: subject)
        if let events { append(events, &changes) }
        if !isDoubted, fences?.hasCorrectedAnchor == true, let fences { fenceList.noteAnchors(of: subject, by: fences) }
        updateDeadlineOfFences()
        return changes
    }

    private mutating func expireFences(at moment: Moment, _ changes: inout [TrackedUpdate]) {
        guard let fenceList else { return }
        fenceList.apply(to: &fences, since: &fenceVersion)
        let events = fences?.expire(at: moment) ?? []
        append(events, &changes)
    }

    /// Appends events of fences, which the list of the fences remembers.
    ///
    /// Events that are made by an argument of the call would be noted with the fences as they were before it.
    private func append(_ events: [FenceEvent], _ changes: inout [TrackedUpdate]) {
        for event in events {
            fenceList?.note(event, by: fences)
            changes.append(.fence(event))
        }
    }
}

extension StateChange {
    fileprivate func of(_ device: String?) -> StateChange {
        var copy = self
        copy.device = device
        return copy
    }
}
