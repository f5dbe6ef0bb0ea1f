import GPSDReports
import LocationCore
import LocationTracks

/// `stats`: a session in figures and pictures, at its end and on a terminal meanwhile.
final class StatsCommand: SessionHandler {
    private static let refresh = Duration.seconds(1)

    private let source: SourceWord
    private let settings: Settings
    private let environment: [String: String]
    private let text: StatisticsText
    private let usesColor: Bool
    private var statistics: TrackStatistics
    private var search = PositionSearch()
    private var progress: ReadingProgress?
    private var page: LivePage?
    private var nextRefresh = Duration.zero
    private weak var loop: SessionLoop?

    init(_ source: SourceWord, _ settings: Settings, _ environment: [String: String]) {
        self.source = source
        let settings = settings.withoutWaiting(for: source)
        self.settings = settings
        self.environment = environment
        statistics = TrackStatistics(forPictures: settings.plot != nil)
        usesColor = settings.usesColor(environment)
        text = StatisticsText(
            style: TextStyle(
                degrees: settings.degrees, units: settings.units, precision: settings.precision, usesColor: usesColor,
                glyphs: Glyphs(environment: environment)), localTime: .system)
    }

    /// Runs the command to its end.
    func run(_ session: CommandSession) -> ExitCode {
        let picture: PictureFile?
        do {
            picture = try pictureFile()
        } catch let error as UsageError {
            session.say(error.text)
            return .usage
        } catch let failure as OutputFailure {
            return session.fail(failure)
        } catch {
            return .internalError
        }
        progress = ReadingProgress(source, settings, environment, sharesScreen: false)
        if settings.output == .text, settings.pace != .max, Terminal.isShown(on: 1), environment["TERM"] != "dumb" {
            let size = Terminal.size(of: 1)
            page = LivePage(columns: size.columns, rows: size.rows)
        }
        let started = session.clock.now.wall
        return session.follow(
            source, settings, for: self, hasStatus: source.isLive && page == nil,
            tap: progress.map { progress in { chunk, _ in progress.take(chunk.count) } }
        ) { loop in
            self.loop = loop
        } end: { loop, outcome in
            progress?.wipe()
            return end(session, loop, outcome, from: started, picture)
        }
    }

    private func end(
        _ session: CommandSession, _ loop: SessionLoop, _ outcome: SessionOutcome, from started: Timestamp,
        _ picture: PictureFile?
    ) -> ExitCode {
        session.end(outcome, shortfall: search.shortfall(after: loop.lasted)) {
            (reason) throws(OutputFailure) in
            if source.isLive { statistics.pass(loop.now) }
            statistics.finish()
            var out = page?.wipe() ?? ""
            // Of what is no session there are no figures.
            let hasFigures = reason != .failed || statistics.reports + statistics.skyViews > 0
            if settings.output == .json {
                out += lines(from: started, outcome, loop, reason, hasFigures: hasFigures)
            } else if hasFigures {
                out += report
            }
            if hasFigures, let picture { try picture.write(plot) }
            if let failure = StandardStream.output.write(out) { throw failure }
        }
    }

    private func pictureFile() throws -> PictureFile? {
        switch settings.plot {
        case .terminal where settings.output == .json:
            throw UsageError("with --json, --plot needs a file, as in --plot=drive.svg", command: .stats)
        case .terminal, nil: return nil
        case .file(let path):
            guard PictureFile.isNamed(path) else {
                throw UsageError("--plot", path, ValueError(allowed: "a name that ends in .svg or .png"), .stats)
            }
            return try PictureFile(path, environment)
        }
    }

    private var plot: TrackPlot { TrackPlot(statistics, title: source.place.printable) }

    /// The figures, and the pictures where they are wanted on the terminal.
    private var report: String {
        let figures = text.text(statistics, of: source)
        guard settings.plot == .terminal else { return figures }
        return figures + "\n" + plot.terminal(columns: Terminal.size(of: 1).columns, colour: usesColor)
    }

    private func lines(
        from started: Timestamp, _ outcome: SessionOutcome, _ loop: SessionLoop, _ reason: SessionEnd.Reason,
        hasFigures: Bool
    ) -> String {
        var printer = JSONPrinter(precision: settings.precision)
        var out = TextBuffer()
        printer.start(SessionStart(source: source, now: started), into: &out)
        if hasFigures { printer.print(statistics, into: &out) }
        if case .failed(let error) = outcome { printer.print(error, retry: nil, at: loop.now, into: &out) }
        printer.end(SessionEnd(time: loop.now.wall, reason: reason, locations: statistics.instants), into: &out)
        return out.text
    }

    func take(_ update: TrackedUpdate) throws(OutputFailure) -> SessionEnd.Reason? {
        if search.take(update) != nil { loop?.isSatisfied = true }
        let before = statistics.instants
        statistics.take(update)
        guard statistics.instants > before else { return nil }
        return statistics.instants == settings.count ? .count : nil
    }

    var deadline: Moment? {
        guard page != nil, let loop else { return nil }
        let now = loop.now
        return now.advanced(by: nextRefresh - now.elapsed)
    }

    func expire(at moment: Moment) throws(OutputFailure) {
        guard let loop else { return }
        // A recording's time stands still between its lines, and goes on all the same.
        let now = max(moment, loop.now)
        nextRefresh = now.elapsed + Self.refresh
        statistics.pass(now)
        guard let out = page?.show(report) else { return }
        if let failure = StandardStream.output.write(out) { throw failure }
    }

    func flush() throws(OutputFailure) { progress?.show() }

    var pendingOutput: Int32 { -1 }
}
