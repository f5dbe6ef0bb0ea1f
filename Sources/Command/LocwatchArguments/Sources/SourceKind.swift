package import GPSDSimulation
package import LocationCore
package import LocationGPSD

/// A kind of source: how its words are parsed and described, what it can do, and how a session of it is opened.
///
/// Each ability has a default, that of a live receiver without any; a kind declares those that it has.
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

    /// Whether the session is live rather than recorded.
    var isLive: Bool { get }
    /// Whether it is known before the session that it is about a fleet: machines with names, each with a position of its own.
    var isFleet: Bool { get }
    /// Whether the source signs in with a password.
    var takesPassword: Bool { get }
    /// Whether a session needs only files and connections that are known before, so that the program can be confined to them.
    var isConfinable: Bool { get }
    /// The files of certificates and keys that the word names.
    var certificates: [String] { get }
    /// The corrections for the receiver, without their password, if it is given any.
    var corrections: CorrectionsSource? { get }
    /// The gpsd that the source asks, if it is one that others can ask too.
    var endpoint: GPSDEndpoint? { get }
    /// Whether the receiver is at the end of a line that a private gpsd reads.
    var isLine: Bool { get }
    /// The path of the serial line, if it is one of this machine.
    var serialPath: String? { get }
    /// The speed that was given for a serial line, in bits per second.
    var lineSpeed: Int? { get }
    /// Whether a gpsd of this machine can change the receiver.
    var isAdjustable: Bool { get }
    /// The address of a stream in a network, if the source is one.
    var stream: StreamAddress? { get }
    /// The broker and the topics of a live fleet, if the source is one.
    var fleet: FleetSource? { get }
    /// The recorded session that the source plays, if it is one.
    var recording: RecordedSource? { get }
    /// Whether the receiver is simulated, so that its clock tells nothing about the time.
    var isSimulated: Bool { get }
    /// Returns the scenario of a simulated receiver, or `nil` for another source.
    func scenario() throws(LocationError) -> ReceiverScenario?
}

extension SourceKind {
    package static func recognizes(_ word: String, exists: (String) -> Bool) -> Bool { false }

    /// The words for a receiver that a gpsd of this program's own reads.
    package func connection(to daemon: String) -> String { "reading \(place) through a private \(daemon)" }

    package var isLive: Bool { true }
    package var isFleet: Bool { false }
    package var takesPassword: Bool { corrections?.user != nil }
    package var isConfinable: Bool { false }
    package var certificates: [String] { [] }
    package var corrections: CorrectionsSource? { nil }
    package var endpoint: GPSDEndpoint? { nil }
    package var isLine: Bool { false }
    package var serialPath: String? { nil }
    package var lineSpeed: Int? { nil }
    package var isAdjustable: Bool { endpoint?.isLocal ?? isLine }
    package var stream: StreamAddress? { nil }
    package var fleet: FleetSource? { nil }
    package var recording: RecordedSource? { nil }
    package var isSimulated: Bool { false }
    package func scenario() throws(LocationError) -> ReceiverScenario? { nil }
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
