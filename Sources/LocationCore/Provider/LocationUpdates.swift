/// The events of one session, in the order in which they happened.
///
/// Each iterator is a session of its own: it starts with the first `next()` and ends with the task's cancellation, with
/// the iterator, or with the provider. A provider makes one out of a closure that starts a session:
///
/// ```swift
/// struct Fixed: LocationProvider {
///     let location: Location
///     func updates(for request: LocationRequest) -> LocationUpdates {
///         LocationUpdates(for: request) {
///             let mailbox = LocationMailbox(clock: SessionClock(ContinuousClock(), startingAt: location.timestamp!))
///             mailbox.put(.location(location))
///             return mailbox
///         }
///     }
/// }
/// ```
public struct LocationUpdates: AsyncSequence, Sendable {
    /// An event and its moment.
    public typealias Element = LocationUpdate
    /// What ends a session early.
    public typealias Failure = LocationError

    private let start: @Sendable () -> any LocationSession
    private let startPolled: (@Sendable () -> any PolledSession)?
    /// What the request and the operators above it hold back.
    package private(set) var filters: [LocationFilter]

    /// The events of sessions that `start` begins, without the positions that `request` does not want to hear of.
    public init(for request: LocationRequest, _ start: @escaping @Sendable () -> any LocationSession) {
        self.init(for: request, polled: nil, start)
    }

    /// The events of sessions that a poll loop can serve on its own thread.
    ///
    /// - Parameters:
    ///   - polled: begins a session for a poll loop.
    ///   - start: begins a session for a task.
    package init(
        for request: LocationRequest, polled: (@Sendable () -> any PolledSession)?,
        _ start: @escaping @Sendable () -> any LocationSession
    ) {
        self.start = start
        startPolled = polled
        filters = [LocationFilter(request)].filter { !$0.admitsEverything }
    }

    /// Begins a session that the caller polls, or returns `nil` if the provider has none; the filters are the caller's to apply.
    package func polledSession() -> (any PolledSession)? { startPolled?() }

    /// The same events without the positions that `filter` holds back.
    public func filtered(by filter: LocationFilter) -> LocationUpdates {
        if filter.admitsEverything { return self }
        var copy = self
        copy.filters.append(filter)
        return copy
    }

    /// The events of sessions that are wrapped: those for a poll loop and those for a task.
    package func transformed(
        polled: @escaping @Sendable (any PolledSession) -> any PolledSession,
        _ wrap: @escaping @Sendable (any LocationSession) -> any LocationSession
    ) -> LocationUpdates {
        let (start, startPolled) = (start, startPolled)
        var wrapPolled: (@Sendable () -> any PolledSession)?
        if let startPolled { wrapPolled = { polled(startPolled()) } }
        var copy = LocationUpdates(for: .everything, polled: wrapPolled) { wrap(start()) }
        copy.filters = filters
        return copy
    }

    /// Begins nothing yet: the session starts with the first `next()`.
    public func makeAsyncIterator() -> Iterator {
        Iterator(start: start, filters: filters)
    }

    /// Walks through one session.
    public struct Iterator: AsyncIteratorProtocol {
        private let lease: SessionLease
        private var filters: [LocationFilter]

        fileprivate init(start: @escaping @Sendable () -> any LocationSession, filters: [LocationFilter]) {
            lease = SessionLease(start: start)
            self.filters = filters
        }

        /// The next event that the filters let through, or `nil` at the end.
        public mutating func next() async throws(LocationError) -> LocationUpdate? {
            try await next(isolation: #isolation)
        }

        /// The next event that the filters let through, or `nil` at the end, without leaving the caller's actor.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(LocationError) -> LocationUpdate? {
            while true {
                switch try await step(until: nil, isolation: actor) {
                case .update(let update) where admits(update): return update
                case .update, .quiet: continue
                case .end: return nil
                }
            }
        }

        /// The next event of the receivers that are asked for, whether the filters admit it or not, or that there was none until the deadline.
        mutating func step(
            until deadline: Moment?, isolation actor: isolated (any Actor)? = #isolation
        ) async throws(LocationError) -> SessionStep {
            while true {
                let step = try await unfilteredStep(until: deadline, isolation: actor)
                if case .update(let update) = step, !filters.concern(update.event) { continue }
                return step
            }
        }

        /// The next event of any receiver, or that there was none until the deadline.
        package mutating func unfilteredStep(
            until deadline: Moment?, isolation actor: isolated (any Actor)? = #isolation
        ) async throws(LocationError) -> SessionStep {
            guard let session = lease.session else { return .end }
            do throws(LocationError) {
                let step = try await session.next(until: deadline)
                if case .end = step { lease.end() }
                return step
            } catch {
                lease.end()
                throw error
            }
        }

        /// What the session's clock shows, or showed when it ended; `nil` before it has begun.
        package var now: Moment? { lease.now }

        /// Whether the filters let an update through; asking makes it the last one that went out.
        mutating func admits(_ update: LocationUpdate) -> Bool { filters.admit(update) }
    }
}

/// Holds the session of an iterator and all its copies, and stops it when the last of them is gone.
private final class SessionLease {
    private let start: @Sendable () -> any LocationSession
    private var started: (any LocationSession)?
    private var hasEnded = false
    private var ended: Moment?

    init(start: @escaping @Sendable () -> any LocationSession) {
        self.start = start
    }

    deinit { started?.stop() }

    /// The session, begun when it is first asked for; `nil` when it has ended.
    var session: (any LocationSession)? {
        if hasEnded { return nil }
        if let started { return started }
        let session = start()
        started = session
        return session
    }

    var now: Moment? { started?.now ?? ended }

    func end() {
        ended = started?.now
        started?.stop()
        started = nil
        hasEnded = true
    }
}
