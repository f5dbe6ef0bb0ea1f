/// An event of a session, or a change of state that it or the passing of time brought about.
public enum TrackedUpdate: Hashable, Sendable {
    /// What the provider told.
    case update(LocationUpdate)
    /// What follows from it for the state.
    indirect case transition(Transition)
}

/// The events of one session together with the changes of state, each change before the event that brought it.
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
        Iterator(updates: updates.makeAsyncIterator(), trackers: DeviceTrackers(staleAfter: staleAfter))
    }

    /// Walks through one session.
    public struct Iterator: AsyncIteratorProtocol {
        private var updates: LocationUpdates.Iterator
        private var trackers: DeviceTrackers
        private var pending: ArraySlice<TrackedUpdate> = []
        private var failure: LocationError?

        fileprivate init(updates: LocationUpdates.Iterator, trackers: DeviceTrackers) {
            self.updates = updates
            self.trackers = trackers
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
                let deadline = trackers.deadline
                switch await step(until: deadline, isolation: actor) {
                case .update(let update):
                    pending = trackers.apply(update.event, at: update.moment).map { .transition($0) }[...]
                    if updates.admits(update) { pending.append(.update(update)) }
                case .quiet:
                    if let deadline { pending = trackers.expire(at: deadline).map { .transition($0) }[...] }
                case .end:
                    if failure == nil { return nil }
                }
            }
        }

        /// What ends the session early is a change of state too: it comes before it is thrown.
        private mutating func step(until deadline: Moment?, isolation actor: isolated (any Actor)?) async -> SessionStep
        {
            do throws(LocationError) {
                return try await updates.step(until: deadline, isolation: actor)
            } catch {
                failure = error
                if let now = updates.now {
                    pending = trackers.apply(.failure(error), at: now).map { .transition($0) }[...]
                }
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
