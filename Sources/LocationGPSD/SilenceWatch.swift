import LocationCore

/// Tells a receiver that is silent from a daemon that is dead, by having the daemon asked after a while.
///
/// A value without a clock, which only says what is to be done next, and when.
struct SilenceWatch: Hashable, Sendable {
    enum Action: Hashable, Sendable {
        /// Ask the daemon what its devices do; after the first time, also wake them.
        case ask(isFirst: Bool)
        /// The daemon has not answered: it is gone.
        case giveUp
    }

    private let patience: LivePatience
    /// How long the receiver's cycle is, where it is known.
    var cycle: Duration? {
        // Multiplying a duration is slow, and this is wanted at every report.
        didSet { threeCycles = (cycle ?? .zero) * 3 }
    }
    private var threeCycles = Duration.zero
    /// Whether a device is known to be pulled out, so that its return is looked for more often.
    var isMissing = false
    private var asked = 0
    private var next: Moment
    private var answerDue: Moment?

    /// A watch over a session that begins to listen now.
    init(patience: LivePatience, now: Moment) {
        self.patience = patience
        next = now.advanced(by: patience.silence)
    }

    /// When `expire` has something to say, if nothing is heard before.
    var deadline: Moment { answerDue.map { min($0, next) } ?? next }

    /// Something came from a receiver.
    mutating func heardReceiver(at moment: Moment) {
        isMissing = false
        resume(at: moment)
    }

    /// Starts anew after a pause of the process, in which nothing could be heard.
    mutating func resume(at moment: Moment) {
        asked = 0
        answerDue = nil
        next = moment.advanced(by: max(patience.silence, threeCycles))
    }

    /// Something came from the daemon.
    mutating func heardDaemon() {
        answerDue = nil
    }

    /// What is to be done now; call it again until it says nothing.
    mutating func expire(at moment: Moment) -> Action? {
        if let answerDue, moment >= answerDue { return .giveUp }
        guard moment >= next else { return nil }
        asked += 1
        answerDue = answerDue ?? moment.advanced(by: patience.answer)
        var pause = patience.silence
        let longest = isMissing ? patience.absence : patience.longestSilence
        for _ in 1..<min(asked, 8) { pause = min(pause * 2, longest) }
        next = moment.advanced(by: pause)
        return .ask(isFirst: asked == 1)
    }
}
