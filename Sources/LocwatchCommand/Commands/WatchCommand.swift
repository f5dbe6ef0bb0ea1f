import LocationCore
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The command `watch`, which prints positions and changes of state.
final class WatchCommand: Command, PrintingConsumer {
    static let entry = CommandEntry(
        "watch", operands: [.source],
        options: [
            "accuracy", "all-devices", "color", "columns", "count", "csv", "degrees", "device", "distance", "duration",
            "dwell", "fence", "follow", "format", "interval", "json", "max-age", "metrics-file", "no-reconnect", "on",
            "on-replay", "on-shell", "on-timeout", "pace", "precision", "quiet", "reference", "revisions", "sky",
            "speed", "stale",
            "states", "text", "timeout", "units", "utc", "verbose",
        ],
        summary: "follow the position (the default command)",
        description: [
            "Prints a line for each position and for each change of state: searching, found, error. It continues after "
                + "errors and reconnects until it is interrupted or reaches a limit. Without a terminal, text and CSV have no "
                + "line for an error, except with --states; standard error has it.",
            "--on runs commands at events, and --format shows the state in a status bar; the manual page explains both.",
        ],
        examples: [
            .init(line: "locwatch", explanation: "follow the position of the local gpsd", isForOverview: true),
            .init(line: "locwatch -j | jq 'select(.event==\"location\")'", explanation: "the same for a script"),
            .init(line: "locwatch -f '%{clock} %{lat} %{lon}'", explanation: "with a template"),
            .init(line: "locwatch -s pi.local", explanation: "only changes of state, from another machine"),
            .init(line: "locwatch --fence home=45.0703,7.6869,150", explanation: "report when you come home"),
            .init(
                line: "locwatch --fence home=45.0703,7.6869,150 --on 'enter:home=lamp on'",
                explanation: "run a command when you come home"),
            .init(
                line: "locwatch --reference 45.0548,7.6865,240", explanation: "with the distance from a surveyed point"),
            .init(line: "locwatch -q -f waybar", explanation: "the state for a status bar"),
            .init(line: "locwatch sim:tunnel", explanation: "try it without a receiver", isForOverview: true),
        ])

    private let context: CommandContext
    private let source: SourceWord
    private let settings: Settings
    let output: OutputChannel
    private var printer: any EventPrinter
    private var positions = PositionCount()
    /// The number of reports without a fix.
    private var misses = 0
    private var advice: GivenAdvice
    /// The messages for standard error that are printed after the output that they belong to.
    private var remarks = ""
    private let isOnTerminal: Bool
    private var metrics: MetricsFile?
    /// The settler of the satellites' reports, unless each of them is printed.
    private var skies: SkySettler?
    private weak var loop: SessionLoop?

    static func run(_ invocation: Invocation, _ context: CommandContext) -> ExitCode {
        WatchCommand(invocation, context).run()
    }

    private init(_ invocation: Invocation, _ context: CommandContext) {
        self.context = context
        source = invocation.source
        advice = GivenAdvice(for: invocation.source)
        let settings = invocation.settings
        self.settings = settings
        isOnTerminal = context.console.outputIsTerminal
        var selection = EventSelection(settings)
        // On a terminal failures are part of the output; elsewhere they go to standard error. They are changes of state.
        selection.failures = isOnTerminal || settings.showsStatesOnly
        let printer = settings.printer(
            context.style(settings), selection: selection, localTime: context.localTime(settings))
        self.printer = printer
        output = context.output(isLive: source.isLive, settings, printer)
    }

    private func run() -> ExitCode {
        let session = CommandSession(context, settings)
        do throws(OutputFailure) { metrics = try .from(settings, context.console) } catch { return session.fail(error) }
        var options = SessionOptions()
        // The status line and the tooltip of a bar show the strongest signal, and metrics list the satellites.
        options.listsSatellites =
            settings.showsSky || session.showsStatus || settings.output.carries(.signals) || metrics != nil
        let settles = !settings.output.carries(.everyReport) && !settings.showsRevisions
        if settles, settings.showsSky { skies = SkySettler(interval: settings.interval) }
        let consumers: [any SessionConsumer] = [self] + (metrics.map { [$0] } ?? [])
        return session.run(
            source, consumers, request: LocationRequest(includesClock: metrics != nil), options: options,
            settles: settles, selection: settings.selection,
            mergesSkies: settles && !settings.showsSky,
            logs: !settings.output.carries(.messages)
        ) { (_) throws(OutputFailure) in
            try output.put { printer.start(SessionStart(source: source, now: context.clock.now.wall), into: &$0) }
        } end: { loop, outcome in
            metrics?.end()
            let view = loop.view
            let shortfall = view.shortfall(after: loop.lasted)
            let absence = loop.absence(of: source)
            let isReported =
                settings.verbosity > .quiet && !settings.output.carries(.diagnostics)
                && shortfall == view.failure?.error
            return session.end(
                outcome, shortfall: shortfall, absence: absence, isReported: isReported,
                isAbsenceReported: session.hasReportedFailure(view)
            ) { (reason) throws(OutputFailure) in
                try settleSkies(view) { $0.finish(emit: $1) }
                if !settings.output.carries(.diagnostics), let failure = view.failure { remark(repetitionsOf: failure) }
                if reason == .ended || reason == .duration, absence == nil { remark(onAbsentPositions: shortfall) }
                // In text output the message on standard error is sufficient for an error that ends the program.
                if case .failed(let error) = outcome, !settings.output.carries(.messages) {
                    try output.put { printer.print(error, retry: nil, at: loop.now, into: &$0) }
                }
                let end = SessionEnd(
                    time: loop.now.wall, reason: reason, locations: settings.showsStatesOnly ? 0 : positions.count)
                try output.put { printer.end(end, into: &$0) }
                try output.finish()
                sayRemarks()
            }
        }
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) throws(OutputFailure) -> SessionEnd.Reason? {
        switch update {
        case .transition, .handover, .fence, .integrity: try output.put { printer.print(update, view, into: &$0) }
        case .deviceTransition:
            if settings.showsAllDevices { try output.put { printer.print(update, view, into: &$0) } }
        case .settled: break
        case .failureEnded(let run, _): if !settings.output.carries(.diagnostics) { remark(repetitionsOf: run) }
        case .update(let event, let standing):
            try settleSkies(view) { $0.process(event, emit: $1) }
            switch event.event {
            case .location(let location): return try process(location, standing, update, view)
            case .satellites:
                if skies == nil { try output.put(.sky) { printer.print(update, view, into: &$0) } }
            case .failure(let error, let retry):
                if standing != .repeated { remark(on: error) }
                // A slow reader receives a repeated failure only once.
                try output.put(.replaceable(error.code)) {
                    printer.print(error, retry: retry, at: event.moment, into: &$0)
                }
            case .searching(.noFix, _):
                misses += 1
                try output.put { printer.print(update, view, into: &$0) }
            case .searching, .device, .receiver, .clock, .authorization, .line, .notice, .other:
                try output.put { printer.print(update, view, into: &$0) }
            }
        }
        return nil
    }

    // MARK: Satellites

    func begin(_ loop: SessionLoop) { self.loop = loop }

    var deadline: Moment? { skies?.deadline }

    func expire(at moment: Moment) throws(OutputFailure) {
        try settleSkies(loop?.view ?? SessionView()) { $0.expire(at: moment, emit: $1) }
    }

    /// Passes input to the settler of the satellites, and prints the views that it settles.
    private func settleSkies(
        _ view: SessionView, _ body: (inout SkySettler, (LocationUpdate) -> Void) -> Void
    ) throws(OutputFailure) {
        // Taken out, so that it is changed in place.
        guard var skies = skies.take() else { return }
        var settled: [LocationUpdate] = []
        body(&skies) { settled.append($0) }
        self.skies = skies
        for update in settled { try output.put(.sky) { printer.print(.update(update), view, into: &$0) } }
    }

    // MARK: Messages

    /// Puts on standard error the failures that CSV and templates cannot contain, and the advice, which no line contains.
    private func remark(on failure: LocationError) {
        guard settings.verbosity > .quiet, !settings.output.carries(.diagnostics) else { return }
        let isPrinted = settings.output.carries(.messages) && isOnTerminal
        // The messages of `--verbose` already contain the failure.
        let isLogged = !settings.output.carries(.messages) && settings.verbosity == .verbose
        if !isPrinted, !isLogged { remark(ErrorText(failure).message) }
        if let words = advice.take(on: failure) { remark(words) }
    }

    private func remark(repetitionsOf failure: FailureRun) {
        if let words = failure.countText { remark(words) }
    }

    /// Tells why no position was shown.
    private func remark(onAbsentPositions shortfall: LocationError) {
        guard positions.count == 0, !settings.output.carries(.diagnostics) else { return }
        if misses > 0, case .noFix(.noPosition) = shortfall {
            remark("no fix in \(misses.counting("report"))")
        } else if case .noFix = shortfall {
            remark(ErrorText(shortfall).message)
        }
    }

    private func remark(_ words: String) {
        if settings.verbosity > .quiet { remarks += "locwatch: \(words)\n" }
    }

    private func sayRemarks() {
        guard !remarks.isEmpty else { return }
        context.console.say(remarks)
        remarks = ""
    }

    private func process(
        _ location: Location, _ standing: TrackedUpdate.Standing, _ update: TrackedUpdate, _ view: SessionView
    ) throws(OutputFailure) -> SessionEnd.Reason? {
        let isShown =
            switch standing {
            case .current, .late: true
            case .other: settings.showsAllDevices
            case .outdated, .withheld, .repeated: false
            }
        guard isShown else { return nil }
        try output.put(.location) { printer.print(update, view, into: &$0) }
        return positions.process(location) && positions.count == settings.count ? .count : nil
    }

    func flush() throws(OutputFailure) {
        if isOnTerminal { printer.fit(columns: context.console.outputColumns) }
        try output.put { printer.printPending(into: &$0) }
        try output.flush()
        sayRemarks()
    }
}
