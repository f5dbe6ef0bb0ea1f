import LocwatchSupport

extension ManualClock {
    /// The turns that other tasks get before each step.
    private static let turns = 20

    /// Advances the clock to one deadline after another until a task has ended, and returns the task's value.
    ///
    /// The tasks that run finish their work first. A deadline that a task has set since the step before is reached at once, because
    /// that task sleeps again. Before another one, such as a timeout that a running task may still cancel, the clock stands
    /// still for `pause` of real time, in which no task has begun or ended a sleep on it:
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
    ///   - pause: The real time before a deadline that is older than the step before.
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
        var before = progress
        // The number of sleeps that had begun at the last step; at first tasks may still start.
        var known = Int.max
        while true {
            for _ in 0..<Self.turns { await Task.yield() }
            let current = progress
            let isRecent = current.waking == 0 && (current.number ?? 0) > known
            switch await hasEnded.wait(within: isRecent ? .zero : pause, clock: clock, until: { $0 }) {
            case .met: return try await task.value
            case .tooLate where clock.now < end && !Task.isCancelled: break
            case let outcome:
                throw WaitFailure(
                    waitedFor: "the end of a task on the manual clock at \(now)", limit: limit,
                    wasCancelled: outcome == .cancelled || Task.isCancelled, happened: sleepers, of: sleepers.count,
                    nothing: "no task sleeps on it", at: CallSite(fileID: fileID, line: line))
            }
            let latest = progress
            guard latest.waking == 0, latest == (isRecent ? current : before), let deadline = latest.deadline else {
                before = latest
                continue
            }
            known = latest.begun
            advance(to: deadline)
            before = progress
        }
    }
}
