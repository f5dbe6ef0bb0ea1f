import Glibc
import LocationCore
import LocationTracks
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The command `record`, which writes the unchanged lines of a session and their times to a file for replay.
final class RecordCommand: Command, SessionHolder, SessionConsumer {
    static let entry = CommandEntry(
        "record", operands: [.required("FILE", .file), .source],
        options: [
            "color", "device", "duration", "fence", "follow", "force", "hook-limit", "no-reconnect",
            "on", "pace", "quiet", "stale", "state", "timeout", "verbose",
        ],
        readsAtOnce: true,
        summary: "write a session to a file that can be replayed",
        description: [
            "Writes every line of gpsd unchanged, with its time and gpsd's line ends (CR LF). FILE is - for standard "
                + "output. An existing file is kept unless --force is given. If a slow disk or reader had no room for lines of a running "
                + "session, the exit code is 74."
        ],
        examples: [
            "locwatch record drive.json": "record until Ctrl-C",
            "locwatch record -x 10m drive.json pi.local": "ten minutes of another machine",
            "locwatch drive.json": "play it",
        ], overview: [0])

    let session: CommandSession
    private let path: String
    private var file: RecordingFile?
    private var hasBegun = false
    /// The number of lines that had no room in the queue of a live session.
    private var leftOut = 0
    private var encoder: RecordingEncoder
    private var updateLines = UpdateLines()

    static func check(_ invocation: Invocation) throws(UsageError) {
        try checkIsNoSource(invocation.word ?? "-")
        try invocation.checkFileToWrite(invocation.word)
        try invocation.checkFencesAreForHooks()
    }

    /// Checks that the file is not a source whose file was forgotten, which would record the gpsd on this machine.
    private static func checkIsNoSource(_ word: String) throws(UsageError) {
        guard !word.hasPrefix("."), let source = try? SourceWord(word, exists: { _ in false }) else { return }
        let isSource =
            if source.recording != nil {
                false
            } else if source.endpoint != nil {
                word.utf8.contains(UInt8(ascii: ":")) || word.hasSuffix(".local")
            } else {
                source.serialPath == nil || word.hasPrefix("/dev/tty")
            }
        guard isSource else { return }
        let name = word.printable
        throw UsageError(
            "record writes to a FILE, which comes first, and \(name) is a SOURCE: try 'locwatch record drive.json \(name)'"
                + (word.hasPrefix("/") ? "" : "; a file of that name is ./\(name)"))
    }

    static func run(_ session: CommandSession) -> ExitCode { RecordCommand(session).run() }

    private init(_ session: CommandSession) {
        self.session = session
        path = session.invocation.word ?? "-"
        encoder = RecordingEncoder(of: session.source, at: session.context.clock.now)
    }

    private func run() -> ExitCode {
        defer {
            file?.finish()
            if !hasBegun { file?.discard() }
        }
        var plan = SessionPlan(path == "-" ? ReaderWatch(context.console) : nil, self)
        plan.request = LocationRequest(includesLines: true, includesClock: true)
        plan.isBatch = true
        plan.access?.writes = [path]
        plan.open = open
        if path != "-" {
            plan.shows.work = { [unowned self] in
                "recording for \($0), \(file?.lines ?? 0) lines, \(file?.bytes ?? 0) bytes"
            }
        }
        let code = session.run(plan, finish: finish)
        if let file, file.failure != nil {
            file.finish()
            // A full disk leaves no empty file.
            if file.bytes > 0 { sayContents(of: file) } else { file.discard() }
        }
        return code
    }

    private func open() throws(StartFailure) {
        do throws(SystemFailure) {
            file = try RecordingFile(path: path, overwrites: settings.file.overwrites, console: context.console)
        } catch {
            let message =
                switch error.code {
                case EEXIST: OutputFailure.track(.exists(path: path)).message
                case ELOOP: OutputFailure.track(.foreign(path: path, cause: "it is a symbolic link")).message
                default: "\(error)"
                }
            throw StartFailure(message, .cannotCreate)
        }
    }

    func begin(_ loop: SessionLoop) { hasBegun = true }

    private func finish(_ ending: Ending, _ loop: SessionLoop) throws(OutputFailure) -> CommandResult {
        guard let file else { return .done() }
        try? flush()
        file.finish()
        if let failure = file.failure { throw failure }
        if let error = emptiness(of: file, ending, loop.view) {
            file.discard()
            return .failed(error)
        }
        sayContents(of: file)
        return .done(code: leftOut > 0 ? .writingFailed : .done)
    }

    private func sayContents(of file: RecordingFile) {
        if leftOut > 0 { narrator.sayFailure("the output was too slow: left out \(leftOut.counting("line"))") }
        let words = "saved \(file.bytes) bytes in \(path == "-" ? "standard output" : path)"
        if let failure = file.failure {
            // A reader that closes the pipe is not an error.
            if failure != .readerGone { narrator.sayFailure(words) }
        } else if path != "-" {
            // A reader of standard output already has the recording.
            narrator.say(words)
        }
    }

    /// Returns the reason why the recording has no useful content, or `nil` if it has some.
    private func emptiness(of file: RecordingFile, _ ending: Ending, _ view: SessionView) -> LocationError? {
        // Lines from a server that is not gpsd are not a session.
        let isEmpty = file.lines == 0 || source.isLive && !view.hasHeard
        if let error = ending.error { return isEmpty || error.isOfNoSession ? error : nil }
        return isEmpty && source.isLive ? ending.shortfall : nil
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) throws(OutputFailure) -> SessionEnd.Reason? {
        for line in updateLines.lines(for: update, view) { encoder.append(line, at: update.moment) }
        return nil
    }

    func serve(_ ready: PollSet) throws(OutputFailure) -> SessionEnd.Reason? {
        try flush()
        return nil
    }

    func prepare(_ wait: inout SessionWait) { file?.addRoom(to: &wait) }

    private func flush() throws(OutputFailure) {
        guard let file else { return }
        if let (bytes, lines) = encoder.pop() {
            // The session must not wait for the reader, and what waits for it must not grow without a limit.
            if source.isLive, file.isFull {
                if leftOut == 0 { narrator.say("the output takes nothing, so that lines are left out until it does") }
                leftOut += lines
            } else {
                file.append(bytes, lines: lines)
            }
        }
        if let failure = file.failure { throw failure }
    }
}

extension LocationError {
    /// Whether the error means that the input was not a session.
    fileprivate var isOfNoSession: Bool {
        switch self {
        case .notASession, .notARawLog, .deviceUnknown: true
        default: false
        }
    }
}
