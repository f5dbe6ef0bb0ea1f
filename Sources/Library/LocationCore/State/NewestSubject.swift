import LocwatchSupport

/// The choice of the machine with a name whose position the session shows: the newest one.
///
/// The machines with a position are linked in the order of their reports, so that each change takes constant time.
struct NewestSubject: Sendable {
    private struct Link {
        /// The neighbours in the list of the machines with a position.
        var newer: Int32?
        var older: Int32?
        var isLinked = false
    }

    private var links: [Link] = []
    /// The place of the machine with the newest position.
    private var newest: Int?

    /// Creates the choice between trackers, of which the last one with a position counts as the newest.
    init(of trackers: PerDevice<LocationTracker>) {
        for (place, tracker) in trackers.values.enumerated() {
            links.append(Link())
            if case .found = tracker.state { link(place) }
        }
    }

    /// Returns the state that the session shows after a change of the machine at a place, or `nil` if it stays.
    mutating func choose(
        after place: Int, isNewPosition: Bool, of trackers: PerDevice<LocationTracker>, in shown: LocationState
    ) -> LocationState? {
        if links.count == place { links.append(Link()) }
        let state = trackers[place: place].state
        if case .found = state {
            guard isNewPosition else { return nil }
            link(place)
            return state
        }
        let wasShown = newest == place
        unlink(place)
        // Before the first position, and while the connection is lost, a machine does not change the session's state.
        guard wasShown, case .found = shown else { return nil }
        return newest.map { trackers[place: $0].state } ?? state
    }

    private mutating func link(_ place: Int) {
        guard newest != place else { return }
        unlink(place)
        links[place] = Link(newer: nil, older: newest.map(Int32.init), isLinked: true)
        if let newest { links[newest].newer = Int32(place) }
        newest = place
    }

    private mutating func unlink(_ place: Int) {
        let link = links[place]
        guard link.isLinked else { return }
        if let newer = link.newer { links[Int(newer)].older = link.older } else { newest = link.older.map(Int.init) }
        if let older = link.older { links[Int(older)].newer = link.newer }
        links[place] = Link()
    }
}
