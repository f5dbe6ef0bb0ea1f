/// Tells how long a recording has been playing, and waits until it has played so long.
struct ReplayTimer: Sendable {
    /// How long it has been.
    let elapsed: @Sendable () -> Duration
    /// Waits until it has been so long; counted from the start, so that a clock that moves meanwhile is not waited for twice.
    let wait: @Sendable (Duration) async throws -> Void

    /// A timer that starts now.
    init<C: Clock>(_ clock: C) where C.Duration == Duration {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        wait = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }
}
