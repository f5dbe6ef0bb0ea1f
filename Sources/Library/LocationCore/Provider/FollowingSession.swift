import LocwatchSupport

/// A session that a task fills with what it makes of another session, on the clock of that session.
///
/// The task reads the other session through a `Leader`, which waits for the deadlines of this session's consumer too: only the other
/// session knows when its time, which can be that of a recording, has come.
final class FollowingSession: LocationSession {
    private struct Waiting {
        /// The deadline of the consumer, if it waits for one.
        var deadline: Moment?
        /// Whether the deadline has passed.
        var isOver = false
        /// Whether the consumer is to begin its wait again.
        var isWoken = false
        /// The deadline with which the task waits for the other session, while it does.
        var isLeaderWaiting = false
        var leaderDeadline: Moment?
    }

    private let base: any LocationSession
    private let mailbox: LocationMailbox
    private let waiting = Lock(Waiting())

    /// Begins a session over another one, filled by a task that runs `body`.
    init(
        _ base: any LocationSession, of updates: LocationUpdates,
        _ body: @escaping @Sendable (LocationUpdates, LocationMailbox) async throws(LocationError) -> Void
    ) {
        self.base = base
        // The session waits for its deadlines itself.
        let clock = SessionClock(elapsed: { base.now.elapsed }, wall: { _ in base.now.wall }, sleepUntil: { _ in })
        mailbox = LocationMailbox(clock: clock)
        let leader = Leader(base)
        leader.follower.withLock { $0 = Weak(self) }
        let task = mailbox.fill { mailbox async throws(LocationError) in
            try await body(updates.starting { _ in SessionOpening { leader } }, mailbox)
        }
        mailbox.onStop {
            task.cancel()
            base.stop()
        }
    }

    deinit { stop() }

    var now: Moment { base.now }

    func next(until deadline: Moment?) async throws(LocationError) -> SessionStep {
        while true {
            let wakesLeader = waiting.withLock { waiting in
                (waiting.deadline, waiting.isOver) = (deadline, false)
                guard waiting.isLeaderWaiting, let deadline else { return false }
                return waiting.leaderDeadline.map { deadline < $0 } ?? true
            }
            if wakesLeader { base.wake() }
            let step = try await mailbox.next(until: nil)
            let (isOver, isWoken) = waiting.withLock { waiting in
                defer { (waiting.deadline, waiting.isWoken) = (nil, false) }
                return (waiting.isOver, waiting.isWoken)
            }
            guard case .woken = step else { return step }
            if isOver { return .quiet }
            if isWoken { return .woken }
        }
    }

    func wake() {
        waiting.withLock { $0.isWoken = true }
        mailbox.wake()
    }

    func stop() { mailbox.stop() }

    /// Returns the deadline for a wait of the task that has one of its own.
    private func beginLeaderWait(until deadline: Moment?) -> Moment? {
        waiting.withLock { waiting in
            let first = [deadline, waiting.deadline].compactMap(\.self).min()
            (waiting.isLeaderWaiting, waiting.leaderDeadline) = (true, first)
            return first
        }
    }

    /// Ends a wait of the task, and that of the consumer if its deadline has passed.
    private func endLeaderWait(isQuiet: Bool) {
        let isOver = waiting.withLock { waiting in
            let ended = waiting.leaderDeadline
            (waiting.isLeaderWaiting, waiting.leaderDeadline) = (false, nil)
            guard isQuiet, let deadline = waiting.deadline, let ended, deadline <= ended else { return false }
            (waiting.deadline, waiting.isOver) = (nil, true)
            return true
        }
        if isOver { mailbox.wake() }
    }

    private struct Weak: Sendable {
        weak var session: FollowingSession?

        init(_ session: FollowingSession?) { self.session = session }
    }

    /// The other session, as the task reads it.
    private final class Leader: LocationSession {
        let base: any LocationSession
        let follower = Lock(Weak(nil))

        init(_ base: any LocationSession) { self.base = base }

        var now: Moment { base.now }

        func next(until deadline: Moment?) async throws(LocationError) -> SessionStep {
            while true {
                let first = follower.withLock(\.session)?.beginLeaderWait(until: deadline)
                var step = SessionStep.end
                do throws(LocationError) { step = try await base.next(until: first ?? deadline) } catch {
                    follower.withLock(\.session)?.endLeaderWait(isQuiet: false)
                    throw error
                }
                follower.withLock(\.session)?.endLeaderWait(isQuiet: step == .quiet)
                switch step {
                case .quiet:
                    if let deadline, let first, deadline <= first { return .quiet }
                case .woken: break
                case .update, .end: return step
                }
            }
        }

        func wake() { base.wake() }

        func stop() { base.stop() }
    }
}

extension LocationMailbox {
    /// Runs a task that fills the mailbox, whose end is that of the session.
    func fill(
        _ body: @escaping @Sendable (LocationMailbox) async throws(LocationError) -> Void
    ) -> Task<Void, Never> {
        Task { [weak self] in
            guard let mailbox = self else { return }
            do throws(LocationError) {
                try await body(mailbox)
                mailbox.finish()
            } catch {
                mailbox.finish(throwing: error)
            }
        }
    }
}

extension LocationUpdates {
    /// Creates the events of sessions that a task makes of the events of another provider, for an operator of your own.
    ///
    /// The clock of a session is that of the session that it is made of, so that limits, and the moments of what is put into the mailbox,
    /// are those of the other provider. The task begins and ends with the session; when it returns or throws, the session ends.
    ///
    /// ```swift
    /// /// A provider that passes on each position with a notice of its number.
    /// struct Numbered: LocationProvider {
    ///     let base: any LocationProvider
    ///
    ///     func updates(for request: LocationRequest) -> LocationUpdates {
    ///         LocationUpdates(for: request, following: base.updates(for: request)) { updates, mailbox in
    ///             var count = 0
    ///             for try await update in updates {
    ///                 mailbox.put(update.event, at: update.moment)
    ///                 guard update.location != nil else { continue }
    ///                 count += 1
    ///                 mailbox.put(.other("position \(count)"), at: update.moment)
    ///             }
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// For an operator that looks at one event at a time, `LocationProvider.compactMapEvents(_:)` is shorter.
    ///
    /// - Parameters:
    ///   - request: The request of the sessions, whose criteria apply to what is put into the mailbox.
    ///   - base: The events of the other provider. Their limits and filters apply to what the task reads.
    ///   - body: Reads the events of one session, and puts others into the mailbox.
    public init(
        for request: LocationRequest, following base: LocationUpdates,
        _ body: @escaping @Sendable (LocationUpdates, LocationMailbox) async throws(LocationError) -> Void
    ) {
        self.init(
            for: request, starting: SessionOpening { FollowingSession(base.start.begin(), of: base, body) })
    }
}
