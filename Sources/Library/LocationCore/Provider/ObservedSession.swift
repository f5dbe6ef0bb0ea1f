import Synchronization

/// A session that passes on the updates of another session and reports them, and its end, to closures.
package final class ObservedSession: LocationSession {
    private let base: any LocationSession
    private let passesOnLines: Bool
    private let onUpdate: @Sendable (LocationUpdate) throws(LocationError) -> Void
    private let onStop: @Sendable () -> Void
    private let hasStopped = Atomic(false)

    /// Creates a session.
    ///
    /// `onUpdate` is called with each update before it is passed on, where an error ends the session, and `onStop`
    /// once, when the session is stopped or released; lines are passed on only if `passesOnLines`.
    package init(
        _ base: any LocationSession, passesOnLines: Bool = true,
        onUpdate: @escaping @Sendable (LocationUpdate) throws(LocationError) -> Void,
        onStop: @escaping @Sendable () -> Void
    ) {
        self.base = base
        self.passesOnLines = passesOnLines
        self.onUpdate = onUpdate
        self.onStop = onStop
    }

    deinit { stop() }

    package var now: Moment { base.now }

    package func next(until deadline: Moment?) async throws(LocationError) -> SessionStep {
        while true {
            let step = try await base.next(until: deadline)
            guard case .update(let update) = step else { return step }
            try onUpdate(update)
            if !passesOnLines, case .line = update.event { continue }
            return step
        }
    }

    package func wake() { base.wake() }

    package func stop() {
        guard !hasStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
        base.stop()
        onStop()
    }
}

extension LocationUpdates {
    /// Returns the events of sessions that are observed.
    package func observed(
        by observe: @escaping @Sendable (any LocationSession) -> ObservedSession
    ) -> LocationUpdates {
        starting { start in SessionOpening { observe(start.begin()) } }
    }
}
