public import LocationCore
import LocwatchSupport

/// A clock that advances only when a test moves it.
///
/// Pass it to code that takes a clock, wait until a task sleeps on it, and advance it:
///
/// ```swift
/// let clock = ManualClock()
/// let nap = Task { try await clock.sleep(for: .seconds(60)) }
/// try await clock.untilSleeping()
/// clock.advance(by: .seconds(60))
/// try await nap.value
/// ```
public final class ManualClock: Clock, Sendable {
    /// An instant of a manual clock.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        /// The total duration by which the clock has been advanced.
        public var elapsed: Duration

        /// Creates an instant at a duration after the creation of the clock.
        public init(elapsed: Duration = .zero) {
            self.elapsed = elapsed
        }

        /// Returns the instant that is `duration` later.
        public func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }

        /// Returns the duration from this instant to another.
        public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }

        /// Returns whether the left instant is earlier than the right one.
        public static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }

        /// The duration since the creation of the clock.
        public var description: String { "\(elapsed)" }
    }

    private struct ClockContent {
        var now = Instant()
        var sleepers: [Sleeper] = []
        var lastSleeper = 0
        /// The tasks that have been resumed and neither sleep again nor have left the clock.
        var awake: Set<Int> = []
        /// The number of sleeps that have begun or ended.
        var changes = 0
        var sessions: [AddedSession] = []
        /// The names of the holds that have not been released.
        var holds: [Int: String] = [:]
        var lastHold = 0

        /// Returns whether a session has no work before the clock advances.
        ///
        /// A task that is about to sleep has not begun to if no sleep is as early as its own.
        func isIdle(_ activity: SessionActivity) -> Bool {
            switch activity.script {
            case .working: return false
            case .sleeping(let rest):
                guard rest > .zero, let first = sleepers.first, first.deadline <= now.advanced(by: rest) else {
                    return false
                }
            case .over: break
            }
            switch activity.reader {
            case .working(let task?): return sleepers.contains { $0.task == task }
            case .working(nil): return false
            case .waiting(let limit?):
                let end = now.advanced(by: limit)
                return sleepers.contains { $0.isLimit && $0.deadline <= end }
            case .waiting(nil), .gone: return true
            }
        }
    }

    private struct Sleeper {
        var number: Int
        var task: Int?
        var deadline: Instant
        /// Whether the sleep has a tolerance.
        var isLimit: Bool
        var continuation: CheckedContinuation<Void, any Error>

        /// Returns whether it resumes before one that has slept for longer.
        func precedes(_ other: Sleeper) -> Bool {
            deadline == other.deadline ? other.isLimit && !isLimit : deadline < other.deadline
        }
    }

    struct AddedSession: Sendable {
        weak var session: (any ClockedSession)?
        /// The number of waits of the session when it was given up, which the next one ends.
        var ignoredWaits: Int?
    }

    private let content = Watched(ClockContent())
    /// The task that advances the clock, if it does so by itself.
    private let driver = Lock<Task<Void, Never>?>(nil)

    /// Creates a clock that stands at zero.
    public init() {}

    deinit { driver.withLock { $0 }?.cancel() }

    /// Returns a clock that advances by itself to the next deadline, without real time, once everything that it knows to wait on it
    /// is idle.
    ///
    /// Use it if a test looks at results only, and at no step on the way:
    ///
    /// ```swift
    /// let source = ScriptedLocationSource([.wait(.seconds(60)), .location(52.5, 13.4), .end], clock: ManualClock.immediate())
    /// let recording = try await LocationRecorder(source).untilEnded()
    /// ```
    ///
    /// Before each deadline it waits as ``advance(untilEndOf:within:fileID:line:)`` does, so that events precede the limits at the same
    /// instant. A task that sleeps on it again and again is resumed again and again; after 100,000 deadlines the clock stands still.
    public static func immediate() -> ManualClock {
        let clock = ManualClock()
        let content = clock.content
        let task = Task { [weak clock] in
            var looks = ClockAdvance()
            while await content.wait(
                within: nil, clock: ContinuousClock(), until: { !$0.sleepers.isEmpty }) == .met, !looks.isExhausted
            {
                // The clock is held only for a look, so that it can be released.
                guard let pause = await clock?.advanceIfIdle(&looks) else { return }
                if pause > .zero { try? await Task.sleep(for: pause) }
            }
        }
        clock.driver.withLock { $0 = task }
        return clock
    }

    /// Looks at the clock once, and returns the time to wait before the next look.
    private func advanceIfIdle(_ looks: inout ClockAdvance) async -> Duration {
        await looks.look(at: self, isPatient: true) ?? .zero
    }

    /// The current instant.
    public var now: Instant { content.value.now }

    /// Zero, because the clock resolves every duration.
    public var minimumResolution: Duration { .zero }

    /// The deadlines of the tasks that sleep on the clock, the earliest first.
    package var deadlines: [Instant] { content.value.sleepers.map(\.deadline) }

    /// Sleeps until the clock reaches `deadline` or the task is cancelled.
    ///
    /// Among sleeps until the same instant, those with a tolerance end last, because they may end late. The limits of a session have one:
    /// an update at the instant of a limit is in time.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let isLimit = tolerance.map { $0 > .zero } ?? false
        // A task that sleeps until a limit is one of a session, which ends or sleeps again at once.
        let task = isLimit ? nil : SessionActivity.currentTask
        let number = content.change { content in
            content.lastSleeper += 1
            return content.lastSleeper
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let refused: (any Error)?? = content.change { content in
                    if Task.isCancelled { return .some(CancellationError()) }
                    if deadline <= content.now { return .some(nil) }
                    let sleeper = Sleeper(
                        number: number, task: task, deadline: deadline, isLimit: isLimit, continuation: continuation)
                    content.changes += 1
                    if let task { content.awake.remove(task) }
                    // Sleepers with the same deadline keep the order in which they began to sleep, those until limits at the end.
                    let place = content.sleepers.firstIndex(where: sleeper.precedes) ?? content.sleepers.endIndex
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
                content.changes += 1
                return content.sleepers.firstIndex { $0.number == number }.map { content.sleepers.remove(at: $0) }
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Advances the clock and resumes the sleepers whose deadline has come, the earliest first.
    ///
    /// Does not wait for the resumed tasks: a sleep that one of them begins then counts from the final time of the
    /// clock. To observe each of several sleeps, advance in steps with `advance(by:times:sleepers:)` or
    /// `advanceToNextDeadline()`.
    public func advance(by duration: Duration) {
        advance(to: now.advanced(by: duration))
    }

    /// Advances the clock to an instant and resumes the sleepers due by then, the earliest first; never moves it back.
    public func advance(to instant: Instant) {
        while let sleeper = wakeNext(until: instant) { sleeper.continuation.resume() }
    }

    /// Advances the clock to the earliest deadline and resumes its sleepers; those until limits only if there are no others.
    func advanceToNext() {
        guard let first = content.value.sleepers.first else { return }
        while let sleeper = wakeNext(until: first.deadline, isLimit: first.isLimit, unlessHeld: true) {
            sleeper.continuation.resume()
        }
    }

    /// Advances the clock in equal steps and waits before each until `sleepers` tasks sleep on it.
    ///
    /// A task that sleeps repeatedly therefore runs once per step.
    public func advance(
        by step: Duration, times: Int, sleepers: Int = 1, fileID: String = #fileID, line: Int = #line
    ) async throws(ExpectationFailure) {
        for _ in 0..<max(0, times) {
            try await untilSleeping(sleepers, fileID: fileID, line: line)
            advance(by: step)
        }
    }

    /// Waits until a task sleeps on the clock, and advances it exactly to the earliest deadline.
    public func advanceToNextDeadline(
        within limit: Duration = .seconds(10), fileID: String = #fileID, line: Int = #line
    ) async throws(ExpectationFailure) {
        try await untilSleeping(within: limit, fileID: fileID, line: line)
        if let next = deadlines.first { advance(to: next) }
    }

    /// Waits until at least `count` tasks sleep on the clock, for at most `limit`.
    public func untilSleeping(
        _ count: Int = 1, within limit: Duration = .seconds(10), fileID: String = #fileID, line: Int = #line
    ) async throws(ExpectationFailure) {
        try await content.wait(
            for: "\(count) or more sleepers on the manual clock at \(now)", within: limit,
            at: CallSite(fileID: fileID, line: line), nothing: "no task sleeps on it",
            until: { $0.sleepers.count >= count }
        ) { _ in Array(sleepers.prefix(10)) }
    }

    var sleepers: [String] { deadlines.map { "a sleeper until \($0)" } }

    /// Returns the clock of a session that begins now, at the given civil time.
    public func sessionClock(startingAt start: Timestamp = .testEpoch) -> SessionClock {
        SessionClock(self, startingAt: start)
    }

    /// Advances to the next sleeper due by the goal and removes it, or advances to the goal if there is none.
    ///
    /// - Parameters:
    ///   - isLimit: Whether only sleepers until limits are resumed, or only others; by default all.
    ///   - unlessHeld: Whether a hold keeps the clock where it is.
    private func wakeNext(until goal: Instant, isLimit: Bool? = nil, unlessHeld: Bool = false) -> Sleeper? {
        content.change { content in
            if unlessHeld, !content.holds.isEmpty { return nil }
            guard let first = content.sleepers.first, first.deadline <= goal, first.isLimit == isLimit ?? first.isLimit
            else {
                content.now = max(content.now, goal)
                return nil
            }
            content.now = max(content.now, first.deadline)
            content.changes += 1
            if let task = first.task { content.awake.insert(task) }
            return content.sleepers.removeFirst()
        }
    }
}

extension ManualClock {
    /// Adds a session on the clock, which the clock does not retain.
    func add(_ session: any ClockedSession) {
        content.change { content in
            content.sessions.removeAll { $0.session == nil }
            content.sessions.append(AddedSession(session: session))
        }
    }

    /// Records that the current task will not sleep on the clock again.
    func leave() {
        guard let task = SessionActivity.currentTask else { return }
        content.change { content in
            if content.awake.remove(task) != nil { content.changes += 1 }
        }
    }
}

extension ManualClock {
    /// Adds a hold, and returns its number.
    func addHold(named name: String) -> Int {
        content.change { content in
            content.lastHold += 1
            content.holds[content.lastHold] = name
            content.changes += 1
            return content.lastHold
        }
    }

    /// Removes a hold, if it is there.
    func removeHold(_ number: Int) {
        content.change { content in
            if content.holds.removeValue(forKey: number) != nil { content.changes += 1 }
        }
    }
}

extension ManualClock {
    /// The activity of the tasks and the sessions on the clock at one time.
    struct Activity {
        var next: Instant?
        /// Descriptions of the work before the clock advances to that deadline.
        var working: [String]
        /// Descriptions of the sessions that nothing will end.
        var open: [String]
        /// A number that grows with each sleep and each wait.
        var progress: Int
        /// Whether sessions tell the clock what they wait for.
        var knowsSessions: Bool
        /// Whether the clock is held.
        var isHeld: Bool
    }

    /// The activity of the tasks and the sessions on the clock.
    var activity: Activity {
        // A session reads the clock, so it is asked outside the lock.
        let content = content.value
        var (working, progress, knowsSessions) = ([String](), content.changes, false)
        var open: [String] = []
        for added in content.sessions {
            guard let activity = added.session?.activity else { continue }
            progress += activity.waits
            knowsSessions = true
            if let text = activity.openText { open.append(text) }
            if !content.isIdle(activity), added.ignoredWaits != activity.waits {
                working.append("a session that has had \(activity.waits.counting("wait")) is at work")
            }
        }
        if !content.awake.isEmpty {
            working.append("\(content.awake.count.counting("task")) that slept on the clock and do not sleep again")
        }
        for (_, name) in content.holds.sorted(by: { $0.key < $1.key }) {
            working.append("the clock is held for \(name)")
        }
        return Activity(
            next: content.sleepers.first?.deadline, working: working, open: open, progress: progress,
            knowsSessions: knowsSessions, isHeld: !content.holds.isEmpty)
    }

    /// Gives up what has work now: the clock no longer waits for it until it waits or sleeps once more.
    func ignoreWork() {
        let sessions = content.value.sessions.map {
            AddedSession(session: $0.session, ignoredWaits: $0.session?.activity.waits)
        }
        content.change { content in
            content.awake = []
            for ignored in sessions {
                let place = content.sessions.firstIndex { $0.session === ignored.session }
                if let place { content.sessions[place] = ignored }
            }
        }
    }
}

extension Timestamp {
    /// The default civil start time of sessions in tests: 2026-01-01T00:00:00Z.
    public static let testEpoch = Timestamp(nanosecondsSince1970: 1_767_225_600_000_000_000)
}
