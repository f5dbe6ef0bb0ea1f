import LocwatchSupport

/// The clock of a session, which returns and waits for its moments.
public struct SessionClock: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let wall: @Sendable (Duration) -> Timestamp
    private let sleepUntil: @Sendable (_ elapsed: Duration, _ tolerance: Duration?) async throws -> Void

    /// Creates a clock that begins now on `clock`; `wall` converts elapsed time to civil time.
    public init<C: Clock>(_ clock: C, wall: @escaping @Sendable (Duration) -> Timestamp)
    where C.Duration == Duration {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        self.wall = wall
        sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: $1) }
    }

    /// Creates a clock from its parts; faster to read than one based on a generic `Clock`.
    package init(
        elapsed: @escaping @Sendable () -> Duration, wall: @escaping @Sendable (Duration) -> Timestamp,
        sleepUntil: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.elapsed = elapsed
        self.wall = wall
        self.sleepUntil = { elapsed, _ in try await sleepUntil(elapsed) }
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
    ///
    /// A moment that is more than 136 years away counts as that far away, because no clock of the system can wait for longer.
    public func sleep(until moment: Moment) async throws(CancellationError) {
        try await sleep(until: moment, tolerance: nil)
    }

    /// Waits until a limit, or a little longer, or throws if the task is cancelled before.
    package func sleep(untilLimit limit: Moment) async throws(CancellationError) {
        try await sleep(until: limit, tolerance: .limitTolerance)
    }

    private func sleep(until moment: Moment, tolerance: Duration?) async throws(CancellationError) {
        let end = min(moment.elapsed, elapsed() + .longestSleep)
        do { try await sleepUntil(end, tolerance) } catch { throw CancellationError() }
    }
}

extension Duration {
    /// The tolerance of a sleep until a limit.
    ///
    /// An update at the instant of a limit is in time, so the sleep may end a little late, but not early. The system can then wake the
    /// thread together with others.
    static let limitTolerance = Duration.milliseconds(1)
}
