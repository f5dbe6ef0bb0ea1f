import LocwatchSupport

/// The clock of a session, which returns and waits for its moments.
public struct SessionClock: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let wall: @Sendable (Duration) -> Timestamp
    private let sleepUntil: @Sendable (Duration) async throws -> Void
    /// The clock on which this one runs, if it waits for the sessions that use it.
    package let stepped: (any SteppedClock)?

    /// Creates a clock that begins now on `clock`; `wall` converts elapsed time to civil time.
    public init<C: Clock>(_ clock: C, wall: @escaping @Sendable (Duration) -> Timestamp)
    where C.Duration == Duration {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        self.wall = wall
        sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
        stepped = clock as? any SteppedClock
    }

    /// Creates a clock from its parts; faster to read than one based on a generic `Clock`.
    package init(
        elapsed: @escaping @Sendable () -> Duration, wall: @escaping @Sendable (Duration) -> Timestamp,
        sleepUntil: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.elapsed = elapsed
        self.wall = wall
        self.sleepUntil = sleepUntil
        stepped = nil
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
        do { try await sleepUntil(min(moment.elapsed, elapsed() + .longestSleep)) } catch { throw CancellationError() }
    }
}

/// A clock that advances when everything that waits on it is idle, as that of a test does.
package protocol SteppedClock: AnyObject, Sendable {
    /// Adds a session on the clock, which the clock does not retain.
    func add(_ session: any SteppedSession)

    /// Records that the current task sleeps until limits: among equal deadlines it resumes last, so that an event at a limit is
    /// still in time.
    func sleepsUntilLimits()

    /// Records that the current task will not sleep on the clock again.
    func leave()
}

/// A session, or the source of one, that tells a clock whether it has work before the clock advances.
package protocol SteppedSession: AnyObject, Sendable {
    var activity: SessionActivity { get }
}

/// The activity of a session, for the clock on which it runs.
package struct SessionActivity: Hashable, Sendable {
    /// The number of times that it has waited, which tells one wait from the next.
    package var waits: Int
    package var isIdle: Bool
    /// The longest time for which it waits, if it is limited.
    package var limit: Duration?
    /// The task that sleeps until the end of the wait; the session has work while it does not sleep.
    package var sleeper: Int?
    /// The task that took the last event, which may sleep on the clock before it asks for the next.
    package var consumer: Int?

    /// Creates the activity of a session that has waited `waits` times; one that waits until now has work.
    package init(waits: Int, isIdle: Bool, limit: Duration? = nil, sleeper: Int? = nil, consumer: Int? = nil) {
        self.waits = waits
        self.isIdle = isIdle && limit.map { $0 > .zero } ?? true
        self.limit = limit
        self.sleeper = sleeper
        self.consumer = consumer
    }

    /// A number that identifies the current task while it runs.
    package static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}
