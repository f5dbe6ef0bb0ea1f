import LocationCore

/// The moments of what a session tells: those of its arrival, or those that a recording contains.
///
/// The reports of a live session get the moment at which they arrived. A recording has stamps before its lines or marks between them,
/// or else the times of its receivers, of which the greatest so far counts (`RecordingClock`). What a recording tells before its first
/// time waits for that, up to a limit of number and size.
struct Dating {
    /// A report with its line, if lines are included, or an event, which waits for the first time.
    enum Waiting {
        case report(GPSDReport, line: [UInt8])
        case event(LocationEvent)
    }

    /// The number of reports and events that wait for the recording's first time before it is taken to have none.
    private static let limit = 256
    /// The number of bytes of their lines: the reports of long lines take much memory.
    private static let bytesLimit = 1 << 20

    /// The moment at which the bytes arrived that are read now; `nil` in a recording.
    var arrival: Moment?
    private var clock = RecordingClock()
    /// The reports and events that wait, or `nil` as soon as nothing has to wait any more.
    private var waiting: [Waiting]? = []
    private var count = 0
    private var bytes = 0

    /// The moment of what is read now, or `nil` if it has to wait.
    var moment: Moment? { arrival ?? clock.now ?? (waiting == nil ? .unknown : nil) }

    /// The moment of the last line of a recording, if it is known.
    var now: Moment? { clock.now }

    /// Whether the recording contains the times at which its lines arrived.
    var isStamped: Bool { clock.isStamped }

    /// Whether something waits for the recording's first time.
    var isHolding: Bool { waiting?.isEmpty == false }

    /// Whether nothing has to wait any more, so that what waits can be taken.
    var isDue: Bool { waiting != nil && (clock.now != nil || count >= Self.limit || bytes >= Self.bytesLimit) }

    /// Advances a recording to one of its reports, before which it may have a stamp.
    mutating func follow(_ report: GPSDReport, stamp: Timestamp?) { clock.follow(report, stamp: stamp) }

    /// Advances to the host's time while a recording from a pipe has none of its own.
    mutating func pass(to moment: Moment) { clock.pass(to: moment) }

    /// Holds a report of a line until the recording's first time.
    mutating func hold(_ report: GPSDReport, line: [UInt8], bytes: Int) {
        waiting?.append(.report(report, line: line))
        count += 1
        self.bytes += bytes
    }

    /// Holds an event until the recording's first time.
    mutating func hold(_ event: LocationEvent) {
        waiting?.append(.event(event))
        // The lines themselves come with the reports, which count.
        if case .line = event { return }
        count += 1
    }

    /// Returns what waits; from now on nothing does.
    mutating func release() -> [Waiting] { waiting.take() ?? [] }
}
