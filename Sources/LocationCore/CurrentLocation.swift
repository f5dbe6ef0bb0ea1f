import Synchronization

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

/// A search for one position, and what it has seen so far.
private final class Search: Sendable {
    enum Outcome {
        case found(Location)
        case failed(LocationError)
        case ended
        case timeIsUp
    }

    private struct Seen {
        var state = LocationState.searching(.starting)
        var hasHeard = false
        var tooCoarse: Location?
        var tooOld: Location?
        var tooFlat: Location?
    }

    private let accuracy: Double?
    private let fix: FixKind
    private let maxAge: Duration?
    private let seen = Mutex(Seen())

    init(accuracy: Double?, fix: FixKind, maxAge: Duration?) {
        self.accuracy = accuracy
        self.fix = fix
        self.maxAge = maxAge
    }

    func run(over updates: TrackedUpdates) async -> Outcome {
        do throws(LocationError) {
            var iterator = updates.makeAsyncIterator()
            while let next = try await iterator.next() {
                if let location = take(next) { return .found(location) }
            }
            return .ended
        } catch {
            return .failed(error)
        }
    }

    /// What was missing when the time was up or the session over.
    func shortfall(after time: Duration) -> LocationError {
        seen.withLock { seen in
            if let best = seen.tooCoarse, let accuracy { return .noFix(.tooCoarse(best: best, wanted: accuracy)) }
            if let best = seen.tooOld, let maxAge { return .noFix(.tooOld(best: best, wanted: maxAge)) }
            if let best = seen.tooFlat { return .noFix(.tooFlat(best: best, wanted: fix)) }
            switch seen.state {
            case .error(let error): return error
            case .searching(let reason) where seen.hasHeard || reason.kind.tellsOfReceivers:
                return .noFix(.noPosition(after: time, reason: reason))
            case .searching: return .noFix(.nothingHeard(after: time))
            case .found(let location):
                return .noFix(.tooFlat(best: location, wanted: fix))
            }
        }
    }

    /// Remembers what came, and answers with a position that is good enough.
    private func take(_ next: TrackedUpdate) -> Location? {
        seen.withLock { seen in
            switch next {
            case .transition(let transition):
                seen.state = transition.to
                return nil
            case .update(let update):
                switch update.event {
                case .location(let location):
                    seen.hasHeard = true
                    return judge(location, &seen)
                case .satellites: seen.hasHeard = true
                case .searching, .failure, .device, .authorization, .notice: break
                }
                return nil
            }
        }
    }

    private func judge(_ location: Location, _ seen: inout Seen) -> Location? {
        guard !location.isLate, case .found = seen.state else { return nil }
        guard location.fix >= fix else {
            seen.tooFlat = location
            return nil
        }
        if let maxAge, location.ageWhenReceived.map({ $0 > maxAge }) ?? true {
            seen.tooOld = location
            return nil
        }
        if let accuracy, location.horizontalAccuracy.map({ $0 > accuracy }) ?? true {
            let best = seen.tooCoarse?.horizontalAccuracy ?? .infinity
            if seen.tooCoarse == nil || location.horizontalAccuracy ?? .infinity < best { seen.tooCoarse = location }
            return nil
        }
        return location
    }
}

extension SearchReason.Kind {
    /// Whether the reason says something about receivers, and not only about the way to them.
    fileprivate var tellsOfReceivers: Bool {
        switch self {
        case .starting, .connecting, .connected: false
        case .noDevice, .noFix, .deviceLost, .deviceUnopenable, .deviceSilent, .deviceBabbling, .silent: true
        }
    }
}
