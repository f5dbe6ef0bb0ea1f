import LocwatchSupport

/// The decision when a manual clock advances to its next deadline.
///
/// The clock knows the sleeps on it, the sessions of scripted sources on it, and its holds, and advances only when all of them are idle.
/// Everything else, such as a task that a reader has started, is given time: it can run until it waits, or for a while.
struct ClockAdvance {
    /// The number of consecutive looks that find the clock idle before it advances.
    ///
    /// Between two of them every task that can run is run, such as one to which a session has passed an event, unless its thread waits for
    /// a processor.
    private static let idleLooks = 8
    /// The time on a processor that each thread at work is given before the clock advances if it knows sessions.
    private static let threadTime = Duration.microseconds(200)
    /// The same if it knows no session: a reader that worked for a millisecond on an event was overtaken in nine of ten events by a clock
    /// that gave the short time.
    private static let readersTime = Duration.milliseconds(5)
    /// The number of pauses after which work that makes no progress is given up.
    private static let pauses = 20
    /// The time on a processor that each thread at work is given before the work is given up.
    private static let longThreadTime = Duration.milliseconds(20)
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
    /// The number by which progress is noticed.
    private var progress = -1
    private var idle = 0
    private var busy = 0
    private var busyPauses = 0
    private var pause = shortestPause
    /// Whether all other threads slept at the last look.
    private var allSlept = false
    private var threads = ThreadProgress()

    /// Whether the clock was advanced so often that it is not advanced again.
    var isExhausted: Bool { deadlines >= Self.mostDeadlines }

    /// Looks at a clock, and advances it to its next deadline if everything on it is idle.
    ///
    /// Returns the time to wait before the next look, or `nil` if another look can follow.
    ///
    /// - Parameter isPatient: Whether threads that do not run, as on a machine that is far too busy, are waited for.
    mutating func look(
        at clock: ManualClock, isPatient: Bool, isolation: isolated (any Actor)? = #isolation
    ) async -> Duration? {
        let activity = clock.activity
        if activity.progress != progress { noteProgress(activity.progress) }
        if activity.working.isEmpty, activity.next != nil {
            idle += 1
            if idle <= Self.idleLooks {
                await Task.yield()
                return nil
            }
            if !isPatient || threads.haveRun(for: activity.knowsSessions ? Self.threadTime : Self.readersTime) {
                // The look at the threads takes a while, in which one of them can have passed on an event.
                let latest = clock.activity
                if latest.progress == progress, latest.working.isEmpty {
                    clock.advanceToNext()
                    deadlines += 1
                }
                return nil
            }
            idle = 0
        } else {
            idle = 0
            busy += 1
            if busy < Self.idleLooks {
                await Task.yield()
                return nil
            }
            // Without a deadline there is nothing to give up for, and a hold is not given up.
            if activity.next != nil, !activity.isHeld {
                if mayGiveUp(isPatient: isPatient) {
                    if clock.activity.progress == progress { clock.ignoreWork() }
                    return nil
                }
            }
        }
        defer {
            waited += pause
            pause = min(pause * 2, Self.longestPause)
        }
        return pause
    }

    /// Returns whether work that makes no progress is given up: all other threads sleep at two looks, or had much time to run.
    private mutating func mayGiveUp(isPatient: Bool) -> Bool {
        busyPauses += 1
        let haveRun = threads.haveRun(for: Self.longThreadTime) || !isPatient
        let allSleep = pause >= Self.longestPause && ThreadProgress.allFallAsleep()
        if allSleep && allSlept || busyPauses > Self.pauses && haveRun { return true }
        allSlept = allSleep
        return false
    }

    private mutating func noteProgress(_ progress: Int) {
        (self.progress, waited) = (progress, .zero)
        (idle, busy, busyPauses, pause) = (0, 0, 0, Self.shortestPause)
        (allSlept, threads) = (false, ThreadProgress())
    }
}
