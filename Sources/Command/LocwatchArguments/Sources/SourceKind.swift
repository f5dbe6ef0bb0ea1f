package import LocationCore

/// A kind of source: how its words are parsed and described, and how a session of it is opened.
package protocol SourceKind: Sendable, CustomStringConvertible {
    /// The schemes that select this kind explicitly, such as `serial:`.
    static var prefixes: [String] { get }
    /// The forms of the SOURCE word and their meanings, for the help and the manual page.
    static var help: KeyValuePairs<String, String> { get }
    /// Returns whether a word without a scheme names this kind; the kinds are tried in the order of the table.
    static func recognizes(_ word: String, exists: (String) -> Bool) -> Bool
    /// Parses a word whose prefix has been removed.
    init(_ word: String, prefix: String) throws(UsageError)
    /// The origin of the session in words, such as a host or a path.
    var place: String { get }
    /// Returns the connection in words; `daemon` names the daemon's program and release.
    func connection(to daemon: String) -> String
    /// Opens the source; throws the errors that can be detected before a session begins.
    func open(_ settings: Settings, _ options: SessionOptions) throws(LocationError) -> any LocationProvider
}

extension SourceKind {
    package static func recognizes(_ word: String, exists: (String) -> Bool) -> Bool { false }

    /// The words for a receiver that a gpsd of this program's own reads.
    package func connection(to daemon: String) -> String { "reading \(place) through a private \(daemon)" }
}

/// All kinds of sources, in the order in which a word without a scheme is tried.
package enum SourceTable {
    package static let all: [any SourceKind.Type] = [
        DaemonSource.self, SerialSource.self, StreamSource.self, RecordedSource.self, SimulatedSource.self,
        FleetSource.self,
    ]

    /// The forms of all words and their meanings.
    package static var help: [(term: String, meaning: String)] {
        all.flatMap { $0.help.map { ($0.key, $0.value) } }
    }

    /// The kind of a word that no other kind recognizes.
    static let standard: any SourceKind.Type = DaemonSource.self
}
