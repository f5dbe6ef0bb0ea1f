package import LocationCore
package import LocwatchPlatform

extension LocationUpdates {
    /// Creates the updates of sessions that the caller's own loop serves, or for a task an `AwaitedSession`.
    ///
    /// - Parameters:
    ///   - startClock: A closure that returns the clock of a session that begins.
    ///   - backpressure: The fate of updates while the task is slow.
    ///   - isPolled: Whether a loop can serve the sessions, because their clock is the system's.
    ///   - session: A closure that begins a session with its clock, on the thread that will use it.
    ///   - failure: A closure that returns the error for a session that gets no descriptor or no thread, from the cause.
    package init(
        for request: LocationRequest, on startClock: @escaping @Sendable () -> SessionClock = SessionClock.system,
        _ backpressure: UpdateQueue.Backpressure = .drops(), isPolled: Bool = true,
        polled session: @escaping @Sendable (SessionClock) -> any PolledSession,
        orThrow failure: @escaping @Sendable (SystemFailure) -> LocationError
    ) {
        let start = SessionOpening {
            let clock = startClock()
            return AwaitedSession(session(clock), on: clock, backpressure, orThrow: failure)
        } poll: {
            session(startClock())
        }
        self.init(for: request, starting: isPolled ? start : start.forTasks)
    }
}
