import Glibc
import LocationCore
import LocationTracks
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The command `record`, which writes the unchanged lines of a session and their times to a file for replay.
final class RecordCommand: Command, SessionConsumer {
    static let entry = CommandEntry(
        "record", operands: [.required("FILE", .file), .source],
        options: [
            "color", "device", "duration", "fence", "follow", "force", "no-reconnect", "on", "pace", "quiet",
            "stale", "timeout", "verbose",
        ],
        summary: "write a session to a file that can be replayed",
        description: [
            "Writes every line of gpsd unchanged, with its time and gpsd's line ends (CR LF). FILE is - for standard "
                + "output. An existing file is kept unless --force is given."
        ],
        examples: [
            .init(line: "locwatch record drive.json", explanation: "record until Ctrl-C", isForOverview: true),
            .init(line: "locwatch record -x 10m drive.json pi.local", explanation: "ten minutes of another machine"),
            .init(line: "locwatch drive.json", explanation: "play it"),
        ])

    private let context: CommandContext
    private let session: CommandSession
    private let source: SourceWord
    private let settings: Settings
    private let path: String
    private var file: RecordingFile?
    private var hasBegun = false
    private var encoder: RecordingEncoder
    private var updateLines = UpdateLines()
    private let reader: ReaderWatch

    static func check(_ invocation: Invocation) throws(UsageError) {
        try invocation.checkFileToWrite(invocation.word)
        try invocation.checkFencesAreForHooks()
    }

    static func run(_ invocation: Invocation, _ context: CommandContext) -> ExitCode {
        RecordCommand(invocation, context).run()
    }

    private init(_ invocation: Invocation, _ context: CommandContext) {
        self.context = context
        source = invocation.source
        path = invocation.word ?? "-"
        settings = invocation.settings.withoutWaiting(for: source)
        session = CommandSession(context, settings)
        reader = ReaderWatch(context.console, isNeeded: path == "-")
        encoder = RecordingEncoder(of: source, at: context.clock.now)
    }

    private func run() -> ExitCode {
        // Before the thread that writes.
        session.confine(to: source, writing: path == "-" ? [] : [path])
        let file: RecordingFile
        do throws(SystemFailure) {
            file = try RecordingFile(path: path, overwrites: settings.overwrites, console: context.console)
        } catch {
            switch error.code {
            case EEXIST: session.narrator.sayFailure(OutputFailure.track(.exists(path: path)).message)
            case ELOOP:
                let failure = OutputFailure.track(.foreign(path: path, cause: "it is a symbolic link"))
                session.narrator.sayFailure(failure.message)
            default: session.narrator.sayFailure("\(error)")
            }
            return .cannotCreate
        }
        self.file = file
        defer {
            file.finish()
            if !hasBegun { file.discard() }
        }
        var plan = SessionPlan(source, self)
        plan.request = LocationRequest(includesLines: true, includesClock: true)
        plan.limits = settings.limits(isBatch: true)
        plan.writes = nil
        if path != "-" { plan.shows.work = { "recording for \($0), \(file.lines) lines, \(file.bytes) bytes" } }
        return session.run(plan) { loop, outcome in
            try? flush()
            file.finish()
            return end(file, loop, outcome)
        }
    }

    func begin(_ loop: SessionLoop) { hasBegun = true }

    private func end(
        _ file: RecordingFile, _ loop: SessionLoop, _ outcome: SessionOutcome
    ) -> ExitCode {
        var outcome = outcome
        let view = loop.view
        let shortfall = view.shortfall(after: loop.lasted)
        if file.failure == nil, let error = emptiness(of: file, outcome, shortfall, view) {
            file.discard()
            let code = session.fail(error)
            if case .signal(let number) = outcome { return session.die(of: number) }
            return code
        }
        if let failure = file.failure { outcome = .output(failure) }
        if file.failure == nil { sayContents(of: file) }
        let code = session.end(outcome, shortfall: shortfall, absence: loop.absence(of: source)) { _ in }
        if file.failure != nil, file.bytes > 0 { sayContents(of: file) }
        return code
    }

    private func sayContents(of file: RecordingFile) {
        let words = "saved \(file.bytes) bytes in \(path == "-" ? "standard output" : path)"
        if let failure = file.failure {
            // A reader that closes the pipe is not an error.
            if failure != .readerGone { session.narrator.sayFailure(words) }
        } else if path != "-" {
            // A reader of standard output already has the recording.
            session.narrator.say(words)
        }
    }

    /// Returns the reason why the recording has no useful content, or `nil` if it has some.
    private func emptiness(
        of file: RecordingFile, _ outcome: SessionOutcome, _ shortfall: LocationError, _ view: SessionView
    ) -> LocationError? {
        // Lines from a server that is not gpsd are not a session.
        let isEmpty = file.lines == 0 || source.isLive && !view.hasHeard
        return switch outcome {
        case .failed(let error): isEmpty || error.isOfNoSession ? error : nil
        case .ended, .signal: isEmpty && source.isLive ? view.failure?.error ?? shortfall : nil
        case .output: nil
        }
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) throws(OutputFailure) -> SessionEnd.Reason? {
        for line in updateLines.lines(for: update, view) { encoder.append(line, at: update.moment) }
        return nil
    }

    func flush() throws(OutputFailure) {
        guard let file else { return }
        if let (bytes, lines) = encoder.pop() { file.append(bytes, lines: lines) }
        if let failure = file.failure { throw failure }
    }

    func addDescriptors(to set: inout PollSet) { reader.addDescriptor(to: &set) }

    func respond(to set: PollSet) throws(OutputFailure) { try reader.check(set) }
}

extension LocationError {
    /// Whether the error means that the input was not a session.
    fileprivate var isOfNoSession: Bool { ["notASession", "deviceUnknown"].contains(code) }
}
