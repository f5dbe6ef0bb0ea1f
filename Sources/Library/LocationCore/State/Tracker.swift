import LocwatchSupport

/// The interpretation of one session: its states, the standing of each position, its fences and its failures.
///
/// All of this is decided here, for a task (`TrackedUpdates`) as well as for a poll loop. The owner passes input in with
/// `apply`, `expire` and `fail`, and after each of them takes the results with `next` until there are none.
/// `view` is the session after the last input. `SubjectTable` decides what the subjects of the session make of an update, and
/// `SessionFilters` which positions it has and shows.
package struct Tracker {
    package private(set) var view: SessionView
    private var filters: SessionFilters

    /// Whether all filters have admitted the position of the last update.
    package private(set) var hasAdmitted = false

    /// The results that the owner has not taken yet.
    private var results = ReusedQueue<TrackedUpdate>()

    /// The moment at which `expire` must be called if nothing arrives before.
    ///
    /// It is stored, because it is asked for more often than it changes, and a computed one copies the view.
    package private(set) var deadline: Moment?

    /// Creates the tracker of a session that begins now.
    ///
    /// - Parameters:
    ///   - filters: The filters of the provider and of the request.
    ///   - selection: The positions that are shown.
    ///   - goal: The positions for which a one-shot waits; by default any that is shown.
    ///   - fences: The fences to watch, if any.
    ///   - staleAfter: The time after which a position is stale; by default three cycles.
    package init(
        filters: SessionFilters = SessionFilters(), selection: LocationRequest = .everything,
        goal: LocationRequest? = nil, fences: FenceList? = nil, staleAfter: Duration? = nil
    ) {
        self.filters = filters
        self.filters.select(selection)
        view = SessionView(
            SubjectTable(staleAfter: staleAfter, fences: fences), search: PositionSearch(goal ?? selection))
    }

    /// Creates the tracker of a request for one position that joins a session now, whose tracker it copies.
    ///
    /// The positions that are current answer it at once, if one of them is good enough; its age counts now.
    package init(joining session: Tracker, filters: SessionFilters, goal: LocationRequest, at moment: Moment) {
        self = session
        self.filters = filters
        view.subjects.forgetFences()
        expire(at: moment)
        results = ReusedQueue()
        view.search(for: goal)
        for var location in view.freshPositions(at: moment) {
            location.received = moment.wall
            view.search.process(location, .current, of: view.subjects.subject(of: location.device))
            guard view.isSatisfied else { continue }
            results.append(.update(LocationUpdate(.location(location), at: moment), .current))
            break
        }
        deadline = view.subjects.deadline
    }

    /// Replaces the request from the next position on.
    package mutating func change(_ request: LocationRequest) { filters.change(to: request) }

    /// Applies an update of the provider.
    package mutating func apply(_ update: consuming LocationUpdate) {
        hasAdmitted = false
        guard filters.concern(update.event) else { return }
        interpret(consume update)
        deadline = view.subjects.deadline
    }

    /// Applies an update of the provider and returns all results.
    package mutating func results(of update: consuming LocationUpdate) -> [TrackedUpdate] {
        apply(update)
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
            note(view.subjects.expire(at: due))
            deadline = view.subjects.deadline
        }
    }

    /// Applies the error that ends the session.
    package mutating func fail(_ error: LocationError, at moment: Moment) {
        expire(at: moment)
        note(view.subjects.apply(.failure(error), at: moment))
        deadline = view.subjects.deadline
    }

    /// Ends the session: no position is current any longer, and an error stays.
    package mutating func end() { view.end() }

    /// Notes the distance in metres that the session has covered up to the result that was taken last.
    package mutating func note(distance: Double?) { view.distance = distance }

    /// Returns the next event or change, each change before the event that caused it, or `nil` if there is none yet.
    package mutating func next() -> TrackedUpdate? { results.popFirst() }

    /// Whether `next` has something to return.
    ///
    /// It changes nothing, but a getter that does not mutate copies the tracker, which took 170 instructions an update.
    package var hasResults: Bool { mutating get { results.count > 0 } }

    private mutating func interpret(_ update: consuming LocationUpdate) {
        expire(at: update.moment)
        view.subjects.note(update.subject)
        if let ended = view.endFailure(by: update) { results.append(.failureEnded(ended, at: update.moment)) }
        if case .location(let location) = update.event { return interpret(location, consume update) }
        note(view.subjects.apply(update.event, at: update.moment, of: update.subject))
        view.followSearch()
        record(update)
        var standing = TrackedUpdate.Standing.current
        if case .failure(let error, _) = update.event, !view.noteFailure(error, at: update.moment) {
            standing = .repeated
        }
        results.append(.update(consume update, standing))
    }

    private mutating func interpret(_ location: Location, _ update: consuming LocationUpdate) {
        let isSuitable = filters.areMet(by: location, of: update)
        if isSuitable, isOutdated(location, of: update.subject) {
            return apply(outdated: location, consume update)
        }
        note(view.subjects.apply(update.event, at: update.moment, of: update.subject, isSuitable: isSuitable))
        record(update)
        var standing = isSuitable ? view.subjects.standing(of: location, update.subject) : .withheld
        if standing.isShown {
            let admission = filters.admit(update)
            if standing == .current, admission != .withheld {
                view.moveToState()
                watchFences(location, of: update.subject, at: update.moment)
            }
            hasAdmitted = admission == .admitted
            if !hasAdmitted { standing = .withheld }
        }
        append(location, consume update, standing)
    }

    /// Appends a position with the interval and the stillness of its receiver, as they are known with this report.
    private mutating func append(
        _ location: Location, _ update: consuming LocationUpdate, _ standing: TrackedUpdate.Standing
    ) {
        view.search.process(location, standing, of: update.subject)
        update.reportInterval = view.subjects.reportInterval(of: location.device)
        update.isStationary = view.integrity.isStationary(location.device)
        results.append(.update(consume update, standing))
    }

    /// Returns whether a position of a machine with a name is too old to show where that is, unless the session limits the age.
    ///
    /// A machine sends what it could not send earlier, and the age of younger positions can be due to its clock.
    private func isOutdated(_ location: Location, of subject: String?) -> Bool {
        guard subject != nil, !location.isLate, let age = location.ageWhenReceived else { return false }
        return age > PositionSearch.remoteAge && !filters.limitsAge
    }

    /// Applies a position that changes no state, like one that a broker has kept.
    private mutating func apply(outdated location: Location, _ update: consuming LocationUpdate) {
        record(update)
        hasAdmitted = filters.admit(update) == .admitted
        append(location, consume update, hasAdmitted ? .late : .withheld)
    }

    /// Notes what an update reports of its receiver; a change of the receiver's judgement precedes the update.
    private mutating func record(_ update: LocationUpdate) {
        if let change = view.process(update) { results.append(.integrity(change)) }
    }

    private mutating func watchFences(_ location: Location, of subject: String?, at moment: Moment) {
        guard view.subjects.watchesFences else { return }
        let isDoubted = view.integrity.isDoubted(location.device)
        note(view.subjects.watch(location, of: subject, at: moment, isDoubted: isDoubted))
    }

    /// Appends changes to the results and applies those of the session to the view.
    private mutating func note(_ changes: [TrackedUpdate]) {
        guard !changes.isEmpty else { return }
        var movesState = false
        for change in changes {
            results.append(change)
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
}
