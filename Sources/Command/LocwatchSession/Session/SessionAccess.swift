import LocationCore
import GPSDProtocol
import LocwatchArguments
import LocwatchPlatform
import LocwatchTerminal

/// The files and connections that a command needs beside those of its source, to which the program is confined.
package struct SessionAccess {
    /// The files that it reads.
    package var reads: [String] = []
    /// The files that it writes, or their folders; the picture and the files that the session keeps are added, and `-` for standard output is none.
    package var writes: [String] = []
    /// Whether it has connections, as a session of a live source has anyway.
    package var connects = false

    package init(reads: [String] = [], writes: [String] = [], connects: Bool = false) {
        self.reads = reads
        self.writes = writes
        self.connects = connects
    }
}

extension CommandSession {
    /// Confines the program to what a session of a source needs, before the first thread.
    ///
    /// A hook may do anything, and a private gpsd needs more, so that neither of them is confined by this.
    func confine(to access: SessionAccess) {
        guard settings.reactions.hooks.isEmpty, source.isConfinable else { return }
        let needs = needs(connects: access.connects || source.isLive)
        var read = [source.recording?.file].compactMap(\.self).filter { $0 != "-" } + access.reads
        read += Self.libraries(context.environment["LD_LIBRARY_PATH"] ?? "")
        if needs.contains(.connections) {
            // The password of a fleet's broker is read when the source is opened.
            let secrets = !source.takesPassword ? [] : [settings.publishing.passwordFile].compactMap(\.self)
            read += settings.certificates + secrets
            read += Self.pathVariables.flatMap { name in
                (context.environment[name] ?? "").split(separator: ":").map(String.init)
            }
        }
        let written =
            access.writes.filter { $0 != "-" }
            + settings.reactions.keptFiles + [settings.output.plot?.path].compactMap(\.self)
        let isVerbose = settings.output.verbosity == .verbose
        let runsDecoders = needs.contains(.decoders)
        if runsDecoders { RecordedSource.prepareDecoders() }
        // A confined process cannot try any more which parts hold for decoders.
        if isVerbose { _ = context.machine.confinement }
        let parts = context.confine(
            .own(needs, reading: read, writingIn: written, starting: runsDecoders ? RecordedSource.decoders : []))
        guard isVerbose, !parts.isEmpty else { return }
        let words = Self.words(parts, source, needs, written)
        narrator.say("this process \(words) (\(parts))")
    }

    private func needs(connects: Bool) -> Confinement.Needs {
        var needs: Confinement.Needs = connects ? .connections : []
        if source.recording?.needsDecoder(settings) == true { needs.insert(.decoders) }
        let places = [source.place] + settings.publishing.targets.map { "\($0)" }
        // Avahi, which resolves these names, is asked by a socket of this machine.
        if connects, places.contains(where: { $0.containsBytes(of: ".local") }) { needs.insert(.localSockets) }
        return needs
    }

    /// Returns what the process can still do, as the parts that are in force leave it.
    private static func words(
        _ parts: ConfinementParts, _ source: SourceWord, _ needs: Confinement.Needs, _ written: [String]
    ) -> String {
        let connects = needs.contains(.connections)
        guard parts.contains(.files) else {
            return connects || !written.isEmpty
                ? "changes no mode, owner or time of a file, but can read and write your files"
                : "opens no connection, but can read your files"
        }
        if written.isEmpty, !connects { return "can read \(source.place.printable) and nothing else of yours" }
        let places = written.isEmpty ? "no file" : "only beside \(EnglishList.and(written.map(\.printable)))"
        return "writes \(places), and reads none of your other files"
    }

    /// The variables that name files and folders of the libraries for connections.
    private static let pathVariables = ["SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "OPENSSL_CONF"]

    /// Returns the libraries in folders that are separated by colons; such a folder can have other files of the user, which are
    /// not for this process.
    private static func libraries(_ folders: String) -> [String] {
        folders.split { $0 == ":" || $0 == ";" }.flatMap { folder in
            FolderNames.list(String(folder)).filter { $0.hasPrefix("lib") && $0.containsBytes(of: ".so") }
                .map { "\(folder)/\($0)" }
        }
    }
}
