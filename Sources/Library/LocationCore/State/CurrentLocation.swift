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
        let progress = Lock((view: SessionView(), lasted: Duration.zero))
        var tracked = tracked(
            for: LocationRequest(
                accuracy: accuracy, maxAge: maxAge, fix: fix, device: device, purpose: .once, limit: limit))
        let found: Result<Location?, LocationError>?
        if let clock {
            let start = SessionClock(clock, startingAt: .now)
            found = await withTimeLimit(limit, clock: clock) { [tracked] in await tracked.firstGood(progress) }
            progress.withLock { $0.lasted = start.now.elapsed }
        } else {
            tracked.updates = tracked.updates.limited(to: limit)
            found = await tracked.firstGood(progress)
        }
        if let location = try found?.get() { return location }
        if Task.isCancelled { throw .cancelled }
        throw progress.withLock { $0.view.shortfall(after: $0.lasted) }
    }
}

extension TrackedUpdates {
    /// Returns the first position that is good enough, or `nil` if the session ends without one.
    ///
    /// The view so far is noted, because another task may wait for the timeout.
    fileprivate func firstGood(
        _ progress: borrowing Lock<(view: SessionView, lasted: Duration)>
    ) async -> Result<Location?, LocationError> {
        var iterator = makeAsyncIterator()
        do throws(LocationError) {
            while let next = try await iterator.next() {
                let view = iterator.view
                progress.withLock { $0.view = view }
                if let answer = view.answer(by: next) { return answer.map { $0 } }
            }
            let lasted = iterator.lasted
            progress.withLock { $0.lasted = lasted }
            return .success(nil)
        } catch {
            return .failure(error)
        }
    }
}
