/// An event of a session, or a change that the event or the passing of time caused.
public enum TrackedUpdate: Hashable, Sendable {
    /// An event from the provider.
    case update(LocationUpdate)
    /// A change of the session's state.
    indirect case transition(Transition)
    /// A change of one receiver's state, for those who follow each receiver; `device` names it.
    indirect case deviceTransition(Transition)
    /// Another receiver's position is the current one from now on.
    indirect case handover(Handover)

    /// The time of the event or of the change.
    public var moment: Moment {
        switch self {
        case .update(let update): update.moment
        case .transition(let transition), .deviceTransition(let transition): transition.moment
        case .handover(let handover): handover.moment
        }
    }
}

/// The events of one session together with the changes of state, each change before the event that caused it.
///
/// Positions that a filter holds back are judged for the state all the same.
public struct TrackedUpdates: AsyncSequence, Sendable {
    /// An event or a change of state.
    public typealias Element = TrackedUpdate
    /// What ends a session early.
    public typealias Failure = LocationError

    fileprivate let updates: LocationUpdates
    fileprivate let staleAfter: Duration?

    /// Begins nothing yet: the session starts with the first `next()`.
    public func makeAsyncIterator() -> Iterator {
        Iterator(updates, UpdateTracker(filters: updates.filters, staleAfter: staleAfter))
    }

    /// Walks through one session.
    public struct Iterator: AsyncIteratorProtocol {
        private var updates: LocationUpdates.Iterator
        private var tracker: UpdateTracker
        private var pending: ArraySlice<TrackedUpdate> = []
        private var failure: LocationError?

        fileprivate init(_ updates: LocationUpdates, _ tracker: UpdateTracker) {
            self.updates = updates.makeAsyncIterator()
            self.tracker = tracker
        }

        /// The next event or change of state, or `nil` at the end.
        public mutating func next() async throws(LocationError) -> TrackedUpdate? {
            try await next(isolation: #isolation)
        }

        /// The next event or change of state, or `nil` at the end, without leaving the caller's actor.
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
                    // What was due before the end comes before it.
                    if let now = updates.now { pending = tracker.expire(at: now)[...] }
                    if pending.isEmpty { return nil }
                }
            }
        }

        /// An error that ends the session changes the state too: the change comes before the error is thrown.
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

/// The changes of state of one session; before the first the state is searching, as it has just begun.
public struct StateChanges: AsyncSequence, Sendable {
    /// A change of state.
    public typealias Element = Transition
    /// What ends a session early.
    public typealias Failure = LocationError

    fileprivate let tracked: TrackedUpdates

    /// Begins nothing yet: the session starts with the first `next()`.
    public func makeAsyncIterator() -> Iterator {
        Iterator(tracked: tracked.makeAsyncIterator())
    }

    /// Walks through one session.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var tracked: TrackedUpdates.Iterator

        /// The next change of state, or `nil` at the end.
        public mutating func next() async throws(LocationError) -> Transition? {
            try await next(isolation: #isolation)
        }

        /// The next change of state, or `nil` at the end, without leaving the caller's actor.
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
    /// The events of one session together with the changes of state that they bring about.
    ///
    /// - Parameter staleAfter: see `LocationTracker.init(staleAfter:)`.
    public func tracked(
        for request: LocationRequest = .everything, staleAfter: Duration? = nil
    ) -> TrackedUpdates {
        TrackedUpdates(updates: updates(for: request), staleAfter: staleAfter)
    }

    /// The changes of state of one session.
    ///
    /// - Parameter staleAfter: see `LocationTracker.init(staleAfter:)`.
    public func states(for request: LocationRequest = .everything, staleAfter: Duration? = nil) -> StateChanges {
        StateChanges(tracked: tracked(for: request, staleAfter: staleAfter))
    }
}
