import LocwatchSupport

extension ManualClock {
    /// Advances the clock to one deadline after another until a task has ended, and returns the task's value.
    ///
    /// Before each step the clock stands still for `pause` of real time, in which no task has begun or ended a sleep on it, so
    /// that the tasks that run finish their work first:
    ///
    /// ```swift
    /// let event = Task { try await provider.fenceEvents(for: fences).first { _ in true } }
    /// let first = try await clock.advance(untilEndOf: event)
    /// ```
    ///
    /// Use it if the result does not depend on how far the clock is advanced; otherwise advance it in steps.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - pause: The real time of each step.
    ///   - limit: The longest real time to wait.
    ///   - fileID: The file of the call, for the error.
    ///   - line: The line of the call, for the error.
    /// - Throws: The error of the task, or a `WaitFailure`.
    @discardableResult
    public func advance<Value: Sendable, Failure: Error>(
        untilEndOf task: Task<Value, Failure>, pause: Duration = .milliseconds(5),
        within limit: Duration = .seconds(10),
        fileID: String = #fileID, line: Int = #line
    ) async throws -> Value {
        let hasEnded = Watched(false)
        let watching = Task {
            _ = await task.result
            hasEnded.change { $0 = true }
        }
        defer { watching.cancel() }
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: limit)
        var before = state
        while true {
            switch await hasEnded.wait(within: pause, clock: clock, until: { $0 }) {
            case .met: return try await task.value
            case .tooLate where clock.now < end: break
            case let outcome:
                throw WaitFailure(
                    waitedFor: "the end of a task on the manual clock at \(now)", limit: limit,
                    wasCancelled: outcome == .cancelled, happened: sleepers, of: sleepers.count,
                    nothing: "no task sleeps on it", at: CallSite(fileID: fileID, line: line))
            }
            let latest = state
            if latest == before, let next = deadlines.first { advance(to: next) }
            before = latest
        }
    }
}
