import LocationCore

/// A timer that distinguishes a silent receiver from a dead daemon by having the daemon asked after a while.
///
/// It has no clock: it only returns the next action and its time.
struct SilenceWatch: Hashable, Sendable {
    enum Action: Hashable, Sendable {
        /// Ask the daemon for the state of its devices; from the second time on, also wake them.
        case ask(isFirst: Bool)
        /// The daemon has not answered in time and counts as gone.
        case giveUp
    }

    private let timeouts: ConnectionTimeouts
    /// The receiver's cycle, if known.
    var cycle: Duration? { didSet { rest = max(timeouts.silence, (cycle ?? .zero) * 3) } }
    /// The time without data after which the daemon is asked, which each report begins anew.
    private var rest: Duration
    /// Whether a device is known to be unplugged, so that its return is checked for more often.
    var isMissing = false
    /// The time of the next action, unless data arrives before.
    private(set) var deadline: Moment
    private var asked = 0
    private var next: Moment
    private var answerDue: Moment?

    /// Creates a timer for a session that begins to listen now.
    init(timeouts: ConnectionTimeouts, now: Moment) {
        self.timeouts = timeouts
        rest = timeouts.silence
        next = now.advanced(by: timeouts.silence)
        deadline = next
    }

    /// Notes that data from a receiver has arrived.
    mutating func heardReceiver(at moment: Moment) {
        isMissing = false
        resume(at: moment)
    }

    /// Restarts the timer after a pause of the process, in which nothing could be received.
    mutating func resume(at moment: Moment) {
        asked = 0
        answerDue = nil
        next = moment.advanced(by: rest)
        deadline = next
    }

    /// Notes that data from the daemon has arrived.
    mutating func heardDaemon() {
        answerDue = nil
        deadline = next
    }

    /// Returns the action that is due, if any; call it until it returns `nil`.
    mutating func expire(at moment: Moment) -> Action? {
        if let answerDue, moment >= answerDue { return .giveUp }
        guard moment >= next else { return nil }
        asked += 1
        let answer = answerDue ?? moment.advanced(by: timeouts.answer)
        let longest = isMissing ? timeouts.absence : timeouts.longestSilence
        next = moment.advanced(by: timeouts.silence.doubled(asked - 1, upTo: longest))
        (answerDue, deadline) = (answer, min(answer, next))
        return .ask(isFirst: asked == 1)
    }
}
