import LocationCore

/// Detects that the process did not run for a while, and which data was buffered in the meantime.
///
/// After a pause of the process or the machine, the socket's buffer holds old reports, and nothing in them says when
/// they arrived. So everything that is read before the buffer is empty counts as old.
struct PauseWatch: Hashable, Sendable {
    /// The most that a loaded machine delays a process; a longer delay is a pause.
    private static let tolerance = Duration.seconds(1)
    /// The longest time between two runs, so that a pause is noticed also while nothing else is due.
    private static let longestRest = Duration.seconds(3)
    /// The time in which a daemon sends what did not fit into the buffer.
    private static let settling = Duration.milliseconds(500)

    /// The moment at which `run` must be called if nothing else happens before.
    private(set) var deadline: Moment
    private var resumed: Moment?
    private var isDrained = false

    /// Creates a watch of a process that runs at `moment`.
    init(at moment: Moment) { deadline = moment.advanced(by: Self.longestRest) }

    /// Whether what is read now was buffered during a pause.
    var isReadingBacklog: Bool { resumed != nil }

    /// Notes that the process runs at `moment`; returns whether it was to run at `due` and was paused instead.
    mutating func run(at moment: Moment, due: Moment) -> Bool {
        deadline = moment.advanced(by: Self.longestRest)
        if due.duration(to: moment) > Self.tolerance {
            resumed = moment
            isDrained = false
            return true
        }
        if let start = resumed, isDrained, start.duration(to: moment) >= Self.settling { resumed = nil }
        return false
    }

    /// Notes that data was read, and whether the buffer may hold more.
    mutating func read(mayHoldMore: Bool) {
        isDrained = !mayHoldMore
    }
}
