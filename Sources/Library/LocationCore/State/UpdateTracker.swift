/// The interpretation of one session: its states, the standing of each position, its fences and its failures.
///
/// All of this is decided here, for a task (`TrackedUpdates`) as well as for a poll loop. The owner passes input in with
/// `process`, `expire`, `finish` and `fail`, and after each of them takes the results with `next` until there are none.
/// `view` is then the session after the input of the result that was taken last.
package struct UpdateTracker {
    /// The results of the session so far.
    package private(set) var view: SessionView
    private var filters: SessionFilters
    /// The positions that the user wants to see; it affects neither states nor fences.
    private var selection: LocationFilter
    private var settler: EpochSettler?
    /// The settler of the positions that fences and hooks get, if those of the session are not settled.
    private var sideSettler: EpochSettler?
    private let settlesAside: Bool
    /// The age of a position of a fleet from which on it does not show where its device is, unless the session limits the age.
    ///
    /// A device sends what it could not send earlier, and the positions of younger ones can be due to its clock.
    private let outdatedAge: Duration?
    private let fenceList: FenceList?
    private var fenceVersion = -1

    /// The input that is not interpreted yet.
    private var inputs = ReusedQueue<LocationUpdate>()
    private var passed: (moment: Moment, isEnd: Bool)?
    private var fatal: (error: LocationError, moment: Moment)?
    private var results = ReusedQueue<TrackedUpdate>()

    /// Creates the tracker of a session of `updates` that begins now.
    ///
    /// - Parameters:
    ///   - updates: The events of the session.
    ///   - filters: The filters to use instead of those of `updates`.
    ///   - selection: The positions that the user wants to see; the others are withheld.
    ///   - goal: The position that a one-shot waits for; by default any that `selection` admits.
    ///   - fences: The fences of the session, if any.
    ///   - settlesAside: Whether settled positions are emitted in addition to each report of an epoch.
    ///   - staleAfter: The time after which a position is stale; by default three cycles.
    package init(
        _ updates: LocationUpdates, filters: SessionFilters? = nil, selection: LocationRequest = .everything,
        goal: LocationRequest? = nil, fences: FenceList? = nil, settlesAside: Bool = false,
        staleAfter: Duration? = nil
    ) {
        self.init(
            isFleet: updates.isFleet, isSettled: updates.isSettled, filters: filters ?? SessionFilters(updates.filters),
            selection: selection, goal: goal, fences: fences, settlesAside: settlesAside, staleAfter: staleAfter)
    }

    /// Creates the tracker of a session that begins now; see `init(_:)`.
    package init(
        isFleet: Bool = false, isSettled: Bool = false, filters: SessionFilters = SessionFilters([]),
        selection: LocationRequest = .everything, goal: LocationRequest? = nil, fences: FenceList? = nil,
        settlesAside: Bool = false, staleAfter: Duration? = nil
    ) {
        self.filters = filters
        self.selection = LocationFilter(selection)
        // The devices of a fleet report each position in one message.
        settler = isSettled && !isFleet ? EpochSettler() : nil
        self.settlesAside = (settlesAside || fences != nil) && !isSettled && !isFleet
        sideSettler = self.settlesAside ? EpochSettler() : nil
        let goal = goal ?? selection
        outdatedAge = isFleet && goal.maxAge == nil ? PositionSearch.fleetAge : nil
        fenceList = fences
        view = SessionView(
            DeviceTrackers(staleAfter: staleAfter, isFleet: isFleet), isFleet: isFleet,
            search: PositionSearch(goal, isFleet: isFleet),
            fences: fences.map { DeviceFences($0.monitor, isFleet: isFleet) })
        fenceList?.apply(to: &view.fences, since: &fenceVersion)
    }

    /// The moment at which `expire` must be called if nothing arrives before.
    package var deadline: Moment? { Self.earlier(innerDeadline, settler?.deadline) }

    /// The first deadline of what interprets the updates.
    private var innerDeadline: Moment? {
        Self.earlier(view.trackers.deadline, Self.earlier(sideSettler?.deadline, view.fences?.deadline))
    }

    private static func earlier(_ first: Moment?, _ second: Moment?) -> Moment? {
        guard let first, let second else { return first ?? second }
        return min(first, second)
    }

    /// Processes an update of the provider.
    package mutating func process(_ update: LocationUpdate) {
        guard filters.concern(update.event) else { return }
        guard settler != nil else { return inputs.append(update) }
        settler?.process(update) { inputs.append($0) }
        // Time has passed even if the update is held back.
        passed = (update.moment, false)
    }

    /// Processes an update of the provider and returns all results.
    package mutating func results(of update: LocationUpdate) -> [TrackedUpdate] {
        process(update)
        var taken: [TrackedUpdate] = []
        while let next = next() { taken.append(next) }
        return taken
    }

    /// Processes a deadline before which no update arrived.
    package mutating func expire(at moment: Moment) {
        settler?.expire(at: moment) { inputs.append($0) }
        passed = (moment, false)
    }

    /// Processes the end of the source; a position that is held back is emitted.
    package mutating func finish(at moment: Moment) {
        settler?.finish(at: moment) { inputs.append($0) }
        passed = (moment, true)
    }

    /// Processes the error that ends the session; a position that is held back is emitted before.
    package mutating func fail(_ error: LocationError, at moment: Moment) {
        settler?.finish(at: moment) { inputs.append($0) }
        fatal = (error, moment)
    }

    /// Returns the next event or change, each change before the event that caused it, or `nil` if there is none yet.
    package mutating func next() -> TrackedUpdate? {
        while true {
            if let result = results.popFirst() { return result }
            if let input = inputs.popFirst() {
                interpret(input)
            } else if let (moment, isEnd) = passed.take() {
                expireAll(until: moment)
                if isEnd { settleAside { $0.finish(at: moment, emit: $1) } }
            } else if let (error, moment) = fatal.take() {
                expireAll(until: moment)
                settleAside { $0.finish(at: moment, emit: $1) }
                note(view.trackers.apply(.failure(error), at: moment))
            } else {
                return nil
            }
        }
    }

    private mutating func interpret(_ update: LocationUpdate) {
        expireAll(until: update.moment)
        if let ended = view.endFailure(by: update) { results.append(.failureEnded(ended, at: update.moment)) }
        if case .location(let location) = update.event { return interpret(location, update) }
        // A position that is held back precedes what follows it.
        settleAside { $0.process(update, emit: $1) }
        if case .notice(.staleAfter(let time)) = update.event {
            view.trackers.suppose(staleAfter: time)
        }
        note(view.trackers.apply(update.event, at: update.moment))
        view.followSearch()
        record(update)
        var standing = TrackedUpdate.Standing.current
        if case .failure(let error, _) = update.event, !view.noteFailure(error, at: update.moment) {
            standing = .repeated
        }
        results.append(.update(update, standing))
    }

    private mutating func interpret(_ location: Location, _ update: LocationUpdate) {
        let isSuitable = filters.areMet(by: location)
        guard !isSuitable || !isOutdated(location) else { return process(outdated: location, update) }
        note(view.trackers.apply(update.event, at: update.moment, isSuitable: isSuitable))
        record(update)
        var standing = isSuitable ? view.trackers.standing(of: location) : .withheld
        if standing.isShown, !filters.admit(update) { standing = .withheld }
        if standing == .current { view.moveToState() }
        if !settlesAside {
            if standing == .current { watch(location, at: update.moment) }
        } else if standing != .withheld {
            settleAside { $0.process(update, emit: $1) }
        }
        if standing.isShown, !selection.admits(update) { standing = .withheld }
        view.search.process(location, standing)
        results.append(.update(update, standing))
    }

    /// Returns whether a position of a fleet is too old to show where its device is.
    private func isOutdated(_ location: Location) -> Bool {
        guard let outdatedAge, !location.isLate, let age = location.ageWhenReceived else { return false }
        return age > outdatedAge && !filters.limitsAge
    }

    /// Processes a position that changes no state, like one that a broker has kept.
    private mutating func process(outdated location: Location, _ update: LocationUpdate) {
        record(update)
        let isAdmitted = filters.admit(update) && selection.admits(update)
        let standing: TrackedUpdate.Standing = isAdmitted ? .late : .withheld
        view.search.process(location, standing)
        results.append(.update(update, standing))
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
            switch change {
            case .transition(let transition):
                if !view.isFleet { pauseFences(transition) }
                movesState = true
            case .handover: movesState = true
            // A fleet then shows another device without a transition.
            case .deviceTransition(let transition):
                if view.isFleet { pauseFences(transition) }
                if transition.to.location == nil, transition.device == view.location?.device { movesState = true }
            case .update, .settled, .fence, .integrity, .failureEnded: break
            }
        }
        if movesState { view.moveToState() }
    }

    /// Applies all deadlines that have passed, each as of its own moment, the earliest first.
    private mutating func expireAll(until moment: Moment) {
        while let due = innerDeadline, due <= moment {
            // A position that is held back precedes its loss.
            settleAside { $0.expire(at: due, emit: $1) }
            note(view.trackers.expire(at: due))
            expireFences(at: due)
        }
    }

    // MARK: Fences

    /// Passes input to the settler of the fences, and the current positions that it settles to the fences.
    private mutating func settleAside(
        _ body: (inout EpochSettler, (LocationUpdate) -> Void) -> Void
    ) {
        guard var settler = sideSettler.take() else { return }
        var settled: [LocationUpdate] = []
        body(&settler) { if case .location = $0.event { settled.append($0) } }
        sideSettler = settler
        for update in settled {
            guard let location = update.location, view.trackers.standing(of: location) == .current else { continue }
            watch(location, at: update.moment)
            results.append(.settled(update))
        }
    }

    private mutating func watch(_ location: Location, at moment: Moment) {
        guard view.fences != nil else { return }
        fenceList?.apply(to: &view.fences, since: &fenceVersion)
        for event in view.fences?.update(location, at: moment) ?? [] { results.append(.fence(event)) }
    }

    /// Stops the clocks of the stays if a change of state is the loss of the position.
    private mutating func pauseFences(_ change: StateChange) {
        guard view.fences != nil, change.from.location != nil, change.to.location == nil else { return }
        for event in view.fences?.pause(change.device, at: change.moment) ?? [] { results.append(.fence(event)) }
    }

    private mutating func expireFences(at moment: Moment) {
        guard view.fences != nil else { return }
        fenceList?.apply(to: &view.fences, since: &fenceVersion)
        for event in view.fences?.expire(at: moment) ?? [] { results.append(.fence(event)) }
    }
}
