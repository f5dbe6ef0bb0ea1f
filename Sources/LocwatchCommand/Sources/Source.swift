import LocationCore

/// A kind of place that a session can come from.
///
/// A new kind is one type and one entry in `SourceTable`; parsing, help and the manual page follow from it.
protocol Source: Sendable, CustomStringConvertible {
    /// The schemes that name it explicitly, such as `serial:`.
    static var prefixes: [String] { get }
    /// The forms of its word and their meanings, for help and manual.
    static var help: [(term: String, meaning: String)] { get }
    /// Whether a word without a scheme names it; the kinds are asked in the order of the table.
    static func recognizes(_ word: String, exists: (String) -> Bool) -> Bool
    /// Reads a word, without the prefix that it began with.
    init(_ word: String, prefix: String) throws(UsageError)
    /// Whether the session happens now, and does not come out of a recording.
    var isLive: Bool { get }
    /// Where the session comes from, as a person would say it.
    var place: String { get }
    /// How a daemon of a release is reached, as a person would say it.
    func connection(to daemon: String) -> String
    /// Opens the source; throws what can be known before a session begins.
    func open(_ settings: Settings, _ options: SessionOptions) throws(LocationError) -> any LocationProvider
    /// The receiver that a session asks for.
    func device(_ settings: Settings) -> String?
}

extension Source {
    func device(_ settings: Settings) -> String? { settings.device }
}

/// Every kind of source, in the order in which a word without a scheme is tried.
enum SourceTable {
    static let all: [any Source.Type] = [
        DaemonSource.self, SerialSource.self, RecordedSource.self, SimulatedSource.self,
    ]

    /// What a word is that nothing else recognizes.
    static let standard: any Source.Type = DaemonSource.self
}
