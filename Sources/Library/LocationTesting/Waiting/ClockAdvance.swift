import LocwatchSupport

/// The looks at a manual clock after which it advances to its next deadline.
///
/// Before it advances, the clock waits until what it knows to wait on it is idle, and gives turns to everything else.
struct ClockAdvance {
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
    /// The shortest pause between two looks.
    private static let shortestPause = Duration.microseconds(200)
    /// The longest pause between two looks.
    private static let longestPause = Duration.milliseconds(5)
    /// The number of deadlines after which what is waited for is taken for something that never happens.
    private static let mostDeadlines = 100_000

    /// The number of deadlines to which the clock was advanced.
    private(set) var deadlines = 0
    /// The time of the pauses since the last progress.
    private(set) var waited = Duration.zero
    private var progress = -1
    private var quiet = 0
    private var idlePauses = 0
    private var looks = 0
    private var pause = shortestPause
    private var haveSlept = false
    private var turns = OtherThreads.Turns()

    /// Whether the clock was advanced so often that it is not advanced again.
    var isExhausted: Bool { deadlines >= Self.mostDeadlines }

    /// Looks at a clock, and advances it to its next deadline if everything on it is idle.
    ///
    /// Returns the time to wait before the next look, or `nil` if another look can follow.
    ///
    /// - Parameter isPatient: Whether threads that have no turn, as on a machine that is far too busy, are waited for.
    mutating func look(
        at clock: ManualClock, isPatient: Bool, isolation: isolated (any Actor)? = #isolation
    ) async -> Duration? {
        let activity = clock.activity
        if activity.progress != progress { noteProgress(activity.progress) }
        if activity.working.isEmpty, activity.next != nil {
            quiet += 1
            if quiet <= Self.quietLooks {
                await Task.yield()
                return nil
            }
            if !isPatient || turns.come(after: activity.knowsSessions ? Self.turn : Self.readersTurn) {
                // The look at the threads takes a while, in which one of them can have passed on an event.
                let latest = clock.activity
                if latest.progress == progress, latest.working.isEmpty {
                    clock.advanceToNext()
                    deadlines += 1
                }
                return nil
            }
            quiet = 0
        } else {
            quiet = 0
            looks += 1
            if looks < Self.quietLooks {
                await Task.yield()
                return nil
            }
            // Without a deadline there is nothing to give up for.
            if activity.next != nil {
                idlePauses += 1
                let hadTurns = turns.come(after: Self.longTurn) || !isPatient
                let sleep = pause >= Self.longestPause && OtherThreads.fallAsleep()
                if sleep && haveSlept || idlePauses > Self.pauses && hadTurns {
                    if clock.activity.progress == progress { clock.ignoreWork() }
                    return nil
                }
                haveSlept = sleep
            }
        }
        defer {
            waited += pause
            pause = min(pause * 2, Self.longestPause)
        }
        return pause
    }

    private mutating func noteProgress(_ progress: Int) {
        (self.progress, waited) = (progress, .zero)
        (quiet, idlePauses, looks, pause) = (0, 0, 0, Self.shortestPause)
        (haveSlept, turns) = (false, OtherThreads.Turns())
    }
}
