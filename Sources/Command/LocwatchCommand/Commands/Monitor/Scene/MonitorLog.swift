import LocationCore
import LocwatchPrinting
import LocwatchSupport
import LocwatchTerminal

/// The last events of a session as lines for people.
struct MonitorLog: Sendable {
    struct LogLine: Sendable {
        var time: Timestamp
        var word: String
        var text: String
        /// The position behind the text, which is shown with the units and the degrees of the view.
        var place: Place?
        var tint: CellStyle.Tint

        func words(_ style: TextStyle) -> String {
            guard let place else { return text }
            return "\(text): \(TransitionText.place(place.coordinate, accuracy: place.accuracy, style))"
        }
    }

    /// The parts of a position that an entry shows.
    typealias Place = (coordinate: Coordinate, accuracy: Double?)

    static let limit = 512
    /// The longest text, because some texts come from outside.
    private static let longestText = 300

    private(set) var entries = Ring<LogLine>(limit: MonitorLog.limit)

    mutating func append(
        _ word: String, _ text: String, _ place: Place? = nil, at moment: Moment, _ tint: CellStyle.Tint = .plain
    ) {
        let text = String(text.unicodeScalars.prefix(Self.longestText))
        entries.append(LogLine(time: moment.wall, word: word, text: text, place: place, tint: tint))
    }

    /// Returns the newest entries that contain a text in any case, at most `count`, the oldest first, without the
    /// `skipped` newest as far as there are enough older ones.
    func newest(_ count: Int, containing filter: String, skipping skipped: Int, _ style: TextStyle) -> [LogLine] {
        let wanted = filter.lowercased()
        // A loop, because a lazy filter would ask for each entry twice.
        var found: [LogLine] = []
        for entry in entries.reversed() where found.count < count + skipped {
            let isWanted =
                wanted.isEmpty
                || [entry.words(style), entry.word].contains { $0.lowercased().containsBytes(of: wanted) }
            if isWanted { found.append(entry) }
        }
        return found.suffix(count).reversed()
    }
}

/// The last lines of a source, unchanged and with their moments, in memory of limited size.
struct RawLines: Sendable {
    /// The limit of all lines together in bytes.
    static let limit = 768 * 1024

    /// The size that the bookkeeping of a line adds to its bytes.
    private static let overhead = 64

    /// The lines that are still in memory.
    private(set) var kept: [(bytes: [UInt8], moment: Moment)] = []
    private var size = 0
    /// The last lines of the classes at the beginning of a session, which a recording needs although they are old.
    private var greeting: [(bytes: [UInt8], moment: Moment)] = []
    private static let greetingClasses = ["VERSION", "DEVICES", "WATCH"].map { Array("{\"class\":\"\($0)\"".utf8) }

    mutating func append(_ bytes: [UInt8], at moment: Moment) {
        kept.append((bytes, moment))
        size += bytes.count + Self.overhead
        guard size > Self.limit else { return }
        // An eighth at once, because removing from the front moves the rest.
        var removed = 0
        while size > Self.limit / 8 * 7, removed < kept.count {
            size -= kept[removed].bytes.count + Self.overhead
            keepGreeting(kept[removed])
            removed += 1
        }
        kept.removeFirst(removed)
    }

    private mutating func keepGreeting(_ line: (bytes: [UInt8], moment: Moment)) {
        guard let start = Self.greetingClasses.first(where: { line.bytes.starts(with: $0) }),
            line.bytes.count < Self.limit / 16
        else { return }
        greeting.removeAll { $0.bytes.starts(with: start) }
        greeting.append(line)
    }

    /// The lines of a recording of what is in memory.
    var recording: [(bytes: [UInt8], moment: Moment)] { greeting + kept }
}
