import LocationCore
import LocwatchSupport

extension ManualClock {
    /// Advances the clock to one deadline after another until a task has ended, and returns the task's value.
    ///
    /// Before each step the clock waits until what it knows to wait on it is idle: each task that it has resumed sleeps on it again,
    /// and each session of a ``ScriptedLocationSource`` on it, with its script, waits for an event or a deadline. What happens at a
    /// deadline therefore precedes the end of a limit at the same instant. To everything else, such as the sessions of other
    /// providers and the tasks that a reader starts, it gives turns: every task that could run has run, and every thread sleeps or
    /// has worked for a while, which is 0.2 ms if there is a scripted session, and else 5 ms. Work that takes longer can find that the
    /// clock has advanced, unless it holds the clock meanwhile; see ``hold(for:)``.
    ///
    /// ```swift
    /// let event = Task { try await provider.fenceEvents(for: fences).first { _ in true } }
    /// let first = try await clock.advance(untilEndOf: event)
    /// ```
    ///
    /// A task that waits for something else, such as a task that it has started, looks like one that works. The clock
    /// gives it up when all other threads of the process sleep, or after about 100 ms without a sleep or a wait on the clock in
    /// which each other thread at work had a turn.
    ///
    /// Use it if the result does not depend on how far the clock is advanced: the clock may be advanced once more before the end of
    /// the task is noticed. Otherwise advance it in steps.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - limit: The longest time without progress, in which other tests do not count. A task that has not ended after 100,000 deadlines fails the call too.
    ///   - fileID: The file of the call, for the error.
    ///   - line: The line of the call, for the error.
    /// - Throws: The error of the task, or an `ExpectationFailure` that lists what the clock waits for.
    @discardableResult
    public func advance<Value: Sendable, Failure: Error>(
        untilEndOf task: Task<Value, Failure>, within limit: Duration = .seconds(10),
        fileID: String = #fileID, line: Int = #line
    ) async throws -> Value {
        let hasEnded = Watched(false)
        let watching = Task {
            _ = await task.result
            hasEnded.change { $0 = true }
        }
        defer { watching.cancel() }
        var looks = ClockAdvance()
        while !hasEnded.value {
            guard looks.waited < limit, !Task.isCancelled, !looks.isExhausted else {
                throw failure(of: "the end of a task", after: looks, limit, CallSite(fileID: fileID, line: line))
            }
            guard let pause = await looks.look(at: self, isPatient: looks.waited < limit / 2) else { continue }
            _ = await hasEnded.wait(within: pause, clock: PatientClock()) { $0 }
        }
        return try await task.value
    }

    /// Advances the clock to one deadline after another until a condition holds.
    ///
    /// Use it for code that owns its tasks, such as a view model:
    ///
    /// ```swift
    /// trip.start()
    /// try await clock.advance(until: "the end of the trip") { !trip.isRunning }
    /// ```
    ///
    /// The condition is read by the caller's actor before each step, so that the clock stands at the deadline that has met it. What
    /// the clock waits for before a step, and what it can overtake, is described at ``advance(untilEndOf:within:fileID:line:)``.
    ///
    /// - Parameters:
    ///   - name: A description of the condition for the error.
    ///   - limit: The longest time without progress, in which other tests do not count. A condition that does not hold after 100,000 deadlines fails the call too.
    ///   - isolation: The actor of the caller, which reads the condition.
    ///   - fileID: The file of the call, for the error.
    ///   - line: The line of the call, for the error.
    ///   - condition: Returns whether what is waited for has happened.
    /// - Throws: An `ExpectationFailure` that lists what the clock waits for.
    public func advance(
        until name: String, within limit: Duration = .seconds(10), isolation: isolated (any Actor)? = #isolation,
        fileID: String = #fileID, line: Int = #line, _ condition: () async -> Bool
    ) async throws(ExpectationFailure) {
        var looks = ClockAdvance()
        while await !condition() {
            guard looks.waited < limit, !Task.isCancelled, !looks.isExhausted else {
                throw failure(of: name, after: looks, limit, CallSite(fileID: fileID, line: line))
            }
            guard let pause = await looks.look(at: self, isPatient: looks.waited < limit / 2) else { continue }
            try? await Task.sleep(for: pause)
        }
    }

    /// Returns the failure of a wait that lists what the clock waits for.
    private func failure(
        of name: String, after looks: ClockAdvance, _ limit: Duration, _ callSite: CallSite
    ) -> ExpectationFailure {
        ExpectationFailure(
            waitedFor: "\(name) on the manual clock at \(now), after " + looks.deadlines.counting("deadline"),
            limit: limit, wasCancelled: Task.isCancelled,
            happened: Array((activity.working + activity.open + sleepers).prefix(10)),
            nothing: "no task sleeps on it", at: callSite)
    }
}
