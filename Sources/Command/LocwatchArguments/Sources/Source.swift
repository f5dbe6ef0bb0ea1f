package import LocationCore
package import LocationGPSD

/// The origin of a session, of one of six kinds.
package enum Source: Sendable {
    case daemon(DaemonSource)
    case serial(SerialSource)
    case stream(StreamSource)
    case recorded(RecordedSource)
    case simulated(SimulatedSource)
    case fleet(FleetSource)

    private var kind: any SourceKind {
        switch self {
        case .daemon(let source): source
        case .serial(let source): source
        case .stream(let source): source
        case .recorded(let source): source
        case .simulated(let source): source
        case .fleet(let source): source
        }
    }

    package var place: String { kind.place }

    package func connection(to daemon: String) -> String { kind.connection(to: daemon) }

    package func open(_ settings: Settings, _ options: SessionOptions) throws(LocationError) -> any LocationProvider {
        try kind.open(settings, options)
    }

    /// Whether the session is live rather than recorded.
    package var isLive: Bool { recording == nil }

    /// Whether it is known before the session that its updates are about machines with names.
    package var namesSubjects: Bool { fleet != nil || recording?.namesSubjects ?? false }

    /// Whether the source signs in with a password.
    package var takesPassword: Bool { fleet != nil || (stream?.user ?? corrections?.user) != nil }

    /// The corrections for the receiver, without their password, if it is given any.
    package var corrections: CorrectionsSource? {
        switch self {
        case .serial(let source): source.corrections
        case .simulated(let source): source.options.corrections
        case .daemon, .stream, .recorded, .fleet: nil
        }
    }

    /// The gpsd that the source asks, if it is one that others can ask too.
    package var endpoint: GPSDEndpoint? { if case .daemon(let source) = self { source.endpoint } else { nil } }

    package var serialPath: String? { if case .serial(let source) = self { source.path } else { nil } }

    /// Whether the receiver is at the end of a line that a private gpsd reads.
    package var isLine: Bool {
        switch self {
        case .serial, .simulated: true
        default: false
        }
    }

    package var stream: StreamAddress? { if case .stream(let source) = self { source.address } else { nil } }

    /// The broker and the topics of a live fleet, if the source is one.
    package var fleet: FleetSource? { if case .fleet(let source) = self { source } else { nil } }

    /// The simulated receiver, whose clock tells nothing about the time, if the source is one.
    package var simulated: SimulatedSource? { if case .simulated(let source) = self { source } else { nil } }

    package var recording: RecordedSource? { if case .recorded(let source) = self { source } else { nil } }

    /// Returns the path of the requested receiver, if any.
    package func device(_ settings: Settings) -> String? { settings.request.device ?? endpoint?.device }
}

extension Source: CustomStringConvertible {
    /// The word in full, with its scheme.
    package var description: String { kind.description }
}

/// A kind of source: how its words are parsed and described, and how a session of it is opened.
package protocol SourceKind: Sendable, CustomStringConvertible {
    /// The schemes that select this kind explicitly, such as `serial:`.
    static var prefixes: [String] { get }
    /// The forms of the SOURCE word and their meanings, for the help and the manual page.
    static var help: [(term: String, meaning: String)] { get }
    /// Returns whether a word without a scheme names this kind; the kinds are tried in the order of the table.
    static func recognizes(_ word: String, exists: (String) -> Bool) -> Bool
    /// Parses a word whose prefix has been removed.
    init(_ word: String, prefix: String) throws(UsageError)
    var source: Source { get }
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

    /// The kind of a word that no other kind recognizes.
    static let standard: any SourceKind.Type = DaemonSource.self
}
