public import LocationCore

/// A clock that stands still until a test moves it.
///
/// Give it to whatever takes a clock, wait until somebody sleeps on it, and move it:
///
/// ```swift
/// let clock = ManualClock()
/// let nap = Task { try await clock.sleep(for: .seconds(60)) }
/// try await clock.untilSleeping()
/// clock.advance(by: .seconds(60))
/// try await nap.value
/// ```
public final class ManualClock: Clock, Sendable {
    /// A moment of a manual clock.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        /// How far the clock has been moved since it was made.
        public var elapsed: Duration

        /// A moment so long after the clock was made.
        public init(elapsed: Duration = .zero) {
            self.elapsed = elapsed
        }

        /// The moment that lies `duration` later.
        public func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }

        /// How long it is from this moment to another.
        public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }

        /// Earlier than.
        public static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }

        /// The moment as a distance from the clock's beginning.
        public var description: String { "\(elapsed)" }
    }

    private struct Content {
        var now = Instant()
        var sleepers: [Sleeper] = []
        var lastSleeper = 0
    }

    private struct Sleeper {
        var number: Int
        var deadline: Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private let content = Watched(Content())

    /// A clock that stands at zero.
    public init() {}

    /// What the clock shows.
    public var now: Instant { content.value.now }

    /// None: every duration counts.
    public var minimumResolution: Duration { .zero }

    /// When those who sleep on the clock want to be woken, the earliest first.
    public var deadlines: [Instant] { content.value.sleepers.map(\.deadline) }

    /// Sleeps until the clock has been moved to `deadline` or the task is cancelled; the tolerance does not matter.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let number = content.change { content in
            content.lastSleeper += 1
            return content.lastSleeper
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let refused: (any Error)?? = content.change { content in
                    if Task.isCancelled { return .some(CancellationError()) }
                    if deadline <= content.now { return .some(nil) }
                    let sleeper = Sleeper(number: number, deadline: deadline, continuation: continuation)
                    // Behind those with the same deadline: they asked first.
                    let place = content.sleepers.firstIndex { $0.deadline > deadline } ?? content.sleepers.endIndex
                    content.sleepers.insert(sleeper, at: place)
                    return nil
                }
                switch refused {
                case nil: break
                case .some(nil): continuation.resume()
                case .some(let error?): continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            let sleeper = content.change { content in
                content.sleepers.firstIndex { $0.number == number }.map { content.sleepers.remove(at: $0) }
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Moves the clock on and wakes those whose time has come, the earliest deadline first.
    ///
    /// Does not wait for what they do then; a sleep that one of them begins counts from where the clock stands now. Where
    /// each of many sleeps shall be seen, move in steps: `advance(by:times:sleepers:)` or `advanceToNextDeadline()`.
    public func advance(by duration: Duration) {
        advance(to: now.advanced(by: duration))
    }

    /// Moves the clock to a moment and wakes those whose time has come, the earliest deadline first; never goes back.
    public func advance(to instant: Instant) {
        while let sleeper = wakeNext(until: instant) { sleeper.continuation.resume() }
    }

    /// Moves the clock on in equal steps, and waits before each until so many sleep on it.
    ///
    /// So a task that sleeps again and again gets each of its turns.
    public func advance(by step: Duration, times: Int, sleepers: Int = 1) async throws(WaitFailure) {
        for _ in 0..<times {
            try await untilSleeping(sleepers)
            advance(by: step)
        }
    }

    /// Waits until somebody sleeps on the clock, and moves it exactly to the earliest deadline.
    public func advanceToNextDeadline(within limit: Duration = .seconds(10)) async throws(WaitFailure) {
        try await untilSleeping(within: limit)
        if let next = deadlines.first { advance(to: next) }
    }

    /// Waits until at least so many sleep on the clock, at most `limit` of real time.
    public func untilSleeping(_ count: Int = 1, within limit: Duration = .seconds(10)) async throws(WaitFailure) {
        let outcome = await content.wait(within: limit, clock: ContinuousClock()) { $0.sleepers.count >= count }
        guard outcome != .met else { return }
        let content = content.value
        let there = content.sleepers.map { "one until \($0.deadline)" }
        throw WaitFailure(
            waitedFor: "\(count) to sleep on the manual clock, which stands at \(content.now)", limit: limit,
            wasCancelled: outcome == .cancelled, happened: there, of: there.count, nothing: "nobody sleeps on it")
    }

    /// The clock of a session that begins where this clock stands now, at the civil time given.
    public func sessionClock(startingAt start: Timestamp = .testEpoch) -> SessionClock {
        SessionClock(self, startingAt: start)
    }

    /// Moves on to the next sleeper to be woken, or where there is none to the goal.
    private func wakeNext(until goal: Instant) -> Sleeper? {
        content.change { content in
            guard let first = content.sleepers.first, first.deadline <= goal else {
                content.now = max(content.now, goal)
                return nil
            }
            content.now = max(content.now, first.deadline)
            return content.sleepers.removeFirst()
        }
    }
}

extension Timestamp {
    /// The civil time at which sessions of the test kit begin where nothing else is said: 2026-01-01T00:00:00Z.
    public static let testEpoch = Timestamp(nanosecondsSince1970: 1_767_225_600_000_000_000)
}
