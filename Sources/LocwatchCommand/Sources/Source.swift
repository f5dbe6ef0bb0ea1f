import LocationCore

/// A kind of source that a session can come from.
///
/// A new kind is one type and one entry in `SourceTable`; parsing, help and manual page are derived from it.
protocol Source: Sendable, CustomStringConvertible {
    /// The schemes that select this kind explicitly, such as `serial:`.
    static var prefixes: [String] { get }
    /// The forms of the SOURCE word and their meanings, for the help and the manual page.
    static var help: [(term: String, meaning: String)] { get }
    /// Returns whether a word without a scheme names this kind; the kinds are tried in the order of the table.
    static func recognizes(_ word: String, exists: (String) -> Bool) -> Bool
    /// Parses a word whose prefix has been removed.
    init(_ word: String, prefix: String) throws(UsageError)
    /// Whether the session is live rather than recorded.
    var isLive: Bool { get }
    /// Whether the session is that of a fleet, whose devices each have a position of their own.
    var isFleet: Bool { get }
    /// Whether the source signs in with a password, which comes from the environment or from a file.
    var takesPassword: Bool { get }
    /// The origin of the session in words, such as a host or a path.
    var place: String { get }
    /// Returns the connection in words; `daemon` names the daemon's program and release.
    func connection(to daemon: String) -> String
    /// Opens the source; throws the errors that can be detected before a session begins.
    func open(_ settings: Settings, _ options: SessionOptions) throws(LocationError) -> any LocationProvider
    /// Returns the path of the requested receiver, if any.
    func device(_ settings: Settings) -> String?
}

extension Source {
    var isFleet: Bool { false }
    var takesPassword: Bool { false }
    func device(_ settings: Settings) -> String? { settings.device }
}

/// All kinds of sources, in the order in which a word without a scheme is tried.
enum SourceTable {
    static let all: [any Source.Type] = [
        DaemonSource.self, SerialSource.self, StreamSource.self, RecordedSource.self, SimulatedSource.self,
        FleetSource.self,
    ]

    /// The kind of a word that no other kind recognizes.
    static let standard: any Source.Type = DaemonSource.self
}
