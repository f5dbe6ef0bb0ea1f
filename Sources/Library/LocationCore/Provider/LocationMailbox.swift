import LocwatchSupport

/// A session that a provider fills with events from any thread and a consumer empties at its own pace.
///
/// The provider never waits. If the consumer is slow, the oldest positions are dropped first, then the oldest sky views
/// and, in a flood, the oldest of everything else; a notice with the number of dropped events takes their place. When
/// `capacity` notices of skipped lines are pending, further ones are merged into the last.
///
/// A mailbox serves one session. If a second one waits on it too, both end, the second with an error that says so.
public final class LocationMailbox: LocationSession {
    private struct MailboxContent: ~Copyable {
        var inbox: Inbox
        var onStop: (@Sendable () -> Void)?
        var hasStopped = false
        /// The satellites of each receiver, for its positions.
        var skies = PerDevice<SkyMemory>()
    }

    /// The clock that stamps the events.
    public let clock: SessionClock
    private let timer: SessionTimer
    private let content: Lock<MailboxContent>

    /// Creates a mailbox for a session on `clock` that holds at most `capacity` positions and sky views.
    public init(clock: SessionClock, capacity: Int = 256) {
        self.clock = clock
        timer = SessionTimer(clock)
        content = Lock(MailboxContent(inbox: Inbox(.drops(capacity: capacity))))
    }

    /// The current moment of the session's clock.
    public var now: Moment { clock.now }

    /// Appends an event, stamped with the current or a given moment; ignored after `finish` or `stop`.
    ///
    /// A position without a time of arrival arrives at that moment. It has the satellites that were put for its receiver at most
    /// ten seconds before; see ``LocationUpdate/sky``.
    public func put(_ event: LocationEvent, at moment: Moment? = nil) {
        let reply = content.withLock { content -> Inbox.Reply? in
            guard content.inbox.isOpen else { return nil }
            // The clock is read within the lock, so that moments of several threads stay in order.
            var update = content.skies.joined(LocationUpdate(event, at: moment ?? clock.now))
            update.noteArrival()
            content.inbox.put(update)
            return content.inbox.reply()
        }
        reply?.send()
    }

    /// Ends the session after the pending events, with an error if given.
    public func finish(throwing error: LocationError? = nil) {
        let reply = content.withLock { content in
            content.inbox.finish(throwing: error)
            return content.inbox.reply()
        }
        reply?.send()
    }

    /// Sets the action to perform when the consumer stops the session; performs it at once if the session has stopped.
    public func onStop(_ action: @escaping @Sendable () -> Void) {
        let (hasStopped, _) = content.withLock { content in
            (content.hasStopped, exchange(&content.onStop, with: content.hasStopped ? nil : action))
        }
        if hasStopped { action() }
    }

    package func take() throws(LocationError) -> SessionStep? {
        let answer = content.withLock { content in
            content.inbox.isAwaited && !content.hasStopped ? .failure(.sharedMailbox) : content.inbox.take()
        }
        return try answer?.get()
    }

    package func ask(
        until deadline: Moment?, _ answer: @escaping @Sendable (SessionAnswer) -> Void
    ) {
        let reply = content.withLock { $0.inbox.wait(until: deadline, answer) }
        if let reply { return reply.send() }
        if deadline != nil { expire() }
    }

    /// Ends the current wait, or else the next one, with `.woken`.
    package func wake() {
        let reply = content.withLock { $0.inbox.wake() }
        reply?.send()
    }

    /// Ends the session at once and drops its pending events.
    package func stop() {
        let (reply, action) = content.withLock { content in
            content.hasStopped = true
            content.inbox.stop()
            return (content.inbox.reply(), content.onStop.take())
        }
        timer.cancel()
        reply?.send()
        action?()
    }

    /// Ends the wait of the reader if its deadline has come, or else waits for it.
    private func expire() {
        let now = clock.now
        let (reply, goal) = content.withLock { content -> (Inbox.Reply?, Moment?) in
            guard let deadline = content.inbox.deadline else { return (nil, nil) }
            return deadline <= now ? (content.inbox.endWait(at: deadline), nil) : (nil, deadline)
        }
        reply?.send()
        // The last sleep was until an earlier deadline, or the clock has ended it early.
        if let goal { timer.set(goal) { [weak self] in self?.expire() } }
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
