import LocwatchSupport

/// The interpretation of one session: its states, the standing of each position, its fences and its failures.
///
/// All of this is decided here, for a task (`TrackedUpdates`) as well as for a poll loop. The owner passes input in with
/// `process`, `expire` and `fail`, and after each of them takes the results with `next` until there are none.
/// `view` is the session after the last input.
package struct UpdateTracker {
    package private(set) var view: SessionView
    private var filters: SessionFilters
    /// The positions that the user wants to see; it affects neither states nor fences.
    private var selection: LocationFilter
    /// Whether the request limits the age of positions.
    private var limitsAge: Bool
    /// Whether each device is a subject of its own.
    private let namesSubjects: Bool
    private var fenceList: FenceList?
    private var fenceVersion = -1

    /// The results that the owner has not taken yet.
    private var results = ReusedQueue<TrackedUpdate>()

    /// Creates the tracker of a session that begins now.
    ///
    /// Positions that `selection` does not admit are withheld; by default a one-shot waits for any that it admits.
    package init(
        namesSubjects: Bool = false, filters: SessionFilters = SessionFilters([]),
        selection: LocationRequest = .everything, goal: LocationRequest? = nil, fences: FenceList? = nil,
        staleAfter: Duration? = nil
    ) {
        self.filters = filters
        self.selection = LocationFilter(selection)
        self.namesSubjects = namesSubjects
        let goal = goal ?? selection
        limitsAge = goal.maxAge != nil
        fenceList = fences
        view = SessionView(
            SubjectTrackers(staleAfter: staleAfter), search: PositionSearch(goal),
            fences: fences.map { SubjectFences($0.monitor) })
        fenceList?.apply(to: &view.fences, since: &fenceVersion)
    }

    /// Creates the tracker of a request for one position that joins a session now, whose tracker it copies.
    ///
    /// The positions that are current answer it at once, if one of them is good enough; its age counts now.
    package init(
        joining session: UpdateTracker, filters: SessionFilters, goal: LocationRequest, at moment: Moment
    ) {
        self = session
        self.filters = filters
        selection = LocationFilter(.everything)
        limitsAge = goal.maxAge != nil
        (fenceList, view.fences) = (nil, nil)
        expire(at: moment)
        results = ReusedQueue()
        view.search(for: goal)
        for var location in view.freshPositions(at: moment) {
            location.received = moment.wall
            view.search.process(location, .current, of: view.hasNames ? location.device : nil)
            guard view.isSatisfied else { continue }
            results.append(.update(LocationUpdate(.location(location), at: moment), .current))
            break
        }
        updateDeadline()
    }

    /// Replaces the request, whose filter is the first one, from the next position on.
    package mutating func change(_ request: LocationRequest) {
        filters.replaceFirst(by: LocationFilter(request))
        limitsAge = request.maxAge != nil
    }

    /// The moment at which `expire` must be called if nothing arrives before.
    ///
    /// It is stored, because it is asked for more often than it changes, and a computed one copies the view.
    package private(set) var deadline: Moment?

    /// Processes an update of the provider.
    package mutating func process(_ update: consuming LocationUpdate) {
        guard filters.concern(update.event) else { return }
        if namesSubjects { update.subject = update.event.device }
        interpret(update)
        updateDeadline()
    }

    private mutating func updateDeadline() {
        deadline = view.trackers.deadline
        guard fenceList != nil, let fences = view.fences?.deadline else { return }
        deadline = min(fences, deadline ?? fences)
    }

    /// Processes an update of the provider and returns all results.
    package mutating func results(of update: consuming LocationUpdate) -> [TrackedUpdate] {
        process(update)
        return takeResults()
    }

    /// Returns all results that have not been taken.
    package mutating func takeResults() -> [TrackedUpdate] {
        var taken: [TrackedUpdate] = []
        while let next = next() { taken.append(next) }
        return taken
    }

    /// Returns the answer to a request for one position that is among the results, all of which are taken.
    package mutating func nextAnswer() -> Result<Location, LocationError>? {
        var answer: Result<Location, LocationError>?
        while let next = next() { answer = answer ?? view.answer(by: next) }
        return answer
    }

    /// Applies all deadlines until a moment before which no update arrived, each as of its own moment, the earliest first.
    package mutating func expire(at moment: Moment) {
        while let due = deadline, due <= moment {
            note(view.trackers.expire(at: due))
            expireFences(at: due)
            updateDeadline()
        }
    }

    /// Processes the error that ends the session.
    package mutating func fail(_ error: LocationError, at moment: Moment) {
        expire(at: moment)
        note(view.trackers.apply(.failure(error), at: moment))
        updateDeadline()
    }

    /// Ends the session: no position is current any longer, and an error stays.
    package mutating func end() { view.end() }

    /// Notes the distance in metres that the session has covered up to the result that was taken last.
    package mutating func note(distance: Double?) { view.distance = distance }

    /// Returns the next event or change, each change before the event that caused it, or `nil` if there is none yet.
    package mutating func next() -> TrackedUpdate? { results.popFirst() }

    private mutating func interpret(_ update: consuming LocationUpdate) {
        expire(at: update.moment)
        if update.subject != nil { view.hasNames = true }
        if let ended = view.endFailure(by: update) { results.append(.failureEnded(ended, at: update.moment)) }
        if case .location(let location) = update.event { return interpret(location, update) }
        note(view.trackers.apply(update.event, at: update.moment, of: update.subject))
        view.followSearch()
        record(update)
        var standing = TrackedUpdate.Standing.current
        if case .failure(let error, _) = update.event, !view.noteFailure(error, at: update.moment) {
            standing = .repeated
        }
        results.append(.update(update, standing))
    }

    private mutating func interpret(_ location: Location, _ update: consuming LocationUpdate) {
        let isSuitable = filters.areMet(by: location, of: update)
        if isSuitable, isOutdated(location, of: update.subject) { return process(outdated: location, update) }
        note(view.trackers.apply(update.event, at: update.moment, of: update.subject, isSuitable: isSuitable))
        record(update)
        var standing = isSuitable ? view.trackers.standing(of: location, update.subject) : .withheld
        if standing.isShown, !filters.admit(update) { standing = .withheld }
        if standing == .current {
            view.moveToState()
            watch(location, of: update.subject, at: update.moment)
        }
        if standing.isShown, !selection.admits(update) { standing = .withheld }
        append(location, update, standing)
    }

    /// Appends a position with the interval and the stillness of its receiver, as they are known with this report.
    private mutating func append(
        _ location: Location, _ update: consuming LocationUpdate, _ standing: TrackedUpdate.Standing
    ) {
        view.search.process(location, standing, of: update.subject)
        update.reportInterval = view.trackers.reportInterval(of: location.device)
        update.isStationary = view.integrity.isStationary(location.device)
        results.append(.update(consume update, standing))
    }

    /// Returns whether a position of a machine with a name is too old to show where that is, unless the session limits the age.
    ///
    /// A machine sends what it could not send earlier, and the age of younger positions can be due to its clock.
    private func isOutdated(_ location: Location, of subject: String?) -> Bool {
        guard subject != nil, !limitsAge, !location.isLate, let age = location.ageWhenReceived else { return false }
        return age > PositionSearch.remoteAge && !filters.limitsAge
    }

    /// Processes a position that changes no state, like one that a broker has kept.
    private mutating func process(outdated location: Location, _ update: LocationUpdate) {
        record(update)
        let isAdmitted = filters.admit(update) && selection.admits(update)
        append(location, update, isAdmitted ? .late : .withheld)
    }

    /// Notes what an update reports of its receiver; a change of the receiver's judgement precedes the update.
    private mutating func record(_ update: LocationUpdate) {
        if let change = view.process(update) { results.append(.integrity(change)) }
    }

    /// Appends changes to the results and applies those of the session to the view.
    private mutating func note(_ changes: [TrackedUpdate]) {
        guard !changes.isEmpty else { return }
        var movesState = false
        for change in changes {
            results.append(change)
            if let (subject, change) = view.subjectChange(of: change) { pauseFences(change, of: subject) }
            switch change {
            case .transition, .handover: movesState = true
            // The session then shows another machine without a transition.
            case .deviceTransition(let transition):
                if transition.to.location == nil, transition.device == view.location?.device { movesState = true }
            case .update, .fence, .integrity, .failureEnded: break
            }
        }
        if movesState { view.moveToState() }
    }

    // MARK: Fences

    private mutating func watch(_ location: Location, of subject: String?, at moment: Moment) {
        // The fences themselves would be copied for the comparison.
        guard let fenceList else { return }
        fenceList.apply(to: &view.fences, since: &fenceVersion)
        guard !view.integrity.isDoubted(location.device) else {
            // It says nothing about a fence, like a position that is too inaccurate.
            return append(view.fences?.pause(subject, at: moment) ?? [])
        }
        append(view.fences?.update(location, at: moment, of: subject) ?? [])
        if let fences = view.fences, fences.hasCorrectedAnchor { fenceList.noteAnchors(of: subject, by: fences) }
    }

    /// Appends events of fences, which the list of the fences remembers.
    private mutating func append(_ events: [FenceEvent]) {
        for event in events {
            fenceList?.note(event, by: view.fences)
            results.append(.fence(event))
        }
    }

    /// Stops the clocks of the stays if a change of state is the loss of the position.
    private mutating func pauseFences(_ change: StateChange, of subject: String?) {
        guard fenceList != nil, change.from.location != nil, change.to.location == nil else { return }
        append(view.fences?.pause(subject, at: change.moment) ?? [])
    }

    private mutating func expireFences(at moment: Moment) {
        guard let fenceList else { return }
        fenceList.apply(to: &view.fences, since: &fenceVersion)
        append(view.fences?.expire(at: moment) ?? [])
    }
}
