/// The events of a session, in the order in which they happened.
///
/// Each iterator is a separate session: it starts with the first `next()` and ends with the cancellation of the task,
/// the release of the iterator, or the provider. A provider creates the sequence from a closure that starts a session:
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
    /// The error that ends a session early.
    public typealias Failure = LocationError

    /// A closure that begins a session.
    package private(set) var start: @Sendable () -> any LocationSession
    /// The beginnings of the operators through which each update passes, before the filters.
    package private(set) var operators: [SessionOperator.Start] = []
    /// The filters of the request and of the operators applied to the sequence.
    package private(set) var filters: SessionFilters
    /// The time after which a session ends, by its own clock.
    private var limit: Duration?

    /// Creates the events of sessions that `start` begins, without the positions that `request` filters out.
    public init(for request: LocationRequest, _ start: @escaping @Sendable () -> LocationMailbox) {
        self.init(for: request, starting: start)
    }

    /// Creates the events of sessions of any kind.
    package init(for request: LocationRequest, starting start: @escaping @Sendable () -> any LocationSession) {
        self.start = start
        filters = SessionFilters(for: request)
    }

    /// Returns the same events without the positions that do not meet `request`.
    func filtered(by request: LocationRequest) -> LocationUpdates {
        var copy = self
        copy.filters.append(request)
        return copy
    }

    /// Returns the same events, each about the machine that its device names.
    ///
    /// A provider that follows vehicles rather than the receivers of one vehicle returns its events through this function.
    /// Without it all devices are receivers of one machine, of which the best one is the current receiver.
    public func namingSubjects() -> LocationUpdates {
        passed { _ in SessionOperator { $0.about($0.event.device) } }
    }

    /// Returns the same events with other filters.
    func replacingFilters(by filters: SessionFilters) -> LocationUpdates {
        var copy = self
        copy.filters = filters
        return copy
    }

    /// Returns the events that an operator passes on.
    package func passed(through start: @escaping SessionOperator.Start) -> LocationUpdates {
        var copy = self
        copy.operators.append(start)
        return copy
    }

    /// Returns the events of other sessions, which `start` can make of these.
    package func replacingSessions(by start: @escaping @Sendable () -> any LocationSession) -> LocationUpdates {
        var copy = self
        copy.start = start
        return copy
    }

    /// Returns the same events of sessions that end after a time, which their own clocks measure, unless it is `nil`.
    func limited(to limit: Duration?) -> LocationUpdates {
        var copy = self
        copy.limit = limit
        return copy
    }

    /// Creates an iterator; its session starts with the first `next()`.
    public func makeAsyncIterator() -> Iterator {
        Iterator(SessionLease(start: start, operators: operators), filters, limit: limit)
    }

    /// An iterator over one session.
    public struct Iterator: AsyncIteratorProtocol {
        private let lease: SessionLease
        private var filters: SessionFilters
        private let limit: Duration?
        /// The beginning of the session, if it has a limit.
        private var beginning: Moment?

        fileprivate init(_ lease: SessionLease, _ filters: SessionFilters, limit: Duration?) {
            self.lease = lease
            self.filters = filters
            self.limit = limit
        }

        /// Returns the next event that the filters admit, or `nil` at the end.
        public mutating func next() async throws(LocationError) -> LocationUpdate? {
            try await next(isolation: #isolation)
        }

        /// Returns the next event that the filters admit, or `nil` at the end, without leaving the caller's actor.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(LocationError) -> LocationUpdate? {
            while true {
                switch try await unfilteredStep(until: nil, isolation: actor) {
                case .update(let update):
                    guard filters.concern(update.event), filters.admit(update) == .admitted else { break }
                    admitLast()
                    return update
                case .quiet, .woken: break
                case .end: return nil
                }
            }
        }

        /// Returns the next event of any receiver, or `.quiet` if there is none until the deadline, or `.woken`.
        package mutating func unfilteredStep(
            until deadline: Moment?, isolation actor: isolated (any Actor)? = #isolation
        ) async throws(LocationError) -> SessionStep {
            do throws(LocationError) {
                while let session = lease.session {
                    let end = end(of: session)
                    let step = try await session.next(until: end.map { Swift.min(deadline ?? $0, $0) } ?? deadline)
                    if Self.isEnd(step, after: end, deadline) {
                        lease.end()
                        return .end
                    }
                    guard case .update(let update) = step else { return step }
                    if let passed = try lease.pass(update) { return .update(passed) }
                }
                return .end
            } catch {
                lease.end()
                throw error
            }
        }

        /// Tells the operators that all filters have admitted the update that was returned last.
        func admitLast() { lease.admit() }

        /// Returns the moment at which a session with a limit ends.
        private mutating func end(of session: any LocationSession) -> Moment? {
            guard let limit else { return nil }
            let start = beginning ?? session.now
            beginning = start
            return start.advanced(by: limit)
        }

        /// Returns whether a step is the end of a session, or has come after the moment at which it ends.
        private static func isEnd(_ step: SessionStep, after end: Moment?, _ deadline: Moment?) -> Bool {
            switch step {
            case .update(let update): end.map { update.moment > $0 } ?? false
            case .quiet: end.map { end in deadline.map { $0 > end } ?? true } ?? false
            case .woken: false
            case .end: true
            }
        }

        /// The current moment of the session's clock, or its last one after the end; `nil` before the session has
        /// begun.
        package var now: Moment? { lease.now }

        /// The end of the current wait of the session, or else of the next one, with `.woken`; callable from any thread.
        ///
        /// The session begins unless it has.
        package var waker: @Sendable () -> Void {
            { [weak session = lease.session] in session?.wake() }
        }

        /// The time for which a session with a limit has lasted, at most the limit.
        var lasted: Duration {
            guard let limit, let beginning, let now else { return .zero }
            return Swift.min(limit, beginning.duration(to: now))
        }
    }
}

/// The owner of the session of an iterator and its copies, which stops the session when the last of them is released.
private final class SessionLease {
    private let start: @Sendable () -> any LocationSession
    private let starts: [SessionOperator.Start]
    private var operators = SessionOperators()
    private var started: (any LocationSession)?
    private var hasEnded = false
    private var ended: Moment?

    init(start: @escaping @Sendable () -> any LocationSession, operators: [SessionOperator.Start]) {
        self.start = start
        starts = operators
    }

    deinit { stop() }

    /// The session, which begins on first access; `nil` after it has ended.
    var session: (any LocationSession)? {
        if hasEnded { return nil }
        if let started { return started }
        let session = start()
        if !starts.isEmpty { operators = SessionOperators(starts, at: session.now) }
        started = session
        return session
    }

    var now: Moment? { started?.now ?? ended }

    /// Returns what the operators pass on in place of an update, if anything.
    func pass(_ update: LocationUpdate) throws(LocationError) -> LocationUpdate? {
        try operators.pass(update)
    }

    func admit() { operators.admit() }

    func end() {
        ended = started?.now
        stop()
        started = nil
        hasEnded = true
    }

    private func stop() {
        started?.stop()
        operators.end()
    }
}
