package import LocationCore
package import LocwatchPlatform

extension LocationUpdates {
    /// Creates the updates of sessions over sources, which a loop of the caller or, for a task, a `DrivenSession` drives.
    ///
    /// - Parameters:
    ///   - startClock: A closure that returns the clock of a session that begins.
    ///   - backpressure: The fate of updates while the task is slow.
    ///   - isDetachable: Whether a loop can drive a source itself, because its clock is the system's.
    ///   - source: A closure that begins a source with the clock of its session, on the thread that will use it.
    ///   - failure: A closure that returns the error for a session that gets no descriptor or no thread, from the cause.
    package init(
        for request: LocationRequest, on startClock: @escaping @Sendable () -> SessionClock = SessionClock.system,
        _ backpressure: Inbox.Backpressure = .drops(), isDetachable: Bool = true,
        source: @escaping @Sendable (SessionClock) -> any Source,
        orThrow failure: @escaping @Sendable (SystemFailure) -> LocationError
    ) {
        self.init(for: request) {
            DrivenSession(on: startClock(), backpressure, isDetachable: isDetachable, source, orThrow: failure)
        }
    }
}
