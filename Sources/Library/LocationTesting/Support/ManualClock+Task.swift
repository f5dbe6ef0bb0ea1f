import LocwatchSupport

extension ManualClock {
    /// The pauses after which a step no longer waits for threads that run, such as those of another test.
    private static let pauses = 4

    /// Advances the clock to one deadline after another until a task has ended, and returns the task's value.
    ///
    /// Before each step the tasks that run finish their work: all other threads of the process sleep, or several pauses of real
    /// time have passed, and in the meantime no task has begun or ended a sleep on the clock.
    ///
    /// ```swift
    /// let event = Task { try await provider.fenceEvents(for: fences).first { _ in true } }
    /// let first = try await clock.advance(untilEndOf: event)
    /// ```
    ///
    /// Use it if the result does not depend on how far the clock is advanced: beside tests that keep the processors busy, the clock
    /// may be advanced once more before the end of the task is noticed. Otherwise advance it in steps.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - pause: The real time between two looks at the threads.
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
        while true {
            var before = state
            for _ in 0..<Self.pauses where !hasEnded.value {
                let isQuiet = !deadlines.isEmpty && OtherThreads.fallAsleep()
                before = state
                // A thread that waits for the queue of another one sleeps for half a millisecond.
                try? await Task.sleep(for: isQuiet ? min(pause, .milliseconds(1)) : pause)
                if isQuiet, state == before, OtherThreads.fallAsleep() { break }
            }
            if hasEnded.value { return try await task.value }
            guard clock.now < end, !Task.isCancelled else {
                throw WaitFailure(
                    waitedFor: "the end of a task on the manual clock at \(now)", limit: limit,
                    wasCancelled: Task.isCancelled, happened: sleepers, of: sleepers.count,
                    nothing: "no task sleeps on it", at: CallSite(fileID: fileID, line: line))
            }
            if state == before, let next = deadlines.first { advance(to: next) }
        }
    }
}
