import LocwatchSupport

extension LocationProvider {
    /// Returns the first position that is good enough, or throws the reason why none arrived in time.
    ///
    /// - Parameters:
    ///   - accuracy: The largest acceptable horizontal accuracy, in metres; if set, an unknown accuracy is rejected.
    ///   - fix: The least acceptable kind of fix.
    ///   - maxAge: The greatest acceptable age of the position when it arrives; if set, an unknown age is rejected.
    ///   - device: The only receiver to accept, if any.
    ///   - limit: The timeout.
    ///   - clock: The clock of the timeout.
    public func current<C: Clock>(
        accuracy: Double? = nil, fix: FixKind = .twoD, maxAge: Duration? = nil, device: String? = nil,
        within limit: Duration = .seconds(60), clock: C = ContinuousClock()
    ) async throws(LocationError) -> Location where C.Duration == Duration {
        let search = Search()
        let tracked = tracked(
            for: LocationRequest(
                accuracy: accuracy, maxAge: maxAge, fix: fix, device: device, purpose: .once, limit: limit))
        let start = clock.now
        switch await withTimeLimit(limit, clock: clock, { [tracked] in await search.run(over: tracked) }) {
        case .found(let location): return location
        case .failed(let error): throw error
        case .ended, nil:
            if Task.isCancelled { throw .cancelled }
            throw search.shortfall(after: start.duration(to: clock.now))
        }
    }
}

/// A search that one task runs while another waits for the timeout.
private final class Search: Sendable {
    enum Outcome {
        case found(Location)
        case failed(LocationError)
        case ended
    }

    private let view = Lock(SessionView())

    func run(over updates: TrackedUpdates) async -> Outcome {
        var iterator = updates.makeAsyncIterator()
        do throws(LocationError) {
            while let next = try await iterator.next() {
                let current = iterator.view
                view.withLock { $0 = current }
                if current.isSatisfied, let (location, _) = next.position { return .found(location) }
                // Failures can be transient, but a denial is final, so stop at once.
                if case .update(let update, _) = next, case .failure(let error, _) = update.event, case .denied = error
                {
                    return .failed(error)
                }
            }
            return .ended
        } catch {
            return .failed(error)
        }
    }

    func shortfall(after time: Duration) -> LocationError { view.withLock { $0.shortfall(after: time) } }
}
