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
    private var failures = SessionFailures()
    private var json: JSONPrinter
    private var progress: ReadingProgress?
    private var page: LivePage?
    private var nextRefresh = Duration.zero
    private weak var loop: SessionLoop?

    init(_ source: SourceWord, _ settings: Settings, _ environment: [String: String]) {
        self.source = source
        let settings = settings.withoutWaiting(for: source)
        self.settings = settings
        self.environment = environment
        json = JSONPrinter(precision: settings.precision)
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
        return session.follow(
            source, settings, for: self, hasStatus: source.isLive && page == nil,
            tap: progress.map { progress in { chunk, _ in progress.take(chunk.count) } }
        ) { (loop) throws(OutputFailure) in
            self.loop = loop
            try print { $0.start(SessionStart(source: source, now: session.clock.now.wall), into: &$1) }
        } end: { loop, outcome in
            progress?.wipe()
            return end(session, loop, outcome, picture)
        }
    }

    private func end(
        _ session: CommandSession, _ loop: SessionLoop, _ outcome: SessionOutcome, _ picture: PictureFile?
    ) -> ExitCode {
        let shortfall = search.shortfall(after: loop.lasted)
        let absence = source.isLive && !failures.hasHeard ? failures.current ?? shortfall : nil
        let code = session.end(outcome, shortfall: absence ?? shortfall) { (reason) throws(OutputFailure) in
            if source.isLive { statistics.pass(loop.now) }
            statistics.finish()
            // Of what is no session there are no figures.
            let hasFigures = absence == nil && reason != .failed || statistics.reports + statistics.skyViews > 0
            if hasFigures, let picture { try picture.write(plot) }
            try show((page?.wipe() ?? "") + (hasFigures && settings.output != .json ? report : ""))
            if hasFigures { try print { $0.print(statistics, into: &$1) } }
            if case .failed(let error) = outcome {
                try print { $0.print(error, retry: nil, at: loop.now, into: &$1) }
            } else if let absence, failures.current == nil {
                try print { $0.print(absence, retry: nil, at: loop.now, into: &$1) }
            }
            let end = SessionEnd(time: loop.now.wall, reason: reason, locations: statistics.instants)
            try print { $0.end(end, into: &$1) }
        }
        // A time that was up without a position has been told of.
        guard let absence, case .ended(let reason) = outcome, reason != .timeout, code == .done else { return code }
        return session.fail(absence)
    }

    /// Writes what is only for scripts.
    private func print(_ body: (inout JSONPrinter, inout TextBuffer) -> Void) throws(OutputFailure) {
        guard settings.output == .json else { return }
        var out = TextBuffer()
        body(&json, &out)
        try show(out.text)
    }

    private func show(_ text: String) throws(OutputFailure) {
        guard !text.isEmpty, let failure = StandardStream.output.write(text) else { return }
        throw failure
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

    /// What is on the terminal meanwhile: of a session that has not come about there is only the reason.
    private var current: String {
        guard let failure = failures.current else { return report }
        guard failures.hasHeard else { return ErrorText(failure).lines }
        return report + "locwatch: \(ErrorText(failure).message)\n"
    }

    func take(_ update: TrackedUpdate) throws(OutputFailure) -> SessionEnd.Reason? {
        if search.take(update) != nil { loop?.isSatisfied = true }
        if case .update(let told) = update {
            _ = failures.news(in: told.event)
            if case .failure(let error) = told.event {
                try print { $0.print(error, retry: loop?.retry, at: told.moment, into: &$1) }
            }
        }
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
        guard let out = page?.show(current) else { return }
        try show(out)
    }

    func flush() throws(OutputFailure) { progress?.show() }

    var pendingOutput: Int32 { -1 }
}
