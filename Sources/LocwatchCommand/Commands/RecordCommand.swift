import GPSDReports
import Glibc
import LocationCore
import LocationGPSD
import Platform

/// `record`: writes the session, untouched lines plus timing, to a file that can be replayed.
final class RecordCommand: SessionHandler {
    private let source: SourceWord
    private let settings: Settings
    private let path: String
    private var search = PositionSearch()
    private weak var loop: SessionLoop?
    private var file: RecordingFile?

    init(_ source: SourceWord, to path: String, _ settings: Settings) {
        self.source = source
        self.path = path
        var settings = settings
        if !source.isLive { settings.pace = settings.pace ?? .max }
        self.settings = settings
    }

    /// Cuts what arrives into lines, and writes them down with their times.
    private final class Scribe {
        private var lines = LineReader()
        private var writer = RecordingWriter()
        private let file: RecordingFile

        init(_ file: RecordingFile, source: SourceWord, at moment: Moment) {
            self.file = file
            file.append(
                writer.header(source: source.description, version: Version.number, at: moment), lines: 0)
        }

        func take(_ chunk: UnsafeRawBufferPointer, _ moment: Moment) {
            var bytes: [UInt8] = []
            var count = 0
            lines.feed(chunk) { line in
                guard case .line(let text) = line, !text.isEmpty else { return }
                bytes += writer.record(text, at: moment)
                count += 1
            }
            if count > 0 { file.append(bytes, lines: count) }
        }
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
        let clock = SessionClock.system()
        let scribe = Scribe(file, source: source, at: clock.now)
        let feed: any SessionFeed
        do throws(LocationError) {
            feed = try source.feed(settings, clock: clock) { scribe.take($0, $1) }
        } catch {
            file.close()
            file.done.wait()
            return session.fail(error)
        }
        let limits = SessionLoop.Limits(duration: settings.duration, timeout: settings.timeout)
        let loop = SessionLoop(feed, self, limits: limits, status: session.status, signals: session.signals)
        self.loop = loop
        var outcome = loop.run()
        file.close()
        file.done.wait()
        if let failure = file.failure { outcome = .output(failure) }
        if settings.verbosity > .quiet || file.failure != nil {
            session.say("locwatch: saved \(file.bytes) bytes in \(path == "-" ? "standard output" : path.printable)\n")
        }
        return session.end(outcome, shortfall: search.shortfall(after: loop.now.elapsed)) { _ in }
    }

    func take(_ update: TrackedUpdate) throws(OutputFailure) -> SessionEnd.Reason? {
        if search.take(update) != nil { loop?.isSatisfied = true }
        return nil
    }

    var deadline: Moment? { nil }

    func expire(at moment: Moment) throws(OutputFailure) {}

    func flush() throws(OutputFailure) {
        if let failure = file?.failure { throw failure }
    }

    var pendingOutput: Int32 { -1 }
}

extension SystemFailure {
    /// Whether the failure is that there is such a file already.
    fileprivate var exists: Bool { code == EEXIST }
}
