import LocwatchSupport

extension LocationProvider {
    /// Returns the first position that is good enough, or throws the reason why none arrived in time.
    ///
    /// A late position, which its receiver reports after a newer one, is not returned, however good it is: it does not show
    /// where the machine is now.
    ///
    /// - Parameters:
    ///   - accuracy: The largest acceptable horizontal accuracy, in metres; if set, an unknown accuracy is rejected.
    ///   - fix: The least acceptable kind of fix.
    ///   - maxAge: The greatest acceptable age of the position when it arrives; if set, an unknown age is rejected.
    ///   - device: The only receiver to accept, if any.
    ///   - limit: The timeout.
    ///   - clock: The clock of the timeout; by default the session's, which in a recording is the recording's. That of a
    ///     recording from a pipe at the maximum pace stands still while nothing comes.
    public func current(
        accuracy: Double? = nil, fix: FixKind = .twoD, maxAge: Duration? = nil, device: String? = nil,
        within limit: Duration = .seconds(60), clock: (any Clock<Duration>)? = nil
    ) async throws(LocationError) -> Location {
        let search = Search()
        var tracked = tracked(
            for: LocationRequest(
                accuracy: accuracy, maxAge: maxAge, fix: fix, device: device, purpose: .once, limit: limit))
        let outcome: Search.Outcome?
        if let clock {
            let start = SessionClock(clock, startingAt: .now)
            outcome = await withTimeLimit(limit, clock: clock) { [tracked] in await search.run(over: tracked) }
            search.lasted = start.now.elapsed
        } else {
            tracked.updates = tracked.updates.limited(to: limit)
            outcome = await search.run(over: tracked)
        }
        switch outcome {
        case .found(let location): return location
        case .failed(let error): throw error
        case .ended, nil:
            if Task.isCancelled { throw .cancelled }
            throw search.shortfall
        }
    }
}

/// A search that one task runs while another may wait for the timeout.
private final class Search: Sendable {
    enum Outcome {
        case found(Location)
        case failed(LocationError)
        case ended
    }

    private let content = Lock((view: SessionView(), lasted: Duration.zero))

    var lasted: Duration {
        get { content.withLock { $0.lasted } }
        set { content.withLock { $0.lasted = newValue } }
    }

    func run(over updates: TrackedUpdates) async -> Outcome {
        var iterator = updates.makeAsyncIterator()
        do throws(LocationError) {
            while let next = try await iterator.next() {
                let view = iterator.view
                content.withLock { $0.view = view }
                if view.isSatisfied, let (location, _) = next.position { return .found(location) }
                // Failures can be transient, but a denial is final, so stop at once.
                if case .update(let update, _) = next, case .failure(let error, _) = update.event, case .denied = error
                {
                    return .failed(error)
                }
            }
            lasted = iterator.lasted
            return .ended
        } catch {
            return .failed(error)
        }
    }

    /// The reason why there was no position that is good enough.
    var shortfall: LocationError { content.withLock { $0.view.shortfall(after: $0.lasted) } }
}
