import GPSDReports
import Glibc
import LocationCore
import Platform

/// `record`: writes the session, untouched lines plus timing, to a file that can be replayed.
final class RecordCommand: SessionHandler {
    private let source: SourceWord
    private let settings: Settings
    private let path: String
    private var search = PositionSearch()
    private var failures = SessionFailures()
    private weak var loop: SessionLoop?
    private var file: RecordingFile?

    init(_ source: SourceWord, to path: String, _ settings: Settings) {
        self.source = source
        self.path = path
        self.settings = settings.withoutWaiting(for: source)
    }

    /// Runs the command to its end.
    func run(_ session: CommandSession) -> ExitCode {
        let file: RecordingFile
        do throws(SystemFailure) {
            file = try RecordingFile(path: path, overwrites: settings.overwrites)
        } catch {
            session.say("locwatch: \(error)\n")
            if error.exists { session.say("locwatch: to overwrite it, add --force\n") }
            return .cannotCreate
        }
        self.file = file
        let scribe = RecordingScribe(file, of: source, limit: settings.duration, at: session.clock.now)
        var hasBegun = false
        defer {
            file.finish()
            if !hasBegun { file.discard() }
        }
        return session.follow(source, settings, for: self) {
            scribe.take($0, at: $1)
        } begin: { loop in
            self.loop = loop
            hasBegun = true
        } end: { loop, outcome in
            scribe.finish()
            file.finish()
            return end(session, file, loop, outcome)
        }
    }

    private func end(
        _ session: CommandSession, _ file: RecordingFile, _ loop: SessionLoop, _ outcome: SessionOutcome
    ) -> ExitCode {
        var outcome = outcome
        let shortfall = search.shortfall(after: loop.lasted)
        if file.failure == nil, let error = emptiness(of: file, outcome, shortfall) {
            file.discard()
            let code = session.fail(error)
            if case .signal(let number) = outcome { return session.die(of: number) }
            return code
        }
        if let failure = file.failure { outcome = .output(failure) }
        // Whoever reads the recording has it; and that it reads no more is nothing to talk about.
        if path != "-" && settings.verbosity > .quiet || file.failure.map({ $0 != .readerGone }) ?? false {
            session.say("locwatch: saved \(file.bytes) bytes in \(path == "-" ? "standard output" : path.printable)\n")
        }
        return session.end(outcome, shortfall: shortfall) { _ in }
    }

    /// Why there is nothing in the file that anybody could want; `nil` where there is something.
    private func emptiness(
        of file: RecordingFile, _ outcome: SessionOutcome, _ shortfall: LocationError
    ) -> LocationError? {
        // What came from somebody who is no gpsd is no session, however many lines it has.
        let isEmpty = file.lines == 0 || source.isLive && !failures.hasHeard
        return switch outcome {
        case .failed(let error): isEmpty || error.isOfNoSession ? error : nil
        case .ended, .signal: isEmpty && source.isLive ? failures.current ?? shortfall : nil
        case .output: nil
        }
    }

    func take(_ update: TrackedUpdate) throws(OutputFailure) -> SessionEnd.Reason? {
        if search.take(update) != nil { loop?.isSatisfied = true }
        if case .update(let told) = update { _ = failures.news(in: told.event) }
        return nil
    }

    var deadline: Moment? { nil }

    func expire(at moment: Moment) throws(OutputFailure) {}

    func flush() throws(OutputFailure) {
        if let failure = file?.failure { throw failure }
    }

    var pendingOutput: Int32 { -1 }

    /// A file is written whoever reads standard output.
    var isForReader: Bool { path == "-" }
}

extension LocationError {
    /// Whether what came was no session at all.
    fileprivate var isOfNoSession: Bool { if case .notASession = self { true } else { false } }
}

extension SystemFailure {
    /// Whether the failure is that there is such a file already.
    fileprivate var exists: Bool { code == EEXIST }
}
