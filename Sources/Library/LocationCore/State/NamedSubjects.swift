import LocwatchSupport

/// The trackers of the machines that a session names, each of which processes its updates in constant time.
///
/// The machines are independent of each other. A loss of the connection concerns the session only: nothing is known of the
/// machines then, and their positions become stale on their own. Those with a position are linked in the order of their
/// reports, so that the session always shows the newest position.
struct NamedSubjects: Sendable {
    private struct Subject {
        var tracker: LocationTracker
        /// The neighbours in the list of the subjects with a position.
        var newer: Int32?
        var older: Int32?
        var isLinked = false
    }

    private let staleAfter: Duration?
    private var subjects = PerDevice<Subject>()
    private var deadlines = DeadlineHeap()
    private var standing: StandingState
    /// The subject with the newest position.
    private var newest: Int?

    /// Creates the trackers of a session that has named no machine so far, whose receivers become subjects.
    init(staleAfter: Duration?, after machine: ReceiverTrackers) {
        self.staleAfter = staleAfter
        standing = machine.standing
        for (device, tracker) in machine.receivers {
            let place = subjects.place(of: device, default: Subject(tracker: tracker))
            deadlines.set(tracker.deadline, of: place)
            if case .found = tracker.state { link(place) }
        }
    }

    var state: LocationState { standing.state }

    var states: [String?: LocationState] {
        Dictionary(uniqueKeysWithValues: zip(subjects.devices, subjects.values.map(\.tracker.state)))
    }

    var deadline: Moment? { deadlines.first }

    func state(of subject: String?) -> LocationState? { subjects[subject]?.tracker.state }

    func reports(of subject: String?) -> ReportInterval.Estimate? { subjects[subject]?.tracker.reports }

    /// Returns the standing of a position that was applied last.
    func standing(of location: Location, _ subject: String?) -> TrackedUpdate.Standing {
        if location.isLate { return .late }
        guard location.fix >= .twoD, case .found? = state(of: subject) else { return .outdated }
        return .current
    }

    mutating func apply(
        _ event: LocationEvent, at moment: Moment, of subject: String?, isSuitable: Bool
    ) -> [TrackedUpdate] {
        var changes = expire(at: moment)
        switch event {
        case .location, .searching(_, _?), .device: track(event, of: subject, at: moment, isSuitable, &changes)
        case .searching(let reason, nil): move(to: .searching(reason), at: moment, device: nil, &changes)
        case .failure(let error, _): move(to: .error(error), at: moment, device: nil, &changes)
        case .satellites, .receiver, .clock, .authorization, .line, .notice, .other: break
        }
        return changes
    }

    mutating func expire(at moment: Moment) -> [TrackedUpdate] {
        guard let first = deadlines.first, first <= moment else { return [] }
        var changes: [TrackedUpdate] = []
        while let (place, due) = deadlines.pop(until: moment, deadline: { subjects[place: $0].tracker.deadline }) {
            guard let transition = subjects[place: place].tracker.expire(at: due) else { continue }
            changes.append(.deviceTransition(transition.of(subjects.device(at: place))))
            settle(place, isNewPosition: false, at: due, &changes)
        }
        return changes
    }

    private mutating func track(
        _ event: LocationEvent, of subject: String?, at moment: Moment, _ isSuitable: Bool,
        _ changes: inout [TrackedUpdate]
    ) {
        let place = subjects.place(
            of: subject, default: Subject(tracker: LocationTracker(staleAfter: staleAfter, interval: .remote)))
        for transition in subjects[place: place].tracker.apply(event, at: moment, isSuitable: isSuitable) {
            changes.append(.deviceTransition(transition.of(subject)))
        }
        deadlines.set(subjects[place: place].tracker.deadline, of: place)
        let isNewPosition = event.location.map { isSuitable && !$0.isLate && $0.fix >= .twoD } ?? false
        settle(place, isNewPosition: isNewPosition, at: moment, &changes)
    }

    /// Updates the list of the subjects with a position, and the state of the session, after a change of a subject.
    private mutating func settle(
        _ place: Int, isNewPosition: Bool, at moment: Moment, _ changes: inout [TrackedUpdate]
    ) {
        let state = subjects[place: place].tracker.state
        let subject = subjects.device(at: place)
        if case .found = state {
            guard isNewPosition else { return }
            link(place)
            return move(to: state, at: moment, device: subject, &changes)
        }
        let wasShown = newest == place
        if subjects[place: place].isLinked { unlink(place) }
        // Before the first position, and while the connection is lost, a subject does not change the session's state.
        guard wasShown, case .found = standing.state else { return }
        let shown = newest.map { subjects[place: $0].tracker.state } ?? state
        move(to: shown, at: moment, device: subject, &changes)
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
        if subjects[place: place].isLinked { unlink(place) }
        subjects[place: place].isLinked = true
        subjects[place: place].older = newest.map(Int32.init)
        if let newest { subjects[place: newest].newer = Int32(place) }
        newest = place
    }

    private mutating func unlink(_ place: Int) {
        let (newer, older) = (subjects[place: place].newer, subjects[place: place].older)
        if let newer { subjects[place: Int(newer)].older = older } else { newest = older.map(Int.init) }
        if let older { subjects[place: Int(older)].newer = newer }
        subjects[place: place].newer = nil
        subjects[place: place].older = nil
        subjects[place: place].isLinked = false
    }
}
