/// The state of a search for the position.
public enum LocationState: Hashable, Sendable {
    /// There is no current position, for the given reason.
    indirect case searching(SearchReason)
    /// There is a current position.
    case found(Location)
    /// An error occurred.
    indirect case error(LocationError)

    /// The current position, if any.
    public var location: Location? {
        if case .found(let location) = self { location } else { nil }
    }

    /// A short, stable identifier of the state for programs, without its reason, which has a code of its own.
    public var code: String {
        switch self {
        case .searching: "searching"
        case .found: "found"
        case .error: "error"
        }
    }

    /// Returns whether a move from another state is a transition: a different state, or the same one with a different
    /// reason.
    package func differs(from other: LocationState) -> Bool {
        switch (self, other) {
        case (.searching(let reason), .searching(let otherReason)): reason.code != otherReason.code
        case (.found, .found): false
        case (.error(let error), .error(let otherError)): error != otherError
        case (.searching, _), (.found, _), (.error, _): true
        }
    }
}

/// A change of state.
public struct StateChange: Hashable, Sendable {
    /// The state that ended.
    public var from: LocationState
    /// The state that began.
    public var to: LocationState
    /// The moment of the change.
    public var moment: Moment
    /// The duration of the old state.
    public var lasted: Duration
    /// The receiver that caused the change, if any.
    public var device: String?
    /// The time for which the search had lasted before the old state, for other reasons; it is not compared.
    @IgnoredInEquality package var searchedBefore = Duration.zero

    /// Creates a change of state.
    public init(
        from: LocationState, to: LocationState, at moment: Moment, lasted: Duration, device: String? = nil
    ) {
        self.from = from
        self.to = to
        self.moment = moment
        self.lasted = lasted
        self.device = device
    }

    /// The duration of the whole search, whatever its reasons, if the old state was one.
    package var searched: Duration { searchedBefore + lasted }

    /// The reason for the change.
    public var reason: Reason {
        switch to {
        case .found: .fix
        case .searching(let reason): .search(reason)
        case .error(let error): .failure(error)
        }
    }

    /// The reason for a change of state.
    public enum Reason: Hashable, Sendable {
        /// A position arrived.
        case fix
        /// There is no current position, for the given reason.
        case search(SearchReason)
        /// An error occurred.
        case failure(LocationError)

        /// A short, stable identifier for programs.
        public var code: String {
            switch self {
            case .fix: "fix"
            case .search(let reason): reason.code
            case .failure(let error): error.code
            }
        }
    }
}

/// A state with the time at which it began, and the duration of the search before it.
struct StateHistory: Hashable, Sendable {
    private(set) var state = LocationState.searching(.starting)
    private var since = Duration.zero
    /// The time for which the search had lasted when the state began.
    private var searchedBefore = Duration.zero

    /// Moves to a state and returns the transition, or `nil` if the move is none.
    mutating func move(to new: LocationState, at moment: Moment, device: String?) -> StateChange? {
        // An error lasts until the source answers, so that a view does not flicker with each attempt to reach it again.
        if case .error = state, case .searching(.connecting) = new { return nil }
        guard new.differs(from: state) else {
            state = new
            return nil
        }
        let old = state
        state = new
        // A position whose epoch came in parts began to be current with the first of them.
        let beginning = max(since, (new.location.map { moment.arrival(of: $0) } ?? moment).elapsed)
        let lasted = beginning - since
        since = beginning
        var change = StateChange(from: old, to: new, at: moment, lasted: lasted, device: device)
        change.searchedBefore = searchedBefore
        let continues = old.location == nil && new.location == nil
        searchedBefore = continues ? change.searched : .zero
        return change
    }
}

extension Location {
    /// The longest delay of a position whose epoch comes in parts.
    package static let assemblyLimit = Duration.milliseconds(300)
}

extension Moment {
    /// Returns the moment at which a position arrived that was emitted now, because its epoch came in parts.
    package func arrival(of location: Location) -> Moment {
        let held = location.received.map { wall.since($0) } ?? .zero
        return held > .zero && held <= Location.assemblyLimit ? advanced(by: .zero - held) : self
    }
}

extension StateChange {
    /// The moment at which the new state began: that of the arrival of a position whose epoch came in parts.
    package var beginning: Moment { to.location.map { moment.arrival(of: $0) } ?? moment }
}
