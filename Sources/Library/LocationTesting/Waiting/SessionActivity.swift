/// The waits of the script of a session and of the task that reads it.
struct SessionActivity {
    enum Script {
        case working
        /// It sleeps on the clock for a time, or is about to.
        case sleeping(Duration)
        case over
    }

    enum Reader {
        /// It has events to take, or works on the last one, in the task with this number.
        case working(task: Int?)
        /// It waits for an event, for a time if that is limited.
        case waiting(limit: Duration?)
        case gone
    }

    /// The number of waits, which tells one wait from the next.
    var waits: Int
    var script: Script
    var reader: Reader

    /// A description of a session that stays open, because its script has ended and a reader waits for more.
    var openText: String? {
        guard case .over = script, case .waiting = reader else { return nil }
        return "a session is open: its script has ended, and `.end` is missing"
    }

    /// A number that identifies the current task while it runs.
    static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}

/// A session that tells the manual clock on which it runs whether it has work before the clock advances.
protocol ClockedSession: AnyObject, Sendable {
    var activity: SessionActivity { get }
}
