import LocationCore
import LocationTracks
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The command `stats`, which prints the statistics and plots of a session at its end, and updates them on a terminal.
final class StatsCommand: FigureCommand {
    static let entry = CommandEntry(
        "stats", operands: [.source],
        options: [
            "ascii", "color", "count", "device", "duration", "follow", "json", "no-reconnect", "pace",
            "plot", "plot-file", "quiet", "reference", "stale", "timeout", "units", "utc", "verbose",
        ],
        readsAtOnce: true,
        summary: "summarize a session: availability, accuracy, scatter",
        description: [
            "Time to first fix, availability, gaps, accuracy, scatter (CEP50, CEP95), satellites, distance. On a "
                + "terminal the figures of a running session are updated every second; elsewhere, and with --json, "
                + "they are printed once, at its end.",
            "A receiver counts as standing until it has left its place by more than its accuracy explains, or moves by "
                + "the speeds that it reports, so that drift adds no distance. A climb or a descent counts while the receiver "
                + "moves; less than 5 m is noise.",
            "An existing plot is replaced. A PNG is made by rsvg-convert: rsvg-convert walk.svg -o walk.png.",
        ],
        examples: [
            "locwatch stats drive.json": "figures of a recording",
            "locwatch stats -x 10m": "figures of the next ten minutes",
            "locwatch stats --plot-file drive.svg drive.json": "and a plot",
            "locwatch stats --reference 45.0703,7.6869,264 drive.json": "the errors against a surveyed point",
        ])

    let session: CommandSession
    let output: OutputChannel
    private var statistics: TrackStatistics
    var json: JSONPrinter
    var page: LivePage?
    weak var loop: SessionLoop?

    static func check(_ invocation: Invocation) throws(UsageError) {
        try invocation.checkPlot(example: "drive.svg")
        if invocation.settings.output.plot != nil {
            try invocation.requireOneMachine(
                or: UsageError(of: "plot", "plot-file", message: "--plot draws one receiver, not a fleet"))
        }
        if invocation.settings.output.events.reference != nil {
            try invocation.requireOneMachine(or: UsageError("reference", "is for one receiver, not a fleet"))
        }
    }

    static func run(_ session: CommandSession) -> ExitCode { StatsCommand(session).run() }

    private init(_ session: CommandSession) {
        self.session = session
        json = session.json
        output = session.framedOutput
        let settings = session.settings
        statistics = TrackStatistics(forPictures: settings.output.plot != nil)
        statistics.reference = settings.output.events.reference.map(ReferenceFigures.init)
    }

    func finish(
        _ ending: Ending, _ loop: SessionLoop, _ picture: PictureFile?
    ) throws(OutputFailure) -> ExitCode {
        if source.isLive { statistics.pass(ending.moment) }
        // An input that is not a session has no figures.
        let isSession = ending.absence == nil && ending.reason != .failed
        let hasFigures = isSession || statistics.epochs + statistics.skyViews > 0
        if hasFigures, let picture { try picture.write(plot) }
        let figures = hasFigures && !settings.output.carries(.objects) ? report : ""
        try output.put { $0.put(figures) }
        if hasFigures { try print { $0.print(statistics, into: &$1) } }
        if ending.error == nil, loop.view.failure == nil, let absence = ending.absence {
            try print { $0.print(absence, at: ending.moment, into: &$1) }
        }
        try printEnd(ending, locations: statistics.epochs)
        return .done
    }

    private var plot: TrackPlot { TrackPlot(statistics, title: source.place.printable, in: settings.output.units.plot) }

    /// The figures, with the plots if they were requested on the terminal.
    private var report: String {
        let text = StatisticsText(statistics: statistics, source: source, localTime: session.localTime)
        let figures = statistics.isFleet ? machineFigures : text.text(in: session.style(on: page))
        guard settings.output.plot == .terminal else { return figures }
        let columns = context.console.pageColumns
        guard columns >= TrackPlot.fewestColumns else {
            return figures + "\nthe plot needs \(TrackPlot.fewestColumns) columns\n"
        }
        return figures + "\n"
            + plot.terminal(columns: columns, colour: session.usesColor, isASCII: session.style.glyphs == .ascii)
    }

    /// A row for each machine with a name.
    private var machineFigures: String {
        TextBuffer.text { FleetStatisticsTable.write(statistics, style: session.style(on: page), into: &$0) }
    }

    /// The page during the session, which shows only the error if no session has been established.
    var current: String {
        guard let view = loop?.view, let failure = view.failure?.error else { return report }
        guard view.hasHeard else { return failureText(failure) }
        return report + "locwatch: \(ErrorText(failure).message)\n"
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) throws(OutputFailure) -> SessionEnd.Reason? {
        if case .update(let event, _) = update { try printFailure(event) }
        statistics.process(update)
        return isComplete ? .count : nil
    }

    private var isComplete: Bool { settings.limits.count.map { statistics.epochs >= $0 } ?? false }

    var deadline: Moment? { nextRefresh }

    func expire(at moment: Moment) throws(OutputFailure) -> SessionEnd.Reason? {
        guard let loop, let now = page?.refresh(at: moment, now: loop.now, on: output) else { return nil }
        // Before its first line a recording has no time of its own.
        if source.isLive || statistics.began != nil { statistics.pass(now) }
        try showPage()
        return nil
    }
}
