import LocationCore

/// The last events of a session as lines for people.
struct MonitorLog: Sendable {
    struct Entry: Hashable, Sendable {
        var time: Timestamp
        var word: String
        var text: String
        var tint: CellStyle.Tint
    }

    static let limit = 512
    /// The longest text, because some texts come from outside.
    private static let longestText = 300

    private(set) var entries = Ring<Entry>(limit: MonitorLog.limit)

    mutating func append(_ word: String, _ text: String, at moment: Moment, _ tint: CellStyle.Tint = .plain) {
        let text = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.longestText)))
        entries.append(Entry(time: moment.wall, word: word, text: text, tint: tint))
    }

    /// Returns the newest entries that contain a text in any case, at most `count`, the oldest first, without the
    /// `skipped` newest.
    func newest(_ count: Int, containing filter: String, skipping skipped: Int = 0) -> [Entry] {
        let wanted = Array(filter.lowercased().utf8)
        var found: [Entry] = []
        var skipped = skipped
        for entry in entries.reversed() where found.count < count {
            let matches =
                wanted.isEmpty || Self.contains(entry.text, wanted) || Self.contains(entry.word, wanted)
            guard matches else { continue }
            if skipped > 0 { skipped -= 1 } else { found.append(entry) }
        }
        return found.reversed()
    }

    private static func contains(_ text: String, _ wanted: [UInt8]) -> Bool {
        text.lowercased().containsBytes(of: String(decoding: wanted, as: UTF8.self))
    }
}

/// The last lines of a source, unchanged and with their moments, in memory of limited size.
struct RawLines: Sendable {
    /// The limit of all lines together in bytes.
    static let limit = 768 * 1024

    private(set) var lines: [(bytes: [UInt8], moment: Moment)] = []
    private var first = 0
    private var size = 0

    mutating func append(_ bytes: [UInt8], at moment: Moment) {
        lines.append((bytes, moment))
        size += bytes.count + 64
        while size > Self.limit, first < lines.count {
            size -= lines[first].bytes.count + 64
            lines[first].bytes = []
            first += 1
        }
        if first > lines.count / 2, first > 64 {
            lines.removeFirst(first)
            first = 0
        }
    }

    /// The lines that are still in memory.
    var kept: ArraySlice<(bytes: [UInt8], moment: Moment)> { lines[first...] }
}
