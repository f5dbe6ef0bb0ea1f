import LocwatchSupport

/// A session that a provider fills with events from any thread and a consumer empties at its own pace.
///
/// The provider never waits. If the consumer is slow, the oldest positions are dropped first, then the oldest sky views
/// and, in a flood, the oldest of everything else; a notice with the number of dropped events takes their place. When
/// `capacity` notices of skipped lines are pending, further ones are merged into the last.
///
/// A mailbox serves one session. If a second one waits on it too, both end, the second with an error that says so.
public final class LocationMailbox: LocationSession, TimedSession {
    private struct Content: ~Copyable {
        var queue: UpdateQueue
        var ending: Ending?
        var waiter: Waiter?
        var onStop: (@Sendable () -> Void)?
        var hasStopped = false
        /// Whether the next wait ends at once.
        var isWoken = false
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

    /// The clock that stamps the events.
    public let clock: SessionClock
    private let timer: SessionTimer
    private let content: Lock<Content>

    /// Creates a mailbox for a session on `clock` that holds at most `capacity` positions and sky views.
    public init(clock: SessionClock, capacity: Int = 256) {
        self.clock = clock
        timer = SessionTimer(clock)
        content = Lock(Content(queue: UpdateQueue(.drops(capacity: capacity))))
    }

    /// The current moment of the session's clock.
    public var now: Moment { clock.now }

    /// Appends an event, stamped with the current or a given moment; ignored after `finish` or `stop`.
    ///
    /// A position without a time of arrival arrives at that moment. It has the satellites that were put for its receiver at most
    /// ten seconds before; see ``LocationUpdate/sky``.
    public func put(_ event: LocationEvent, at moment: Moment? = nil) {
        let waiter = content.withLock { content -> (CheckedContinuation<SessionStep?, Never>, LocationUpdate)? in
            guard content.ending == nil, !content.hasStopped else { return nil }
            // The clock is read within the lock, so that moments of several threads stay in order.
            var update = content.skies.joined(LocationUpdate(event, at: moment ?? clock.now))
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
        while true {
            if Task.isCancelled { stop() }
            let step = try content.withLock { (content) throws(LocationError) in try Self.ready(&content) }
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
        let (waiter, action) = content.withLock { content in
            content.hasStopped = true
            content.queue.removeAll()
            return (content.waiter.take(), content.onStop.take())
        }
        timer.cancel()
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
                    content.waiter = Waiter(deadline: deadline, continuation: continuation)
                    if let deadline { timer.set(deadline, for: self) }
                    return false
                }
                if mustLookAgain { continuation.resume(returning: nil) }
            }
        } onCancel: {
            stop()
        }
    }

    /// Ends the wait of the consumer if its deadline has come.
    package func expire() {
        let now = clock.now
        let waiter = content.withLock { content -> Waiter? in
            guard let deadline = content.waiter?.deadline else { return nil }
            if deadline <= now { return content.waiter.take() }
            // The sleep was until an earlier deadline, or the clock has ended it early.
            timer.set(deadline, for: self)
            return nil
        }
        waiter?.continuation.resume(returning: .quiet)
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
