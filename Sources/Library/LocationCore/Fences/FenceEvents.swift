extension LocationProvider {
    /// Returns the events of fences in one session: entering, leaving and staying.
    ///
    /// The fences follow the current receiver: the positions of the others, and late ones, cause no events. Stays are measured
    /// on the session's clock, so a replay gives the same events at every pace. In a fleet each device has its own events,
    /// which name it.
    ///
    /// To receive the positions and the state of the same session too, use `tracked(for:fences:staleAfter:)`.
    ///
    /// - Parameters:
    ///   - fences: The fences, which can be changed while the session runs, with the rules for their events.
    ///   - request: The positions to use; a filter delays the events.
    ///   - staleAfter: The time after which a position is stale, and no longer counts as a stay; by default three cycles.
    public func fenceEvents(
        for fences: FenceList, request: LocationRequest = .everything, staleAfter: Duration? = nil
    ) -> some AsyncSequence<FenceEvent, LocationError> & Sendable {
        let tracked = TrackedUpdates(updates: updates(for: request), staleAfter: staleAfter, fences: fences)
        return SessionSequence(tracked) { if case .fence(let event) = $0 { event } else { nil } }
    }

    /// Returns the events of fences in one session; see the form with a `FenceList`.
    public func fenceEvents(
        for fences: [Fence], request: LocationRequest = .everything, dwellAfter: Duration? = nil,
        staleAfter: Duration? = nil
    ) -> some AsyncSequence<FenceEvent, LocationError> & Sendable {
        fenceEvents(for: FenceList(fences, dwellAfter: dwellAfter), request: request, staleAfter: staleAfter)
    }
}
