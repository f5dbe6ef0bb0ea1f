import LocationCore

/// A receiver that is heard for the first time, at a time that the recording has not reached.
///
/// Either the recording pauses until then, or the clock of this receiver is ahead of the others. The reports that follow
/// tell: the others are silent after a pause, but report side by side with a receiver whose clock is ahead.
struct Newcomer {
    /// The number of reports and events that wait at most, and the number of bytes of their lines.
    private static let limits = (count: 256, bytes: 1 << 20)
    /// The shortest silence of the others that shows that they have ended.
    private static let shortestSilence = Duration.seconds(3)

    /// The time by which the receiver is ahead.
    let lead: Duration
    /// The reports and events from the receiver's first report on.
    private(set) var waiting: [SessionReader.Waiting] = []
    private let device: String?
    private let time: Timestamp
    private let silence: Duration
    private var bytes = 0

    /// Creates a newcomer with the time of its first report, its lead, and the interval of the other receivers.
    init(_ device: String?, at time: Timestamp, lead: Duration, interval: Duration) {
        self.device = device
        self.time = time
        self.lead = lead
        silence = max(Self.shortestSilence, interval * 3)
    }

    /// Adds the first report, or what follows it.
    mutating func add(_ waiting: SessionReader.Waiting, bytes: Int = 0) {
        self.waiting.append(waiting)
        self.bytes += bytes
    }

    /// Returns whether the lead has passed, or `nil` if the last report and those before it do not tell.
    func hasPassed(at report: GPSDReport, in clock: RecordingClock) -> Bool? {
        if let step = clock.step(to: report), step > .zero { return step >= lead }
        if let own = report.ownTime, own.device == device, own.time.since(time) > silence { return true }
        return waiting.count >= Self.limits.count || bytes >= Self.limits.bytes ? true : nil
    }
}
