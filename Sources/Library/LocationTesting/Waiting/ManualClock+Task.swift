import LocationCore
import LocwatchSupport

extension ManualClock {
    /// The number of consecutive looks that find the clock idle before it advances.
    ///
    /// Between two of them every task that could run has its turn, such as one to which a session has passed an event, unless its
    /// thread waits for a processor.
    private static let quietLooks = 8
    /// The time on a processor that each thread at work has before the clock advances if it knows the sessions on it.
    private static let turn = Duration.microseconds(200)
    /// The same if it knows no session: a reader that works for a millisecond on an event was overtaken in nine of ten events by a
    /// clock that gave the short turn.
    private static let readersTurn = Duration.milliseconds(5)
    /// The number of pauses after which work that makes no progress is given up.
    private static let pauses = 20
    /// The time on a processor that each thread at work has before the work is given up.
    private static let longTurn = Duration.milliseconds(20)
    /// The longest pause between two looks.
    private static let longestPause = Duration.milliseconds(5)
    /// The number of deadlines after which a task that has not ended is taken for one that never does.
    private static let mostDeadlines = 100_000

    /// Advances the clock to one deadline after another until a task has ended, and returns the task's value.
    ///
    /// Before each step the clock waits until what it knows to wait on it is idle: each task that it has resumed sleeps on it again,
    /// and each session of a ``ScriptedLocationSource`` on it, with its script, waits for an event or a deadline. What happens at a
    /// deadline therefore precedes the end of a limit at the same instant. To everything else, such as the sessions of other
    /// providers, it gives turns: every task that could run has run, and every thread sleeps or has worked for 5 ms. A reader of
    /// such a session that works longer on one event can find that the clock has advanced.
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
        var (deadlines, quiet, idlePauses, looks, pause) = (0, 0, 0, 0, Duration.microseconds(200))
        var (progress, waited) = (-1, Duration.zero)
        var (haveSlept, turns) = (false, OtherThreads.Turns())
        while !hasEnded.value {
            let activity = activity
            if activity.progress != progress {
                (progress, waited) = (activity.progress, .zero)
                (quiet, idlePauses, looks, pause) = (0, 0, 0, .microseconds(200))
                (haveSlept, turns) = (false, OtherThreads.Turns())
            }
            guard waited < limit, !Task.isCancelled, deadlines < Self.mostDeadlines else {
                let waiting = Array((activity.working + sleepers).prefix(10))
                throw ExpectationFailure(
                    waitedFor: "the end of a task on the manual clock at \(now), after "
                        + deadlines.counting("deadline"),
                    limit: limit, wasCancelled: Task.isCancelled, happened: waiting,
                    nothing: "no task sleeps on it", at: CallSite(fileID: fileID, line: line))
            }
            // A thread that has no turn for so long, as on a machine that is far too busy, is not waited for.
            let isPatient = waited < limit / 2
            if activity.working.isEmpty, activity.next != nil {
                quiet += 1
                if quiet <= Self.quietLooks {
                    await Task.yield()
                    continue
                }
                if !isPatient || turns.come(after: activity.knowsSessions ? Self.turn : Self.readersTurn) {
                    // The look at the threads takes a while, in which one of them can have passed on an event.
                    let latest = self.activity
                    if latest.progress == progress, latest.working.isEmpty {
                        advanceToNext()
                        deadlines += 1
                    }
                    continue
                }
                quiet = 0
            } else {
                quiet = 0
                looks += 1
                if looks < Self.quietLooks {
                    await Task.yield()
                    continue
                }
                // Without a deadline there is nothing to give up for.
                if activity.next != nil {
                    idlePauses += 1
                    let hadTurns = turns.come(after: Self.longTurn) || !isPatient
                    let sleep = pause >= Self.longestPause && OtherThreads.fallAsleep()
                    if sleep && haveSlept || idlePauses > Self.pauses && hadTurns {
                        if self.activity.progress == progress { ignoreWork() }
                        continue
                    }
                    haveSlept = sleep
                }
            }
            _ = await hasEnded.wait(within: pause, clock: PatientClock()) { $0 }
            waited += pause
            pause = min(pause * 2, Self.longestPause)
        }
        return try await task.value
    }
}
