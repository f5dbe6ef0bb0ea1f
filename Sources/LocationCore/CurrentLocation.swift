import LocwatchLock

extension LocationProvider {
    /// One position that is good enough, or an error that says what was missing.
    ///
    /// - Parameters:
    ///   - accuracy: the largest horizontal accuracy that will do, in metres; unknown accuracy will not do then.
    ///   - fix: the least kind of fix that will do.
    ///   - maxAge: how old the position may be when it arrives; unknown age will not do then.
    ///   - device: only this receiver.
    ///   - within: how long to wait.
    ///   - clock: the clock of that wait.
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

    /// One position that is good enough, or an error that says what was missing; see the form with a clock.
    public func current(
        accuracy: Double? = nil, fix: FixKind = .twoD, maxAge: Duration? = nil, device: String? = nil,
        within limit: Duration = .seconds(60)
    ) async throws(LocationError) -> Location {
        try await current(
            accuracy: accuracy, fix: fix, maxAge: maxAge, device: device, within: limit, clock: ContinuousClock())
    }
}

/// A search that is run by a task while another one waits for its time to be up.
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
                if let location = search.withLock({ $0.take(next) }) { return .found(location) }
                // What fails may pass; who is refused is not kept waiting.
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
