package import LocationCore

/// A clock that measures a search from its start to the fix, across changes of the reason.
package struct SearchClock: Hashable, Sendable {
    private var begin = Duration.zero

    package init() {}

    /// Processes a change of state; returns the duration of the search if it has ended.
    package mutating func process(_ transition: StateChange) -> Duration? {
        if case .found = transition.from { begin = transition.moment.elapsed }
        guard case .found = transition.to else { return nil }
        return max(.zero, transition.beginning.elapsed - begin)
    }
}
