/// The clock of one session: tells its moments, and waits until one of them.
public struct SessionClock: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let wall: @Sendable (Duration) -> Timestamp
    private let sleepUntil: @Sendable (Duration) async throws -> Void

    /// A session that begins now on `clock`; `wall` tells the civil time, given how long the session has lasted.
    public init<C: Clock>(_ clock: C, wall: @escaping @Sendable (Duration) -> Timestamp)
    where C.Duration == Duration {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        self.wall = wall
        sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// A clock out of its parts, for one that is read often: without the detour over a clock of any type.
    package init(
        elapsed: @escaping @Sendable () -> Duration, wall: @escaping @Sendable (Duration) -> Timestamp,
        sleepUntil: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.elapsed = elapsed
        self.wall = wall
        self.sleepUntil = sleepUntil
    }

    /// A session that begins now on `clock`, at a civil time that is given and goes on with it.
    public init<C: Clock>(_ clock: C, startingAt start: Timestamp) where C.Duration == Duration {
        self.init(clock) { start.advanced(by: $0) }
    }

    /// What this clock shows.
    public var now: Moment {
        let elapsed = elapsed()
        return Moment(elapsed: elapsed, wall: wall(elapsed))
    }

    /// Waits until a moment, or until the task is cancelled.
    public func sleep(until moment: Moment) async throws(CancellationError) {
        do { try await sleepUntil(moment.elapsed) } catch { throw CancellationError() }
    }
}
