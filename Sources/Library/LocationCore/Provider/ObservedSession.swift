import Synchronization

/// A session that passes the updates of another session through a closure and reports its end to another one.
package final class ObservedSession: LocationSession {
    private let base: any LocationSession
    private let onUpdate: @Sendable (LocationUpdate) throws(LocationError) -> LocationUpdate?
    private let onStop: @Sendable () -> Void
    private let hasStopped = Atomic(false)

    /// Creates a session.
    ///
    /// `onUpdate` is called with each update and returns what is passed on, if anything; an error that it throws ends the session.
    /// `onStop` is called once, when the session is stopped or released.
    package init(
        _ base: any LocationSession,
        onUpdate: @escaping @Sendable (LocationUpdate) throws(LocationError) -> LocationUpdate?,
        onStop: @escaping @Sendable () -> Void = {}
    ) {
        self.base = base
        self.onUpdate = onUpdate
        self.onStop = onStop
    }

    deinit { stop() }

    package var now: Moment { base.now }

    package func next(until deadline: Moment?) async throws(LocationError) -> SessionStep {
        while true {
            let step = try await base.next(until: deadline)
            guard case .update(let update) = step else { return step }
            if let passed = try onUpdate(update) { return .update(passed) }
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
