import Glibc
import LocationCore
import LocwatchPlatform
import LocwatchSupport

/// A session for a task that takes the updates of a `PolledReplay` one by one, as far as the task asks.
///
/// The task waits for the clock itself, which can be any clock; a thread waits for a pipe.
final class ReplaySession: LocationSession, WakeableSession {
    private struct Content {
        var replay: PolledReplay
        /// Ends the current wait.
        var interrupt: (@Sendable () -> Void)?
        /// Whether the current wait, or else the next one, ends with `.quiet`.
        var isWoken = false
        /// The time of the clock until which the session waits, if it waits for one; the number of waits so far.
        var goal: Duration?
        var isWaiting = false
        var waits = 0
    }

    private let name: String
    private let clock: SessionClock
    private let content: Lock<Content>

    /// Creates a session over a replay on the same clock.
    init(_ replay: sending PolledReplay, named name: String, clock: SessionClock) {
        self.name = name
        self.clock = clock
        content = Lock(Content(replay: replay))
        clock.stepped?.add(self)
    }

    var now: Moment { content.withLock { $0.replay.now } }

    func next(until deadline: Moment?) async throws(LocationError) -> SessionStep {
        while true {
            if Task.isCancelled { stop() }
            let (step, descriptor, goal) = try content.withLock { (content) throws(LocationError) in
                content.isWaiting = false
                var step = try content.replay.next(until: deadline)
                if step == nil, content.isWoken { step = .quiet }
                content.isWoken = false
                return (step, content.replay.descriptor, content.replay.wakeTime(until: deadline))
            }
            if let step { return step }
            try await wait(for: descriptor, until: goal)
        }
    }

    /// Ends the current wait, or else the next one, with `.quiet`.
    func wake() {
        let interrupt = content.withLock { content in
            content.isWoken = true
            return content.interrupt
        }
        interrupt?()
    }

    func stop() {
        let interrupt = content.withLock { content in
            content.replay.stop()
            return content.interrupt
        }
        interrupt?()
    }

    /// Waits until a descriptor is readable, the clock has reached a time, if there is one, or the session was stopped.
    private func wait(for descriptor: Int32, until goal: Duration?) async throws(LocationError) {
        let now = clock.now
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&watched, 1, 0) > 0 || goal.map({ $0 <= now.elapsed }) ?? false { return }
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
            return content.replay.isOver || content.isWoken
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
                    var watched = [descriptor, wake.descriptor].map {
                        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
                    }
                    while poll(&watched, nfds_t(watched.count), -1) < 0, errno == EINTR {}
                    withExtendedLifetime(wake) { continuation.resume(returning: nil) }
                }
            } catch {
                continuation.resume(returning: error)
            }
        }
    }
}

extension ReplaySession: SteppedSession {
    /// Whether the session waits for its clock or a pipe, or has ended.
    var activity: SessionActivity {
        let now = clock.now.elapsed
        return content.withLock { content in
            SessionActivity(
                waits: content.waits, isIdle: content.isWaiting || content.replay.isOver,
                limit: content.isWaiting ? content.goal.map { $0 - now } : nil)
        }
    }
}
