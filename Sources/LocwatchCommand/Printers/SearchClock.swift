import LocationCore

/// How long a search takes, from its beginning to the fix, whatever its reasons are meanwhile.
struct SearchClock: Hashable, Sendable {
    private var begin = Duration.zero

    /// Processes a change of state; returns the time since the search began if it is over.
    mutating func process(_ transition: Transition) -> Duration? {
        if case .found = transition.from { begin = transition.moment.elapsed }
        guard case .found = transition.to else { return nil }
        return max(.zero, transition.moment.elapsed - begin)
    }
}
