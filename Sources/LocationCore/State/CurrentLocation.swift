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
        within limit: Duration = .seconds(60), clock: C
    ) async throws(LocationError) -> Location where C.Duration == Duration {
        let search = Search(accuracy: accuracy, fix: fix, maxAge: maxAge)
        let tracked = tracked(for: LocationRequest(device: device, purpose: .once))
        let start = clock.now
        let outcome = await withTaskGroup(of: Search.Outcome.self) { group in
            group.addTask { await search.run(over: tracked) }
            group.addTask {
                try? await clock.sleep(until: start.advanced(by: limit), tolerance: nil)
                return .timeIsUp
            }
            defer { group.cancelAll() }
            return await group.next() ?? .timeIsUp
        }
        switch outcome {
        case .found(let location): return location
        case .failed(let error): throw error
        case .ended, .timeIsUp:
            if Task.isCancelled { throw .cancelled }
            throw search.shortfall(after: start.duration(to: clock.now))
        }
    }

    /// Returns the first position that is good enough; see the overload with a clock.
    public func current(
        accuracy: Double? = nil, fix: FixKind = .twoD, maxAge: Duration? = nil, device: String? = nil,
        within limit: Duration = .seconds(60)
    ) async throws(LocationError) -> Location {
        try await current(
            accuracy: accuracy, fix: fix, maxAge: maxAge, device: device, within: limit, clock: ContinuousClock())
    }
}

/// A search that one task runs while another waits for the timeout.
private final class Search: Sendable {
    enum Outcome {
        case found(Location)
        case failed(LocationError)
        case ended
        case timeIsUp
    }

    private let search: Lock<PositionSearch>

    init(accuracy: Double?, fix: FixKind, maxAge: Duration?) {
        search = Lock(PositionSearch(accuracy: accuracy, fix: fix, maxAge: maxAge))
    }

    func run(over updates: TrackedUpdates) async -> Outcome {
        do throws(LocationError) {
            var iterator = updates.makeAsyncIterator()
            while let next = try await iterator.next() {
                if let location = search.withLock({ $0.process(next) }) { return .found(location) }
                // Failures can be transient, but a denial is final, so stop at once.
                if case .update(let update) = next, case .failure(let error, _) = update.event, case .denied = error {
                    return .failed(error)
                }
            }
            return .ended
        } catch {
            return .failed(error)
        }
    }

    func shortfall(after time: Duration) -> LocationError {
        search.withLock { $0.shortfall(after: time) }
    }
}
