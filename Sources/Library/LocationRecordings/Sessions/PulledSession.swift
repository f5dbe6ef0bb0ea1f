import LocationCore
import LocwatchPlatform
import LocwatchSupport

/// A session for a task over a polled session that waits for it: nothing is read while the task is busy, and nothing dropped.
///
/// The task waits for the clock itself, which can be any clock; a thread waits for a descriptor.
final class PulledSession: LocationSession, WakeableSession {
    private struct Content {
        var pulled: Pulled
        /// Ends the current wait.
        var interrupt: (@Sendable () -> Void)?
        /// Whether the current wait, or else the next one, ends with `.woken`.
        var isWoken = false
        /// The time of the clock until which the session waits, if it waits for one; the number of waits so far.
        var goal: Duration?
        var isWaiting = false
        var waits = 0
    }

    private let name: String
    private let clock: SessionClock
    private let content: Lock<Content>

    /// Creates a session over a polled session on the same clock.
    init(_ session: sending any PolledSession, named name: String, clock: SessionClock) {
        self.name = name
        self.clock = clock
        content = Lock(Content(pulled: Pulled(session)))
        clock.stepped?.add(self)
    }

    var now: Moment { content.withLock { $0.pulled.now } }

    func next(until deadline: Moment?) async throws(LocationError) -> SessionStep {
        while true {
            if Task.isCancelled { stop() }
            // The clock is read first, so that a wait is rather too short than too long.
            let now = clock.now.elapsed
            let (step, descriptor, left) = try content.withLock { (content) throws(LocationError) in
                content.isWaiting = false
                var step = try content.pulled.next(until: deadline)
                if step == nil, content.isWoken { step = .woken }
                content.isWoken = false
                guard step == nil else { return (step, Int32(-1), Duration?.none) }
                let session = content.pulled.session
                return (step, session.descriptor, session.timeLeft(until: deadline))
            }
            if let step { return step }
            try await wait(for: descriptor, until: left.map { now + $0 })
        }
    }

    /// Ends the current wait, or else the next one, with `.woken`.
    func wake() {
        let interrupt = content.withLock { content in
            content.isWoken = true
            return content.interrupt
        }
        interrupt?()
    }

    func stop() {
        let interrupt = content.withLock { content in
            content.pulled.stop()
            return content.interrupt
        }
        interrupt?()
    }

    /// Waits until a descriptor is readable, the clock has reached a time, if there is one, or the session was stopped.
    private func wait(for descriptor: Int32, until goal: Duration?) async throws(LocationError) {
        let now = clock.now
        if PollSet.wait(for: descriptor, within: .zero) || goal.map({ $0 <= now.elapsed }) ?? false { return }
        var wake: Event?
        do throws(SystemFailure) { if descriptor >= 0 { wake = try Event() } } catch {
            throw .unreadable(name, error.code)
        }
        let timer = Task { [clock, wake] in
            defer { clock.stepped?.leave() }
            guard let goal else { return }
            try? await clock.sleep(until: Moment(elapsed: goal, wall: now.wall))
            wake?.happen()
        }
        let interrupt: @Sendable () -> Void = { [wake] in
            timer.cancel()
            wake?.happen()
        }
        let isOver = content.withLock { content in
            content.interrupt = interrupt
            (content.goal, content.isWaiting) = (goal, true)
            content.waits += 1
            return content.pulled.isOver || content.isWoken
        }
        if isOver { interrupt() }
        let failure = await withTaskCancellationHandler {
            if let wake { return await Self.wait(for: descriptor, or: wake) }
            await timer.value
            return nil
        } onCancel: {
            stop()
        }
        timer.cancel()
        await timer.value
        if let failure { throw .unreadable(name, failure.code) }
    }

    /// Waits on a separate thread; returns the reason if there is no thread.
    private static func wait(for descriptor: Int32, or wake: Event) async -> SystemFailure? {
        await withCheckedContinuation { continuation in
            do throws(SystemFailure) {
                try NativeThread.start {
                    PollSet.wait(for: [descriptor, wake.descriptor])
                    withExtendedLifetime(wake) { continuation.resume(returning: nil) }
                }
            } catch {
                continuation.resume(returning: error)
            }
        }
    }
}

extension PulledSession: SteppedSession {
    /// Whether the session waits for its clock or a pipe, or has ended.
    var activity: SessionActivity {
        let now = clock.now.elapsed
        return content.withLock { content in
            SessionActivity(
                waits: content.waits, isIdle: content.isWaiting || content.pulled.isOver,
                limit: content.isWaiting ? content.goal.map { $0 - now } : nil)
        }
    }
}

/// A polled session from which updates are taken one by one.
private struct Pulled {
    let session: any PolledSession
    private var queue = ReusedQueue<LocationUpdate>()
    private var hasEnded = false
    private var failure: LocationError?
    /// The moment of the last update taken, or the last deadline reached.
    private var reached: Moment?

    init(_ session: any PolledSession) { self.session = session }

    var now: Moment {
        guard let reached else { return session.now }
        return queue.count > 0 ? reached : max(reached, session.now)
    }

    /// Whether the session has ended and every update was taken.
    var isOver: Bool { hasEnded && queue.count == 0 && failure == nil }

    /// Returns the next step, or `nil` if there is none before the session is ready again.
    mutating func next(until deadline: Moment?) throws(LocationError) -> SessionStep? {
        if queue.count == 0, !hasEnded { step() }
        // An emitted update is due, and so is an earlier deadline.
        if let deadline, let next = queue.first, next.moment >= deadline { return rest(until: deadline) }
        if let update = queue.popFirst() {
            reached = update.moment
            return .update(update)
        }
        if let failure = failure.take() { throw failure }
        if hasEnded { return .end }
        guard let deadline, session.hasReached(deadline) else { return nil }
        return rest(until: deadline)
    }

    mutating func stop() {
        session.stop()
        queue = ReusedQueue()
        failure = nil
        hasEnded = true
    }

    private mutating func step() {
        let isReady = PollSet.wait(for: session.descriptor, within: .zero)
        do throws(LocationError) {
            hasEnded = try !session.step(isReady: isReady, into: &queue)
        } catch {
            failure = error
            hasEnded = true
        }
    }

    private mutating func rest(until deadline: Moment) -> SessionStep {
        reached = max(reached ?? deadline, deadline)
        return .quiet
    }
}
