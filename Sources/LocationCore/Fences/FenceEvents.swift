/// The fence events of one session: entering, leaving and staying.
///
/// The fences follow the current receiver: the positions of the others, and late ones, cause no events. Stays are measured
/// on the session's clock, so a replay gives the same events at every pace. In a fleet each device has its own events,
/// which name it.
public struct FenceEvents: AsyncSequence, Sendable {
    /// An event of a fence.
    public typealias Element = FenceEvent
    /// The error that ends a session early.
    public typealias Failure = LocationError

    fileprivate let tracked: TrackedUpdates

    /// Creates an iterator; its session starts with the first call of `next()`.
    public func makeAsyncIterator() -> Iterator { Iterator(tracked: tracked.makeAsyncIterator()) }

    /// The iterator of one session.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var tracked: TrackedUpdates.Iterator

        /// Returns the next event, or `nil` at the end of the session.
        public mutating func next() async throws(LocationError) -> FenceEvent? {
            try await next(isolation: #isolation)
        }

        /// Returns the next event, or `nil` at the end of the session, without leaving the caller's actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(LocationError) -> FenceEvent? {
            while let next = try await tracked.next(isolation: actor) {
                if case .fence(let event) = next { return event }
            }
            return nil
        }
    }
}

extension LocationProvider {
    /// Returns the events of fences in one session.
    ///
    /// - Parameters:
    ///   - fences: The fences, which can be changed while the session runs.
    ///   - request: The positions to use; a filter delays the events.
    ///   - dwellAfter: The time after which a stay is a `dwell` event, or `nil` for no such events.
    ///   - minimumMargin: The distance in metres outside a fence that an exit needs at least.
    ///   - assumedAccuracy: The accuracy in metres that is assumed for positions without one.
    public func fenceEvents(
        for fences: FenceList, request: LocationRequest = .everything, dwellAfter: Duration? = nil,
        minimumMargin: Double = 10, assumedAccuracy: Double = 25
    ) -> FenceEvents {
        let monitor = FenceMonitor(
            fences: [], dwellAfter: dwellAfter, minimumMargin: minimumMargin, assumedAccuracy: assumedAccuracy)
        return FenceEvents(
            tracked: TrackedUpdates(
                updates: updates(for: request).settled(), fences: SessionFences(monitor, list: fences)))
    }

    /// Returns the events of fences in one session; see the form with a `FenceList`.
    public func fenceEvents(
        for fences: [Fence], request: LocationRequest = .everything, dwellAfter: Duration? = nil
    ) -> FenceEvents {
        fenceEvents(for: FenceList(fences), request: request, dwellAfter: dwellAfter)
    }
}
