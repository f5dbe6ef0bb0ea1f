import Glibc
import LocationCore
import LocwatchPlatform
import LocwatchSupport

/// A session over a source, which it drives for a task.
///
/// The source has its turns on the thread of the task that begins to wait, of the reactor when its descriptor is ready, and of the
/// timer when its clock has reached a time; its clock can be any clock. A live source is driven all the time, also while the
/// task is busy; a file only while the task waits.
final class DrivenSession: LocationSession {
    fileprivate struct Watch {
        /// The number by which the reactor, and that by which the session, knows it.
        var number: Int
        var own: Int
        var descriptor: Int32
        var events: Int32
    }

    fileprivate struct DrivenState: ~Copyable {
        let makeSource: () -> any Source
        private var made: (any Source)?
        var inbox: Inbox
        /// The updates of one turn, on their way to the inbox.
        var updates = ReusedQueue<LocationUpdate>()
        /// The watch of the reactor, if any.
        var watch: Watch?
        var lastWatch = 0

        init(_ inbox: consuming Inbox, _ makeSource: @escaping () -> any Source) {
            self.inbox = inbox
            self.makeSource = makeSource
        }

        /// The source, which begins when it is asked for first.
        var source: any Source {
            mutating get {
                if let made { return made }
                let source = makeSource()
                made = source
                return source
            }
        }

        mutating func stopSource() {
            made?.stop()
            endWatch()
        }
    }

    private let clock: SessionClock
    private let isLive: Bool
    private let timer: SessionTimer
    let makeSource: (@Sendable () -> any Source)?
    private let failure: @Sendable (SystemFailure) -> LocationError
    private let content: Lock<DrivenState>

    /// Creates a session over a source.
    ///
    /// - Parameters:
    ///   - clock: The clock of the source and of the session.
    ///   - backpressure: The fate of updates while the reader is slow.
    ///   - isDetachable: Whether a loop can drive the source itself, because its clock is the system's.
    ///   - makeSource: A closure that begins a source with the clock, on the thread that will use it.
    ///   - failure: A closure that returns the error for a session that gets no descriptor or no thread.
    init(
        on clock: SessionClock, _ backpressure: Inbox.Backpressure, isDetachable: Bool = true,
        _ makeSource: @escaping @Sendable (SessionClock) -> any Source,
        orThrow failure: @escaping @Sendable (SystemFailure) -> LocationError
    ) {
        self.clock = clock
        self.failure = failure
        let make: @Sendable () -> any Source = { makeSource(clock) }
        self.makeSource = isDetachable ? make : nil
        isLive = backpressure != .waits
        timer = SessionTimer(clock)
        content = Lock(DrivenState(Inbox(backpressure), make))
    }

    deinit { stop() }

    var now: Moment {
        content.withLock { content in
            guard let reached = content.inbox.reached else { return content.source.now }
            return content.inbox.isEmpty ? max(reached, content.source.now) : reached
        }
    }

    func take() throws(LocationError) -> SessionStep? { try content.withLock { $0.inbox.take() }?.get() }

    func ask(until deadline: Moment?, _ answer: @escaping @Sendable (SessionAnswer) -> Void) {
        let reply = content.withLock { $0.inbox.wait(until: deadline, answer) }
        if let reply { reply.send() } else { drive() }
    }

    func wake() {
        let reply = content.withLock { $0.inbox.wake() }
        reply?.send()
    }

    func stop() {
        let reply = content.withLock { content -> Inbox.Reply? in
            content.end()
            content.inbox.stop()
            return content.inbox.reply()
        }
        timer.cancel()
        reply?.send()
    }

    /// Drives the source until it must wait for its descriptor or its clock, or a file for its task.
    ///
    /// - Parameter watch: The watch that ends, because its descriptor is ready.
    private func drive(after watch: Int? = nil) {
        var watch = watch
        var hasTurned = false
        while true {
            // The lock is left after each turn, so that the session can be stopped.
            let (reply, goesOn) = content.withLock { content -> (Inbox.Reply?, Bool) in
                let isReady = content.takeReadiness(of: watch.take())
                if let reply = content.inbox.reply() ?? (hasTurned ? content.silence() : nil) { return (reply, true) }
                guard content.inbox.isOpen, isLive || content.inbox.isAwaited,
                    let isReady = isReady ?? readiness(&content)
                else { return (nil, false) }
                content.turn(isReady: isReady)
                return (nil, true)
            }
            hasTurned = reply == nil
            reply?.send()
            if !goesOn { return }
        }
    }

    /// Returns whether the descriptor of a source that is due is ready; otherwise arranges that the source is driven when it is
    /// due, and returns `nil`.
    private func readiness(_ content: inout DrivenState) -> Bool? {
        // The clock is read first, so that a wait is rather too short than too long.
        let now = clock.now
        let left = content.source.timeLeft(until: content.inbox.deadline)
        let isDue = left.map { $0 <= .zero } ?? false
        // The reactor looks at a live source without being asked twice.
        if isDue || !isLive {
            let isReady = content.source.isReady
            if isDue || isReady { return isReady }
        }
        do throws(SystemFailure) { try watch(&content) } catch {
            content.end(throwing: failure(error))
            return false
        }
        if let left { timer.set(now.advanced(by: left)) { [weak self] in self?.drive() } }
        return nil
    }

    /// Lets the reactor watch the descriptor of the source, if there is one.
    private func watch(_ content: inout DrivenState) throws(SystemFailure) {
        let (descriptor, events) = (content.source.descriptor, content.source.events)
        if let watch = content.watch, (watch.descriptor, watch.events) == (descriptor, events) { return }
        content.endWatch()
        guard descriptor >= 0 else { return }
        content.lastWatch += 1
        let own = content.lastWatch
        let number = try Reactor.shared.watch(descriptor, for: events) { [weak self] in self?.drive(after: own) }
        content.watch = Watch(number: number, own: own, descriptor: descriptor, events: events)
    }
}

extension DrivenSession.DrivenState {
    /// Returns whether the descriptor of the source is ready because a watch has ended, or `nil` if that is not known.
    fileprivate mutating func takeReadiness(of watch: Int?) -> Bool? {
        guard let ended = self.watch, ended.own == watch else { return nil }
        self.watch = nil
        return ended.descriptor == source.descriptor ? true : nil
    }

    /// Ends the wait of the reader if the source, which just had a turn, has reached its deadline.
    fileprivate mutating func silence() -> Inbox.Reply? {
        guard let deadline = inbox.deadline, source.hasReached(deadline) else { return nil }
        return inbox.endWait(at: deadline)
    }

    fileprivate mutating func turn(isReady: Bool) {
        guard inbox.isOpen else { return }
        var (continues, failure) = (false, LocationError?.none)
        do throws(LocationError) { continues = try source.turn(isReady: isReady, into: &updates) } catch {
            failure = error
        }
        while let update = updates.popFirst() { inbox.put(update) }
        if !continues { end(throwing: failure) }
    }

    fileprivate mutating func end(throwing error: LocationError? = nil) {
        stopSource()
        inbox.finish(throwing: error)
    }

    fileprivate mutating func endWatch() {
        if let number = watch?.number { Reactor.shared.cancel(number) }
        watch = nil
    }
}

extension Source {
    fileprivate var events: Int32 { waitsForWriting ? POLLIN | POLLOUT : POLLIN }

    /// Whether the descriptor is ready now.
    fileprivate var isReady: Bool { descriptor >= 0 && PollSet.wait(for: descriptor, events, within: .zero) }
}
