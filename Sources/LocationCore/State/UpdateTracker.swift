/// The interpretation of one session: its states, the standing of each position, its fences and its failures.
///
/// All of this is decided here, for a task (`TrackedUpdates`) as well as for a poll loop. The owner passes input in with
/// `process`, `expire`, `fail` and `finish`, and after each of them takes the results with `next` until there are none.
/// `view` is always the session as of the result that was taken last.
package struct UpdateTracker {
    /// What the session amounts to so far.
    package private(set) var view: SessionView
    private var filters: SessionFilters
    /// The positions that the user wants to see; it affects neither states nor fences.
    private var selection: LocationFilter
    private var settler: EpochSettler?
    /// The settler of the positions that fences and hooks get, if those of the session are not settled.
    private var sideSettler: EpochSettler?
    private let settlesAside: Bool
    private let fenceList: FenceList?
    private var fenceVersion = -1
    private var hasBegun = false

    /// What was passed in and is not interpreted yet.
    private var inputs = ReusedQueue<LocationUpdate>()
    private var passed: Moment?
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
    ///   - staleAfter: See `LocationTracker.init(staleAfter:)`.
    package init(
        _ updates: LocationUpdates, filters: SessionFilters? = nil, selection: LocationRequest = .everything,
        goal: LocationRequest? = nil, fences: SessionFences? = nil, settlesAside: Bool = false,
        staleAfter: Duration? = nil
    ) {
        self.init(
            isFleet: updates.isFleet, isSettled: updates.isSettled, filters: filters ?? SessionFilters(updates.filters),
            selection: selection, goal: goal, fences: fences, settlesAside: settlesAside, staleAfter: staleAfter)
    }

    /// Creates the tracker of a session that begins now; see `init(_:)`.
    package init(
        isFleet: Bool = false, isSettled: Bool = false, filters: SessionFilters = SessionFilters([]),
        selection: LocationRequest = .everything, goal: LocationRequest? = nil, fences: SessionFences? = nil,
        settlesAside: Bool = false, staleAfter: Duration? = nil
    ) {
        self.filters = filters
        self.selection = LocationFilter(selection)
        // The devices of a fleet report each position in one message.
        settler = isSettled && !isFleet ? EpochSettler() : nil
        self.settlesAside = (settlesAside || fences != nil) && !isSettled && !isFleet
        sideSettler = self.settlesAside ? EpochSettler() : nil
        fenceList = fences?.list
        view = SessionView(
            DeviceTrackers(staleAfter: staleAfter, isFleet: isFleet), isFleet: isFleet,
            search: PositionSearch(goal ?? selection),
            fences: fences.map { DeviceFences($0.monitor, isFleet: isFleet) })
    }

    /// The moment at which `expire` must be called if nothing arrives before.
    package var deadline: Moment? {
        var first = view.trackers.deadline
        if let due = settler?.deadline { first = first.map { min($0, due) } ?? due }
        if let due = sideSettler?.deadline { first = first.map { min($0, due) } ?? due }
        if let due = view.fences?.deadline { first = first.map { min($0, due) } ?? due }
        return first
    }

    /// Processes an update of the provider.
    package mutating func process(_ update: LocationUpdate) {
        hasBegun = true
        guard filters.concern(update.event) else { return }
        if settler == nil { inputs.append(update) } else { settler?.process(update) { inputs.append($0) } }
    }

    /// Processes an update of the provider and returns all results.
    package mutating func results(of update: LocationUpdate) -> [TrackedUpdate] {
        process(update)
        var taken: [TrackedUpdate] = []
        while let next = next() { taken.append(next) }
        return taken
    }

    /// Processes a deadline before which no update arrived, or the end of the source.
    ///
    /// - Parameter isEnd: Whether nothing follows, so that a position that is held back is emitted.
    package mutating func expire(at moment: Moment, isEnd: Bool = false) {
        if isEnd {
            settler?.finish(at: moment) { inputs.append($0) }
        } else {
            settler?.expire(at: moment) { inputs.append($0) }
        }
        passed = moment
    }

    /// Processes the error that ends the session.
    package mutating func fail(_ error: LocationError, at moment: Moment) {
        settler?.finish(at: moment) { inputs.append($0) }
        // A file that turns out not to be a recording was never a session, so its state does not change.
        if hasBegun || !error.concernsFile { fatal = (error, moment) }
    }

    /// Returns the next event or change, each change before the event that caused it, or `nil` if there is none yet.
    package mutating func next() -> TrackedUpdate? {
        while true {
            if let result = results.popFirst() { return result }
            if let input = inputs.popFirst() {
                interpret(input)
            } else if let moment = passed.take() {
                note(view.trackers.expire(at: moment))
                expireFences(at: moment)
            } else if let (error, moment) = fatal.take() {
                note(view.trackers.apply(.failure(error), at: moment))
            } else {
                return nil
            }
        }
    }

    private mutating func interpret(_ update: LocationUpdate) {
        if let ended = view.endFailure(by: update) { results.append(.failureEnded(ended)) }
        if let due = view.fences?.deadline, due <= update.moment { expireFences(at: update.moment) }
        if case .location(let location) = update.event { return interpret(location, update) }
        // A position that is held back precedes what follows it.
        settleAside { $0.process(update, emit: $1) }
        note(view.trackers.apply(update.event, at: update.moment))
        view.followSearch()
        view.process(update)
        var standing = TrackedUpdate.Standing.current
        if case .failure(let error, _) = update.event, !view.noteFailure(error, at: update.moment) {
            standing = .repeated
        }
        results.append(.update(update, standing))
    }

    private mutating func interpret(_ location: Location, _ update: LocationUpdate) {
        let isSuitable = filters.areMet(by: location)
        note(view.trackers.apply(update.event, at: update.moment, isSuitable: isSuitable))
        view.process(update)
        var standing = isSuitable ? view.trackers.standing(of: location) : .withheld
        if standing.isShown, !filters.admit(update) { standing = .withheld }
        if standing == .current { view.moveToState() }
        if settlesAside {
            settleAside { $0.process(update, emit: $1) }
        } else if standing == .current {
            watch(location, at: update.moment)
        }
        if standing.isShown, !selection.admits(update) { standing = .withheld }
        view.search.process(location, standing)
        results.append(.update(update, standing))
    }

    /// Appends changes to the results and applies them to the view.
    private mutating func note(_ changes: [TrackedUpdate]) {
        guard !changes.isEmpty else { return }
        for change in changes { results.append(change) }
        view.moveToState()
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

    private mutating func expireFences(at moment: Moment) {
        settleAside { $0.expire(at: moment, emit: $1) }
        fenceList?.apply(to: &view.fences, since: &fenceVersion)
        for event in view.fences?.expire(at: moment) ?? [] { results.append(.fence(event)) }
    }
}

/// The fences of a session.
package struct SessionFences: Sendable {
    /// The monitor with which each device begins.
    package var monitor: FenceMonitor
    /// The fences to add to those of the monitor, which can change during the session.
    package var list: FenceList?

    /// Creates the fences of a session.
    package init(_ monitor: FenceMonitor, list: FenceList? = nil) {
        self.monitor = monitor
        self.list = list
    }
}

/// A first-in, first-out queue that keeps its memory.
struct ReusedQueue<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var first = 0

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard first < elements.count else { return nil }
        let element = elements[first]
        first += 1
        if first == elements.count {
            elements.removeAll(keepingCapacity: true)
            first = 0
        }
        return element
    }
}

extension LocationError {
    /// Whether a file or a stream cannot be read as a session.
    fileprivate var concernsFile: Bool {
        switch self {
        case .unreadable, .notASession, .damaged, .programMissing, .other(code: Self.trackCode, _),
            .other(code: Self.untimedCode, _), .other(code: Self.libraryCode, _):
            true
        default: false
        }
    }
}
