/// The events of a session together with the changes of state, each change before the event that caused it.
///
/// Positions that the request withholds are left out; each of the others has its standing. See
/// <doc:ShowingTheCurrentPosition>.
public struct TrackedUpdates: AsyncSequence, Sendable {
    /// An event or a change of state.
    public typealias Element = TrackedUpdate
    /// The error that ends a session early.
    public typealias Failure = LocationError

    var updates: LocationUpdates
    var staleAfter: Duration?
    var goal: LocationRequest = .everything
    var fences: FenceList?

    /// Creates an iterator; its session starts with the first `next()`.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// An iterator over one session.
    public struct Iterator: AsyncIteratorProtocol {
        private var updates: LocationUpdates.Iterator
        private var tracker: Tracker
        private var failure: LocationError?
        /// Whether the session has ended, and only the changes that its end causes can follow.
        private(set) var hasEnded = false

        fileprivate init(_ tracked: TrackedUpdates) {
            updates = tracked.updates.makeAsyncIterator()
            tracker = Tracker(
                filters: tracked.updates.filters, goal: tracked.goal, fences: tracked.fences,
                staleAfter: tracked.staleAfter)
        }

        /// The results of the session, as of the update that was returned last.
        public var view: SessionView { tracker.view }

        var lasted: Duration { updates.lasted }

        /// Returns the next event or change of state, or `nil` at the end.
        public mutating func next() async throws(LocationError) -> TrackedUpdate? {
            try await next(isolation: #isolation)
        }

        /// Returns the next event or change of state, or `nil` at the end, without leaving the caller's actor.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(LocationError) -> TrackedUpdate? {
            while true {
                while let next = tracker.next() {
                    if case .update(_, .withheld) = next { continue }
                    return next
                }
                if hasEnded {
                    if let failure = failure.take() { throw failure }
                    return nil
                }
                let deadline = tracker.deadline
                do throws(LocationError) {
                    switch try await updates.unfilteredStep(until: deadline, isolation: actor) {
                    case .update(let update):
                        tracker.apply(update)
                        if tracker.hasAdmitted { updates.admitLast() }
                    case .quiet: if let deadline { tracker.expire(at: deadline) }
                    case .woken: break
                    case .end:
                        hasEnded = true
                        // Deadlines that passed before the end are applied first.
                        if let now = updates.now { tracker.expire(at: now) }
                    }
                } catch {
                    hasEnded = true
                    failure = error
                    // An error that ends the session also changes the state, and the change precedes the error.
                    if let now = updates.now { tracker.fail(error, at: now) }
                }
            }
        }
    }
}

extension LocationProvider {
    /// Returns the events of a session together with the changes of state that they cause.
    ///
    /// An error that ends the session is the state of the last change, and is then thrown: code that shows the state needs no
    /// other way for the last one, and code that only iterates learns why the iteration has ended.
    ///
    /// - Parameters:
    ///   - request: The positions to receive.
    ///   - fences: The fences to watch in the session, if any. Their events come as `TrackedUpdate.fence(_:)`, each before the
    ///     position that caused it. The iterator's `view` tells whether the position is inside.
    ///   - staleAfter: The time after which a position is stale; by default three cycles.
    public func tracked(
        for request: LocationRequest = .everything, fences: FenceList? = nil, staleAfter: Duration? = nil
    ) -> TrackedUpdates {
        TrackedUpdates(updates: updates(for: request), staleAfter: staleAfter, goal: request, fences: fences)
    }

    /// Returns the changes of state of a session; the initial state is searching, because the session is starting.
    ///
    /// An error that ends the session is the state of the last change, and is then thrown; see
    /// `tracked(for:fences:staleAfter:)`.
    ///
    /// - Parameters:
    ///   - request: The positions to receive.
    ///   - staleAfter: The time after which a position is stale; by default three cycles.
    public func states(
        for request: LocationRequest = .everything, staleAfter: Duration? = nil
    ) -> some AsyncSequence<StateChange, LocationError> & Sendable {
        SessionSequence(tracked(for: request, staleAfter: staleAfter)) { update in
            if case .transition(let change) = update { change } else { nil }
        }
    }
}
