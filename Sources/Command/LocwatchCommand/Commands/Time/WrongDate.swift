import LocationCore
import LocwatchTerminal

/// A receiver's date that cannot be right, so that its time is of no use.
enum WrongDate: Hashable {
    /// The date is off by a multiple of 1,024 weeks, after which GPS' numbers of weeks repeat; negative if it is too early.
    case rollover(weeks: Int)
    /// The date is before the release of this program.
    case old

    private static let week = 7 * 86_400.0
    private static let rollover = 1024 * week
    /// The difference in seconds from the host's clock up to which the clocks agree about the date.
    private static let agreement = 86_400.0
    private static let release = Timestamp("\(Version.date)T00:00:00Z")

    /// Finds what is wrong with the date of a receiver; `nil` if it can be right.
    ///
    /// - Parameters:
    ///   - time: The receiver's time.
    ///   - host: The time of the host's clock at the same moment.
    ///   - isLive: Whether the receiver reports now; one in a recording can be older than this program.
    init?(_ time: Timestamp, host: Timestamp, isLive: Bool) {
        let offset = time.since(host).inSeconds
        let turns = (offset / Self.rollover).rounded()
        if turns != 0, (offset - turns * Self.rollover).magnitude < Self.week {
            self = .rollover(weeks: Int(clamping: turns) * 1024)
        } else if isLive, let release = Self.release, time < release, offset.magnitude > Self.agreement {
            self = .old
        } else {
            return nil
        }
    }

    /// A stable word for programs.
    var code: String {
        switch self {
        case .rollover: "rollover"
        case .old: "old"
        }
    }

    /// Returns what is wrong, for a sentence about a receiver that reports a time.
    func words(_ time: Timestamp) -> String {
        switch self {
        case .rollover(let weeks):
            let right = time.advanced(by: Duration(clampingSeconds: Self.week) * -weeks)
            return "off by \(weeks.magnitude) weeks: it says \(Self.date(time)) instead of \(Self.date(right))"
        case .old: return "wrong: it says \(Self.date(time)), when this version of locwatch did not exist"
        }
    }

    private static func date(_ time: Timestamp) -> String { String(time.formatted(fractionDigits: 0).prefix(10)) }
}
