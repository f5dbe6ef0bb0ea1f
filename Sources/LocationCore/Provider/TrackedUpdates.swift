/// An event of a session, or a change that the event or the passing of time caused.
public enum TrackedUpdate: Hashable, Sendable {
    /// An event from the provider.
    case update(LocationUpdate)
    /// A change of the session's state.
    indirect case transition(Transition)
    /// A change of one receiver's state, for clients that follow each receiver; its `device` names the receiver.
    indirect case deviceTransition(Transition)
    /// A change of the current receiver.
    indirect case handover(Handover)

    /// The moment of the event or of the change.
    public var moment: Moment {
        switch self {
        case .update(let update): update.moment
        case .transition(let transition), .deviceTransition(let transition): transition.moment
        case .handover(let handover): handover.moment
        }
    }
}

/// The events of a session together with the changes of state, each change before the event that caused it.
///
/// Positions that a filter rejects still affect the state.
public struct TrackedUpdates: AsyncSequence, Sendable {
    /// An event or a change of state.
    public typealias Element = TrackedUpdate
    /// The error that ends a session early.
    public typealias Failure = LocationError

    let updates: LocationUpdates
    let staleAfter: Duration?

    /// Creates an iterator; its session starts with the first `next()`.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            updates,
            UpdateTracker(
                filters: updates.filters, staleAfter: staleAfter, isFleet: updates.isFleet))
    }

    /// An iterator over one session.
    public struct Iterator: AsyncIteratorProtocol {
        private var updates: LocationUpdates.Iterator
        private var tracker: UpdateTracker
        private var pending: ArraySlice<TrackedUpdate> = []
        private var failure: LocationError?

        fileprivate init(_ updates: LocationUpdates, _ tracker: UpdateTracker) {
            self.updates = updates.makeAsyncIterator()
            self.tracker = tracker
        }

        /// Returns the next event or change of state, or `nil` at the end.
        public mutating func next() async throws(LocationError) -> TrackedUpdate? {
            try await next(isolation: #isolation)
        }

        /// Returns the next event or change of state, or `nil` at the end, without leaving the caller's actor.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(LocationError) -> TrackedUpdate? {
            while true {
                if let first = pending.popFirst() { return first }
                if let failure {
                    self.failure = nil
                    throw failure
                }
                let deadline = tracker.deadline
                switch await step(until: deadline, isolation: actor) {
                case .update(let update):
                    let (changes, isPassedOn) = tracker.process(update)
                    pending = changes[...]
                    if isPassedOn { pending.append(.update(update)) }
                case .quiet:
                    if let deadline { pending = tracker.expire(at: deadline)[...] }
                case .end:
                    if failure != nil { continue }
                    // Deadlines that passed before the end are applied first.
                    if let now = updates.now { pending = tracker.expire(at: now)[...] }
                    if pending.isEmpty { return nil }
                }
            }
        }

        /// Returns the next step; an error that ends the session also changes the state, and the change precedes the
        /// error.
        private mutating func step(until deadline: Moment?, isolation actor: isolated (any Actor)?) async -> SessionStep
        {
            do throws(LocationError) {
                return try await updates.unfilteredStep(until: deadline, isolation: actor)
            } catch {
                failure = error
                if let now = updates.now { pending = tracker.fail(error, at: now)[...] }
                return .end
            }
        }
    }
}

/// The changes of state of a session; the initial state is searching, because the session is starting.
public struct StateChanges: AsyncSequence, Sendable {
    /// A change of state.
    public typealias Element = Transition
    /// The error that ends a session early.
    public typealias Failure = LocationError

    fileprivate let tracked: TrackedUpdates

    /// Creates an iterator; its session starts with the first `next()`.
    public func makeAsyncIterator() -> Iterator {
        Iterator(tracked: tracked.makeAsyncIterator())
    }

    /// An iterator over one session.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var tracked: TrackedUpdates.Iterator

        /// Returns the next change of state, or `nil` at the end.
        public mutating func next() async throws(LocationError) -> Transition? {
            try await next(isolation: #isolation)
        }

        /// Returns the next change of state, or `nil` at the end, without leaving the caller's actor.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(LocationError) -> Transition? {
            while let next = try await tracked.next(isolation: actor) {
                if case .transition(let transition) = next { return transition }
            }
            return nil
        }
    }
}

extension LocationProvider {
    /// Returns the events of a session together with the changes of state that they cause.
    ///
    /// - Parameters:
    ///   - request: The positions to receive.
    ///   - staleAfter: See `LocationTracker.init(staleAfter:)`.
    public func tracked(
        for request: LocationRequest = .everything, staleAfter: Duration? = nil
    ) -> TrackedUpdates {
        TrackedUpdates(updates: updates(for: request), staleAfter: staleAfter)
    }

    /// Returns the changes of state of a session.
    ///
    /// - Parameters:
    ///   - request: The positions to receive.
    ///   - staleAfter: See `LocationTracker.init(staleAfter:)`.
    public func states(for request: LocationRequest = .everything, staleAfter: Duration? = nil) -> StateChanges {
        StateChanges(tracked: tracked(for: request, staleAfter: staleAfter))
    }
}
