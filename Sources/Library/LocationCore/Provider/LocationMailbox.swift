import LocwatchSupport

/// A session that a provider fills with events from any thread and a consumer empties at its own pace.
///
/// The provider never waits. If the consumer is slow, the oldest positions are dropped first, then the oldest sky views
/// and, in a flood, the oldest of everything else; a notice with the number of dropped events takes their place. When
/// `capacity` notices of skipped lines are pending, further ones are merged into the last.
///
/// A mailbox serves one session. If a second one waits on it too, both end, the second with an error that says so.
public final class LocationMailbox: LocationSession, WakeableSession {
    private struct Content: ~Copyable {
        var queue: UpdateQueue
        var ending: Ending?
        var waiter: Waiter?
        var timer: Timer?
        var onStop: (@Sendable () -> Void)?
        var hasStopped = false
        var lastTimer = 0
        /// Whether the next wait ends at once.
        var isWoken = false
        /// The number of waits so far, and the task that asked last, for a clock that steps.
        var waits = 0
        var consumer: Int?
        /// The satellites of each receiver, for its positions.
        var skies = PerDevice<SkyMemory>()
    }

    private enum Ending {
        case finished
        case failed(LocationError)
    }

    private struct Waiter {
        var deadline: Moment?
        var continuation: CheckedContinuation<SessionStep?, Never>
    }

    private struct Timer {
        var number: Int
        /// The deadline for which the timer sleeps.
        var goal: Moment
        /// The task as a clock that steps knows it, once it runs.
        var sleeper: Int?
        var task: Task<Void, Never>
    }

    /// The clock that stamps the events.
    public let clock: SessionClock
    private let content: Lock<Content>

    /// Creates a mailbox for a session on `clock` that holds at most `capacity` positions and sky views.
    public init(clock: SessionClock, capacity: Int = 256) {
        self.clock = clock
        content = Lock(Content(queue: UpdateQueue(capacity: max(1, capacity))))
        clock.stepped?.add(self)
    }

    /// The current moment of the session's clock.
    public var now: Moment { clock.now }

    deinit { content.withLock { $0.timer }?.task.cancel() }

    /// Appends an event, stamped with the current or a given moment; ignored after `finish` or `stop`.
    ///
    /// A position without a time of arrival arrives at that moment. It has the satellites that were put for its receiver at most
    /// ten seconds before; see ``LocationUpdate/sky``.
    public func put(_ event: LocationEvent, at moment: Moment? = nil) {
        append { content in
            // The clock is read within the lock, so that moments of several threads stay in order.
            content.skies.joined(LocationUpdate(event, at: moment ?? clock.now))
        }
    }

    /// Appends an update of a session that makes epochs, and so knows the satellites of a position.
    package func put(_ update: LocationUpdate) { append { _ in update } }

    private func append(_ make: (inout Content) -> LocationUpdate) {
        let waiter = content.withLock { content -> (CheckedContinuation<SessionStep?, Never>, LocationUpdate)? in
            guard content.ending == nil, !content.hasStopped else { return nil }
            var update = make(&content)
            update.noteArrival()
            content.queue.append(update)
            guard content.waiter != nil, let first = content.queue.popFirst() else { return nil }
            return content.waiter.take().map { ($0.continuation, first) }
        }
        if let (continuation, update) = waiter { continuation.resume(returning: .update(update)) }
    }

    /// Ends the session after the pending events, with an error if given.
    public func finish(throwing error: LocationError? = nil) {
        let waiter = content.withLock { content -> Waiter? in
            guard content.ending == nil else { return nil }
            content.ending = error.map { .failed($0) } ?? .finished
            return content.waiter.take()
        }
        waiter?.continuation.resume(returning: nil)
    }

    /// Sets the action to perform when the consumer stops the session; performs it at once if the session has stopped.
    public func onStop(_ action: @escaping @Sendable () -> Void) {
        let (hasStopped, _) = content.withLock { content in
            (content.hasStopped, exchange(&content.onStop, with: content.hasStopped ? nil : action))
        }
        if hasStopped { action() }
    }

    /// Returns the next event, or `.quiet` if there is none until `deadline`, or `.woken`.
    package func next(until deadline: Moment?) async throws(LocationError) -> SessionStep {
        let consumer = clock.stepped == nil ? nil : SessionActivity.currentTask
        while true {
            if Task.isCancelled { stop() }
            let step = try content.withLock { (content) throws(LocationError) in
                content.consumer = consumer
                return try Self.ready(&content)
            }
            if let step { return step }
            if let deadline, clock.now >= deadline {
                // An update that has come until now precedes the deadline.
                return try content.withLock { (content) throws(LocationError) in try Self.ready(&content) } ?? .quiet
            }
            if let step = await wait(until: deadline) { return step }
        }
    }

    /// Ends the current wait, or else the next one, with `.woken`.
    package func wake() {
        let waiter = content.withLock { content -> Waiter? in
            content.isWoken = content.waiter == nil
            return content.waiter.take()
        }
        waiter?.continuation.resume(returning: .woken)
    }

    /// Ends the session at once and drops its pending events.
    package func stop() {
        let (waiter, timer, action) = content.withLock { content in
            content.hasStopped = true
            content.queue = UpdateQueue(capacity: 1)
            return (content.waiter.take(), content.timer.take(), content.onStop.take())
        }
        timer?.task.cancel()
        waiter?.continuation.resume(returning: .end)
        action?()
    }

    /// Returns the step that is available without waiting, if any.
    private static func ready(_ content: inout Content) throws(LocationError) -> SessionStep? {
        if content.hasStopped { return .end }
        if content.waiter != nil { throw .sharedMailbox }
        if let update = content.queue.popFirst() { return .update(update) }
        if content.isWoken {
            content.isWoken = false
            return .woken
        }
        switch content.ending {
        case nil: return nil
        case .finished: return .end
        case .failed(let error):
            content.ending = .finished
            throw error
        }
    }

    /// Waits for an event or the deadline; returns `nil` if the content must be checked again.
    private func wait(until deadline: Moment?) async -> SessionStep? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustLookAgain = content.withLock { content in
                    guard content.queue.isEmpty, content.ending == nil, !content.hasStopped, content.waiter == nil,
                        !content.isWoken
                    else {
                        return true
                    }
                    content.waits += 1
                    content.waiter = Waiter(deadline: deadline, continuation: continuation)
                    if let deadline { startTimer(until: deadline, &content) }
                    return false
                }
                if mustLookAgain { continuation.resume(returning: nil) }
            }
        } onCancel: {
            stop()
        }
    }

    /// Starts the timer unless it already fires early enough.
    ///
    /// One timer serves many waits: after its sleep it checks which deadline is in force. The deadline moves with every
    /// position, and a task per position would cost more than the position itself.
    private func startTimer(until deadline: Moment, _ content: inout Content) {
        if let timer = content.timer {
            if timer.goal <= deadline { return }
            timer.task.cancel()
        }
        content.lastTimer += 1
        let number = content.lastTimer
        let task = Task { [weak self, clock] in
            clock.stepped?.sleepsUntilLimits()
            defer { clock.stepped?.leave() }
            while let (clock, deadline) = self?.timerGoal(number) {
                do throws(CancellationError) { try await clock.sleep(until: deadline) } catch { return }
                self?.expire()
            }
        }
        content.timer = Timer(number: number, goal: deadline, task: task)
    }

    /// Returns the next deadline for a timer to sleep for, or `nil` to end it because there is none or another timer
    /// replaced it.
    private func timerGoal(_ number: Int) -> (SessionClock, Moment)? {
        content.withLock { content in
            guard content.timer?.number == number else { return nil }
            guard let deadline = content.waiter?.deadline else {
                content.timer = nil
                return nil
            }
            content.timer?.goal = deadline
            content.timer?.sleeper = clock.stepped == nil ? nil : SessionActivity.currentTask
            return (clock, deadline)
        }
    }

    private func expire() {
        let now = clock.now
        let waiter = content.withLock { content -> Waiter? in
            guard let deadline = content.waiter?.deadline, deadline <= now else { return nil }
            return content.waiter.take()
        }
        waiter?.continuation.resume(returning: .quiet)
    }
}

extension LocationMailbox: SteppedSession {
    /// Whether its consumer waits for an event, or needs none because the session has ended.
    package var activity: SessionActivity {
        content.withLock { content in
            let sleeper = content.waiter?.deadline == nil ? nil : content.timer?.sleeper
            let isWaiting = content.waiter.map { $0.deadline == nil || sleeper != nil } ?? false
            return SessionActivity(
                waits: content.waits, isIdle: content.hasStopped || isWaiting, sleeper: sleeper,
                consumer: content.consumer)
        }
    }
}

extension LocationUpdate {
    /// Lets a position without a time of arrival arrive at the update's moment.
    fileprivate mutating func noteArrival() {
        guard case .location(var location) = event, location.received == nil else { return }
        location.received = moment.wall
        event = .location(location)
    }
}

extension LocationError {
    /// The error of a session that waits on the mailbox of another one.
    fileprivate static let sharedMailbox = LocationError.other(
        code: "sharedMailbox",
        message:
            "two sessions share one LocationMailbox; create a mailbox for each session in the closure of LocationUpdates"
    )
}
