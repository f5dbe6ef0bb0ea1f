package import GPSDSimulation
package import LocationCore
package import LocationGPSD
import LocwatchTerminal

/// The SOURCE word of an invocation, which names the origin of the session.
package struct SourceWord: Sendable {
    private let kind: any SourceKind
    /// The word as it was given, if it was.
    private var word: String?

    init(_ kind: any SourceKind) { self.kind = kind }

    package init(_ word: String, exists: (String) -> Bool) throws(UsageError) {
        self.init(try Self.kind(of: word, exists))
        self.word = word
    }

    private static func kind(of word: String, _ exists: (String) -> Bool) throws(UsageError) -> any SourceKind {
        try SourceQuery(word).requireNoPassword()
        for kind in SourceTable.all {
            // A name can begin with a combining mark, which as text is one character with the colon before it.
            for prefix in kind.prefixes where word.utf8.starts(with: prefix.utf8) {
                return try kind.init(String(Substring(word.utf8.dropFirst(prefix.utf8.count))), prefix: prefix)
            }
        }
        for kind in SourceTable.all where kind.recognizes(word, exists: exists) {
            return try kind.init(word, prefix: "")
        }
        if let colon = word.firstIndex(of: ":"), word[colon...].hasPrefix("://") {
            let known = EnglishList.and(SourceTable.all.flatMap { $0.prefixes })
            throw .source(word, "unknown scheme \(word[..<colon]); the schemes are \(known)")
        }
        return try SourceTable.standard.init(word, prefix: "")
    }

    /// The word as it is written in a shell after a command, with a space before it; nothing for the gpsd on this machine.
    package var argument: String { self == .standard ? "" : " " + ShellWords.quoted(word ?? description) }

    /// The command line of `doctor` for the source as a part of a sentence, or `nil` if doctor does not check it.
    package var doctor: String? { isLive ? line("doctor") : nil }

    /// Returns the command line of a command for the source, in quotes unless these would change what a shell reads.
    package func line(_ command: String) -> String { Self.quoted("locwatch \(command)\(argument)") }

    /// Returns the command line that reads a receiver at a path in /dev, in quotes like the others.
    package static func line(reading path: String) -> String { quoted("locwatch \(ShellWords.quoted(path))") }

    private static func quoted(_ line: String) -> String { line.contains("'") ? line : "'\(line)'" }
}

extension SourceWord {
    /// The origin of the session in words, such as a host or a path.
    package var place: String { kind.place }

    /// Returns the connection in words; `daemon` names the daemon's program and release.
    package func connection(to daemon: String) -> String { kind.connection(to: daemon) }

    package func open(_ settings: Settings, _ options: SessionOptions) throws(LocationError) -> any LocationProvider {
        try kind.open(settings, options)
    }

    /// Whether the session is live rather than recorded.
    package var isLive: Bool { kind.isLive }

    /// Whether it is known before the session that it is about a fleet: machines with names, each with a position of its own.
    package var isFleet: Bool { kind.isFleet }

    /// Whether the source signs in with a password.
    package var takesPassword: Bool { kind.takesPassword }

    /// Whether a session needs only files and connections that are known before, so that the program can be confined to them.
    package var isConfinable: Bool { kind.isConfinable }

    /// The files of certificates and keys that the word names.
    package var certificates: [String] { kind.certificates }

    /// The corrections for the receiver, without their password, if it is given any.
    package var corrections: CorrectionsSource? { kind.corrections }

    /// The gpsd that the source asks, if it is one that others can ask too.
    package var endpoint: GPSDEndpoint? { kind.endpoint }

    /// Whether the source is a gpsd of this machine.
    package var isLocalDaemon: Bool { endpoint?.isLocal ?? false }

    /// Whether the source is a gpsd at the usual port.
    package var hasUsualPort: Bool { endpoint.map { $0.port == GPSDEndpoint().port || $0.port == "gpsd" } ?? false }

    /// Whether the receiver is at the end of a line that a private gpsd reads.
    package var isLine: Bool { kind.isLine }

    /// The path of the serial line, if it is one of this machine.
    package var serialPath: String? { kind.serialPath }

    /// The speed that was given for a serial line, in bits per second.
    package var lineSpeed: Int? { kind.lineSpeed }

    /// Whether a gpsd of this machine can change the receiver.
    package var isAdjustable: Bool { kind.isAdjustable }

    /// The address of a stream in a network, if the source is one.
    package var stream: StreamAddress? { kind.stream }

    /// The broker and the topics of a live fleet, if the source is one.
    package var fleet: FleetSource? { kind.fleet }

    /// The recorded session that the source plays, if it is one.
    package var recording: RecordedSource? { kind.recording }

    /// Whether the receiver is simulated, so that its clock tells nothing about the time.
    package var isSimulated: Bool { kind.isSimulated }

    /// Returns the scenario of a simulated receiver, or `nil` for another source.
    package func scenario() throws(LocationError) -> ReceiverScenario? { try kind.scenario() }

    /// Returns the path of the requested receiver, if any.
    package func device(_ settings: Settings) -> String? { settings.request.device ?? endpoint?.device }
}

extension SourceWord: Hashable {
    /// The full form parses to the same source, so equal full forms mean equal sources.
    package static func == (left: SourceWord, right: SourceWord) -> Bool { left.description == right.description }

    package func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension SourceWord: CustomStringConvertible {
    package var description: String { kind.description }
}

extension UsageError {
    static func source(_ word: String, _ reason: String) -> UsageError {
        // The reason can contain a part of the word.
        UsageError("invalid SOURCE \"\(word.printable)\": \(reason.printable)")
    }
}
