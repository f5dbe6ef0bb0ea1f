package import LocationCore
package import LocationGPSD

/// A kind of source that a session can come from.
///
/// A new kind is one type and one entry in `SourceTable`; parsing, help and manual page are derived from it.
package protocol Source: Sendable, CustomStringConvertible {
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
    /// Whether it is known before the session that its updates are about machines with names.
    var namesSubjects: Bool { get }
    /// Whether the source signs in with a password.
    var takesPassword: Bool { get }
    /// Whether the receiver is simulated, so that its clock tells nothing about the time.
    var isSimulated: Bool { get }
    /// The corrections for the receiver, without their password, if it is given any.
    var corrections: CorrectionsSource? { get }
    /// Whether the input is a compressed file.
    var isCompressed: Bool { get }
    /// The size of the input in bytes, if it is known before the session, so that it can be read again.
    var size: Int? { get }
    /// The gpsd that the source asks, if it is one that others can ask too.
    var endpoint: GPSDEndpoint? { get }
    /// The path of the serial device, if the source is one.
    var serialPath: String? { get }
    /// The address of the stream, if the source is one.
    var stream: StreamAddress? { get }
    /// The broker and the topics of a live fleet, if the source is one.
    var fleet: FleetSource? { get }
    /// The simulated receiver, if the source is one.
    var simulated: SimulatedSource? { get }
    /// The recording that a stand-in for gpsd can play from memory, if the source is one.
    var recording: RecordedSource? { get }
    /// The path of the file that the session reads, `-` for standard input, or `nil` if it reads anything else.
    var file: String? { get }
    /// The origin of the session in words, such as a host or a path.
    var place: String { get }
    /// Returns the connection in words; `daemon` names the daemon's program and release.
    func connection(to daemon: String) -> String
    /// Opens the source; throws the errors that can be detected before a session begins.
    func open(_ settings: Settings, _ options: SessionOptions) throws(LocationError) -> any LocationProvider
    /// Returns the path of the requested receiver, if any.
    func device(_ settings: Settings) -> String?
    /// Returns whether a path names the input, so that writing to it would destroy it.
    func isSameFile(as path: String) -> Bool
}

/// The defaults are those of a receiver that cannot do anything special.
extension Source {
    package var namesSubjects: Bool { false }
    package var takesPassword: Bool { corrections?.user != nil }
    package var isSimulated: Bool { false }
    package var corrections: CorrectionsSource? { nil }
    package var isCompressed: Bool { false }
    package var size: Int? { nil }
    package var endpoint: GPSDEndpoint? { nil }
    package var serialPath: String? { nil }
    package var stream: StreamAddress? { nil }
    package var fleet: FleetSource? { nil }
    package var simulated: SimulatedSource? { nil }
    package var recording: RecordedSource? { nil }
    package var file: String? { nil }
    package func isSameFile(as path: String) -> Bool { false }
    package func device(_ settings: Settings) -> String? { settings.device }
}

/// All kinds of sources, in the order in which a word without a scheme is tried.
package enum SourceTable {
    package static let all: [any Source.Type] = [
        DaemonSource.self, SerialSource.self, StreamSource.self, RecordedSource.self, SimulatedSource.self,
        FleetSource.self,
    ]

    /// The kind of a word that no other kind recognizes.
    static let standard: any Source.Type = DaemonSource.self
}
