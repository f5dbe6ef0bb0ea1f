import Glibc
import LocationCore
import LocwatchPlatform
import LocwatchSupport

/// A session for a task over a polled session.
///
/// The session is served on the thread of the task that begins to wait, of the reactor when its descriptor is ready, and of the
/// timer when its clock has reached a time; its clock can be any clock. A live source is served all the time, also while the
/// task is busy; a file only while the task waits.
final class AwaitedSession: LocationSession, TimedSession {
    fileprivate typealias Answer = Result<SessionStep, LocationError>

    fileprivate struct Waiter {
        var deadline: Moment?
        var continuation: CheckedContinuation<Answer, Never>
    }

    fileprivate struct Watch {
        /// The number by which the reactor, and that by which the session, knows it.
        var number: Int
        var own: Int
        var descriptor: Int32
        var events: Int32
    }

    fileprivate struct Content {
        let session: any PolledSession
        var queue: UpdateQueue
        /// The updates of one step, on their way into the queue.
        var stepped = ReusedQueue<LocationUpdate>()
        var waiter: Waiter?
        /// The watch of the reactor, if any.
        var watch: Watch?
        var lastWatch = 0
        /// Whether the wait, or else the next one, ends with `.woken`.
        var isWoken = false
        var hasEnded = false
        var failure: LocationError?
        /// The moment of the last update taken, or the last deadline reached.
        var reached: Moment?

        init(_ session: any PolledSession, _ queue: UpdateQueue) {
            self.session = session
            self.queue = queue
        }
    }

    private let clock: SessionClock
    private let timer: SessionTimer
    private let failure: @Sendable (SystemFailure) -> LocationError
    private let content: Lock<Content>

    /// Creates a session over a polled session on the same clock.
    ///
    /// - Parameter failure: A closure that returns the error for a session that gets no descriptor or no thread.
    init(
        _ session: sending any PolledSession, on clock: SessionClock, _ backpressure: UpdateQueue.Backpressure,
        orThrow failure: @escaping @Sendable (SystemFailure) -> LocationError
    ) {
        self.clock = clock
        self.failure = failure
        timer = SessionTimer(clock)
        content = Lock(Content(session, UpdateQueue(backpressure)))
    }

    deinit { stop() }

    var now: Moment {
        content.withLock { content in
            guard let reached = content.reached else { return content.session.now }
            return content.queue.isEmpty ? max(reached, content.session.now) : reached
        }
    }

    func next(until deadline: Moment?) async throws(LocationError) -> SessionStep {
        if Task.isCancelled { stop() }
        if let answer = content.withLock({ $0.answer() }) { return try answer.get() }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                content.withLock { $0.waiter = Waiter(deadline: deadline, continuation: continuation) }
                serve()
            }
        } onCancel: {
            stop()
        }.get()
    }

    func wake() {
        let waiter = content.withLock { content -> Waiter? in
            content.isWoken = content.waiter == nil
            return content.waiter.take()
        }
        waiter?.continuation.resume(returning: .success(.woken))
    }

    func stop() {
        let waiter = content.withLock { content -> Waiter? in
            content.session.stop()
            content.end()
            content.queue.removeAll()
            content.failure = nil
            return content.waiter.take()
        }
        timer.cancel()
        waiter?.continuation.resume(returning: .success(.end))
    }

    func expire() { serve() }

    /// Serves the session until it must wait for its descriptor or its clock, or a file for its task.
    ///
    /// - Parameter watch: The watch that ends, because its descriptor is ready.
    private func serve(after watch: Int? = nil) {
        var watch = watch
        var hasStepped = false
        while true {
            // The lock is left after each step, so that the session can be stopped.
            let (waiter, answer, goesOn) = content.withLock { content -> (Waiter?, Answer?, Bool) in
                let isReady = content.takeReadiness(of: watch.take())
                if let waiter = content.waiter,
                    let answer = content.answer() ?? (hasStepped ? content.silence(until: waiter.deadline) : nil)
                {
                    return (content.waiter.take(), answer, true)
                }
                guard content.isToBeServed, let isReady = isReady ?? readiness(&content) else {
                    return (nil, nil, false)
                }
                content.step(isReady: isReady)
                return (nil, nil, true)
            }
            hasStepped = waiter == nil
            if let waiter, let answer { waiter.continuation.resume(returning: answer) }
            if !goesOn { return }
        }
    }

    /// Returns whether the descriptor of a session that is due is ready; otherwise arranges that the session is served when it is
    /// due, and returns `nil`.
    private func readiness(_ content: inout Content) -> Bool? {
        // The clock is read first, so that a wait is rather too short than too long.
        let now = clock.now
        let left = content.session.timeLeft(until: content.waiter?.deadline)
        let isDue = left.map { $0 <= .zero } ?? false
        // The reactor looks at a live source without being asked twice.
        if isDue || !content.queue.drops {
            let isReady = content.session.isReady
            if isDue || isReady { return isReady }
        }
        do throws(SystemFailure) { try watch(&content) } catch {
            content.failure = failure(error)
            content.session.stop()
            content.end()
            return false
        }
        if let left { timer.set(now.advanced(by: left), for: self) }
        return nil
    }

    /// Lets the reactor watch the descriptor of the session, if there is one.
    private func watch(_ content: inout Content) throws(SystemFailure) {
        let (descriptor, events) = (content.session.descriptor, content.session.events)
        if let watch = content.watch, (watch.descriptor, watch.events) == (descriptor, events) { return }
        content.endWatch()
        guard descriptor >= 0 else { return }
        content.lastWatch += 1
        let own = content.lastWatch
        let number = try Reactor.shared.watch(descriptor, for: events) { [weak self] in self?.serve(after: own) }
        content.watch = Watch(number: number, own: own, descriptor: descriptor, events: events)
    }
}

extension AwaitedSession.Content {
    /// Whether the session is served now: a file only while the task waits.
    fileprivate var isToBeServed: Bool { !hasEnded && (waiter != nil || queue.drops) }

    /// Returns whether the descriptor of the session is ready because a watch has ended, or `nil` if that is not known.
    fileprivate mutating func takeReadiness(of watch: Int?) -> Bool? {
        guard let ended = self.watch, ended.own == watch else { return nil }
        self.watch = nil
        return ended.descriptor == session.descriptor ? true : nil
    }

    /// Returns the step that is available without serving the session, if any.
    fileprivate mutating func answer() -> AwaitedSession.Answer? {
        if let update = queue.popFirst() {
            reached = update.moment
            return .success(.update(update))
        }
        if let failure = failure.take() { return .failure(failure) }
        if hasEnded { return .success(.end) }
        if isWoken {
            isWoken = false
            return .success(.woken)
        }
        return nil
    }

    /// Returns `.quiet` if the session, which was just served, has reached the deadline.
    fileprivate mutating func silence(until deadline: Moment?) -> AwaitedSession.Answer? {
        guard let deadline, session.hasReached(deadline) else { return nil }
        reached = max(reached ?? deadline, deadline)
        return .success(.quiet)
    }

    fileprivate mutating func step(isReady: Bool) {
        if hasEnded { return }
        var continues = false
        do throws(LocationError) { continues = try session.step(isReady: isReady, into: &stepped) } catch {
            failure = error
        }
        while let update = stepped.popFirst() { queue.append(update) }
        if continues { return }
        session.stop()
        end()
    }

    fileprivate mutating func end() {
        hasEnded = true
        endWatch()
    }

    fileprivate mutating func endWatch() {
        if let number = watch?.number { Reactor.shared.cancel(number) }
        watch = nil
    }
}

extension PolledSession {
    fileprivate var events: Int32 { waitsForWriting ? POLLIN | POLLOUT : POLLIN }

    /// Whether the descriptor is ready now.
    fileprivate var isReady: Bool { descriptor >= 0 && PollSet.wait(for: descriptor, events, within: .zero) }
}
