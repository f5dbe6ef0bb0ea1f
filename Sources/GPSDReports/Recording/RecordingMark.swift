public import LocationCore

/// A line that locwatch itself puts into its recordings, between gpsd's own: when the lines after it arrived.
///
/// It looks like any other report, of a class that other readers of gpsd's language do not know and pass over.
public struct RecordingMark: Hashable, Sendable {
    /// The class by which the line is known.
    public static let className = "LOCWATCH"

    /// The version of the format, in the first line of a recording.
    public var format: Int?
    /// The version of the program that recorded, in the first line.
    public var version: String?
    /// Where the session came from, in the first line.
    public var source: String?
    /// The civil time at which the session began, in the first line, and again where the host's clock was set.
    public var started: Timestamp?
    /// Seconds from the beginning to the arrival of the lines that follow.
    @Measured public var at: Double?

    /// The values of unknown keys and of kinds that do not fit their keys, as text.
    public var unknownKeys: [String: JSONFragment] = [:]

    /// A mark that tells nothing yet.
    public init() {}
}

extension RecordingMark: KeyedReport {
    enum Key: String, CaseIterable { case format, version, source, started, at }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderMemory
    ) throws(ReportError) {
        var isUnreadable = false
        switch key {
        case .format: format = try scanner.integer()
        case .version: version = try scanner.string()
        case .source: source = try scanner.string()
        case .started: started = try memory.time(from: &scanner, unreadable: &isUnreadable)
        case .at: at = try scanner.number()
        }
    }
}
