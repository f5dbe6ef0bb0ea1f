import LocationCore

/// The observation of a gpsd that has accepted a stream, but connects to it in the background (`GPSDQuirks.opensInBackground`).
///
/// gpsd reports no result. Its list of devices has no time for a stream whose connection has failed, and for one that is connected
/// or connecting the time at which it has begun, until data arrives.
struct PendingConnection {
    /// The state of the connection by a list of gpsd's devices.
    enum Outcome { case open, closed, undecided }

    /// The pause between two lists.
    private static let pause = Duration.milliseconds(100)
    /// The time in which a server of several addresses has to send something, before a connection of this process tests it.
    private static let limit = Duration.seconds(2)

    /// Whether no other address of the stream is left to try.
    private let isLast: Bool
    private let start = ContinuousClock.now
    private var due = ContinuousClock.now
    private var began: Timestamp?

    init(isLast: Bool) { self.isLast = isLast }

    var timeLeft: Duration { max(.zero, due - .now) }
    /// Whether a list is to be asked for, or the time is over.
    var isDue: Bool { timeLeft == .zero }
    /// Whether gpsd's lists have not decided in time.
    var isOver: Bool { ContinuousClock.now - start > Self.limit }

    mutating func noteQuestion() { due = .now + Self.pause }

    /// Returns what a list says, in which the device has a time, if any.
    mutating func outcome(of activated: Timestamp?) -> Outcome {
        guard let activated else { return .closed }
        // The last address is taken, also while gpsd still connects to it: its session notices a failure.
        if isLast { return .open }
        guard let began else {
            began = activated
            return .undecided
        }
        return activated == began ? .undecided : .open
    }
}
