// Held by reference, as `LocationEvent` is.
/// Where a search for the position stands.
public indirect enum LocationState: Hashable, Sendable, Codable {
    /// There is no current position, and why.
    case searching(SearchReason)
    /// This is the current position.
    case found(Location)
    /// Something failed.
    case error(LocationError)

    /// The current position, if there is one.
    public var location: Location? {
        if case .found(let location) = self { location } else { nil }
    }

    /// Whether going over to another state is a transition: another state, or the same for another reason.
    func differs(from other: LocationState) -> Bool {
        switch (self, other) {
        case (.searching(let reason), .searching(let otherReason)): reason.kind != otherReason.kind
        case (.found, .found): false
        case (.error(let error), .error(let otherError)): error != otherError
        case (.searching, _), (.found, _), (.error, _): true
        }
    }
}

/// A change of state: from what to what, why, when, and how long the old state lasted.
public struct Transition: Hashable, Sendable, Codable {
    /// The state that ended.
    public var from: LocationState
    /// The state that began.
    public var to: LocationState
    /// When.
    public var moment: Moment
    /// How long the old state had lasted.
    public var lasted: Duration
    /// The receiver that brought the change, where it was one.
    public var device: String?

    /// A change of state.
    public init(
        from: LocationState, to: LocationState, at moment: Moment, lasted: Duration, device: String? = nil
    ) {
        self.from = from
        self.to = to
        self.moment = moment
        self.lasted = lasted
        self.device = device
    }

    /// Why the state changed.
    public var reason: Reason {
        switch to {
        case .found: .fix
        case .searching(let reason): .search(reason)
        case .error(let error): .failure(error)
        }
    }

    /// Why a state changed.
    public enum Reason: Hashable, Sendable {
        /// A position came.
        case fix
        /// There is no current position, and this is why.
        case search(SearchReason)
        /// Something failed.
        case failure(LocationError)

        /// A short stable word for programs.
        public var code: String {
            switch self {
            case .fix: "fix"
            case .search(let reason): reason.kind.rawValue
            case .failure(let error): error.code
            }
        }
    }
}

/// A state and since when it has stood.
struct StandingState: Hashable, Sendable {
    private(set) var state = LocationState.searching(.starting)
    private var since = Duration.zero

    /// Goes over to a state; answers with the transition, if it is one.
    mutating func move(to new: LocationState, at moment: Moment, device: String?) -> Transition? {
        guard new.differs(from: state) else {
            state = new
            return nil
        }
        let old = state
        state = new
        let lasted = max(.zero, moment.elapsed - since)
        since = moment.elapsed
        return Transition(from: old, to: new, at: moment, lasted: lasted, device: device)
    }
}
