/// The clock of a session, which returns and waits for its moments.
public struct SessionClock: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let wall: @Sendable (Duration) -> Timestamp
    private let sleepUntil: @Sendable (Duration) async throws -> Void

    /// Creates a clock that begins now on `clock`; `wall` converts elapsed time to civil time.
    public init<C: Clock>(_ clock: C, wall: @escaping @Sendable (Duration) -> Timestamp)
    where C.Duration == Duration {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        self.wall = wall
        sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// Creates a clock from its parts; faster to read than one based on a generic `Clock`.
    package init(
        elapsed: @escaping @Sendable () -> Duration, wall: @escaping @Sendable (Duration) -> Timestamp,
        sleepUntil: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.elapsed = elapsed
        self.wall = wall
        self.sleepUntil = sleepUntil
    }

    /// Creates a clock that begins now on `clock` at a given civil time.
    public init<C: Clock>(_ clock: C, startingAt start: Timestamp) where C.Duration == Duration {
        self.init(clock) { start.advanced(by: $0) }
    }

    /// The current moment.
    public var now: Moment {
        let elapsed = elapsed()
        return Moment(elapsed: elapsed, wall: wall(elapsed))
    }

    /// Waits until a moment, or throws if the task is cancelled before.
    public func sleep(until moment: Moment) async throws(CancellationError) {
        do { try await sleepUntil(moment.elapsed) } catch { throw CancellationError() }
    }
}
