/// The fence events of one session: entering, leaving and staying.
///
/// Stays are measured on the session's clock, so a replay gives the same events at every pace. In a fleet each device has
/// its own events, which name it.
public struct FenceEvents: AsyncSequence, Sendable {
    /// An event of a fence.
    public typealias Element = FenceEvent
    /// The error that ends a session early.
    public typealias Failure = LocationError

    fileprivate let updates: LocationUpdates
    fileprivate let fences: FenceList
    fileprivate let monitor: FenceMonitor

    /// Creates an iterator; its session starts with the first call of `next()`.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            updates: updates.makeAsyncIterator(), fences: fences,
            monitors: DeviceFences(monitor, isFleet: updates.isFleet))
    }

    /// The iterator of one session.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var updates: LocationUpdates.Iterator
        fileprivate let fences: FenceList
        fileprivate var monitors: DeviceFences
        private var version = -1
        private var pending: ArraySlice<FenceEvent> = []

        fileprivate init(updates: LocationUpdates.Iterator, fences: FenceList, monitors: DeviceFences) {
            self.updates = updates
            self.fences = fences
            self.monitors = monitors
        }

        /// Returns the next event, or `nil` at the end of the session.
        public mutating func next() async throws(LocationError) -> FenceEvent? {
            try await next(isolation: #isolation)
        }

        /// Returns the next event, or `nil` at the end of the session, without leaving the caller's actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(LocationError) -> FenceEvent? {
            while true {
                if let event = pending.popFirst() { return event }
                let deadline = monitors.deadline
                switch try await updates.step(until: deadline, isolation: actor) {
                case .update(let update):
                    fences.apply(to: &monitors, since: &version)
                    guard updates.admits(update), let location = update.location else { continue }
                    pending = monitors.update(location, at: update.moment)[...]
                case .quiet:
                    fences.apply(to: &monitors, since: &version)
                    if let deadline { pending = monitors.expire(at: deadline)[...] }
                case .end:
                    // A dwell that was due before the end comes before it.
                    guard let now = updates.now else { return nil }
                    pending = monitors.expire(at: now)[...]
                    if pending.isEmpty { return nil }
                }
            }
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
        FenceEvents(
            updates: settled().updates(for: request), fences: fences,
            monitor: FenceMonitor(
                fences: [], dwellAfter: dwellAfter, minimumMargin: minimumMargin, assumedAccuracy: assumedAccuracy))
    }

    /// Returns the events of fences in one session; see the form with a `FenceList`.
    public func fenceEvents(
        for fences: [Fence], request: LocationRequest = .everything, dwellAfter: Duration? = nil
    ) -> FenceEvents {
        fenceEvents(for: FenceList(fences), request: request, dwellAfter: dwellAfter)
    }
}
