import LocationCore
import LocwatchArguments
import LocwatchPlatform
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The command `watch`, which prints positions and changes of state.
final class WatchCommand: Command, SessionHolder, PrintingConsumer {
    static let entry = CommandEntry(
        "watch", operands: [.source],
        options: [
            "accuracy", "all-devices", "color", "columns", "count", "csv", "device", "distance", "duration", "fence",
            "follow", "format", "hook-limit", "interval", "json", "max-age", "metrics-file", "no-header",
            "no-reconnect", "on", "pace", "precision", "quiet", "reference", "sky", "stale", "state", "states",
            "timeout", "units", "utc", "verbose",
        ],
        summary: "follow the position (the default command)",
        description: [
            "Prints a line for each position and for each change of state: searching, found, error. It continues after "
                + "errors and reconnects until it is interrupted or reaches a limit. Errors go to standard error. On a terminal "
                + "they are also lines of the output; elsewhere text has a line only for one that ends a position, and CSV none, "
                + "unless --states is given."
        ],
        examples: [
            "locwatch": "follow the position of the local gpsd",
            "locwatch -j | jq 'select(.event==\"location\")'": "the same for a script",
            "locwatch -f '%{clock} %{lat} %{lon}'": "with a template",
            "locwatch -s pi.local": "only changes of state, from another machine",
            "locwatch --fence home=45.0703,7.6869,150": "report when you come home",
            "locwatch --fence home=45.0703,7.6869,150 --on 'enter:home=lamp on'": "run a command when you come home",
            "locwatch --fence anchor=here,40,margin=5 --on 'exit:anchor=logger dragging'":
                "watch an anchor",
            "locwatch -q -f waybar": "the state for a status bar",
            "locwatch sim:tunnel": "try it without a receiver",
        ], overview: [0, 8])

    let session: CommandSession
    let output: OutputChannel
    private var printer: any EventPrinter
    private var positions = 0
    /// The number of reports without a fix.
    private var misses = 0
    private let isOnTerminal: Bool
    private var skies: ReportThinning
    private var attitudes: ReportThinning

    static func run(_ session: CommandSession) -> ExitCode { WatchCommand(session).run() }

    private init(_ session: CommandSession) {
        self.session = session
        skies = ReportThinning(session.settings.request.minimumInterval)
        attitudes = skies
        let isOnTerminal = session.context.console.outputIsTerminal
        self.isOnTerminal = isOnTerminal
        // On a terminal failures are part of the output; elsewhere they go to standard error. They are changes of state.
        printer = session.printer { $0.failures = isOnTerminal || !$0.locations }
        output = session.output(printer)
    }

    private func run() -> ExitCode {
        var plan = SessionPlan(self)
        let shows = settings.output
        if shows.events.locations { plan.needs.insert(.position) }
        plan.request = settings.request
        // The status line and the tooltip of a bar show the strongest signal.
        plan.listsSatellites = shows.events.sky || shows.carries(.signals) || narrator.canShowLine
        plan.showsDistance = shows.showsDistance
        plan.shows.steps = shows.carries(.messages)
        if plan.shows.steps, isOnTerminal { plan.shows.failures = .inOutput }
        return session.run(plan, finish: finish)
    }

    func begin(_ loop: SessionLoop) throws(OutputFailure) {
        guard !settings.output.omitsHeader else { return }
        try output.put { printer.start(SessionStart(source: source, now: context.clock.now.wall), into: &$0) }
    }

    private func finish(_ ending: Ending, _ loop: SessionLoop) throws(OutputFailure) -> CommandResult {
        // In text output the message on standard error is sufficient for an error that ends the program.
        if let error = ending.error, !settings.output.carries(.messages) {
            let advice = narrator.text(error).advice
            try output.put { printer.print(error, advice: advice, retry: nil, at: ending.moment, into: &$0) }
        }
        let locations = settings.output.events.locations ? positions : 0
        let end = SessionEnd(time: ending.moment.wall, reason: ending.reason, locations: locations)
        try output.put { printer.end(end, into: &$0) }
        try output.finish()
        narrator.sayAbsence(of: positions, misses: misses, after: ending)
        return .done(positions: positions)
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) throws(OutputFailure) -> SessionEnd.Reason? {
        switch update {
        case .update(let event, let standing): return try process(event, standing, update, view)
        case .failureEnded: return nil
        case .deviceTransition where !settings.output.events.showsEach(view): return nil
        case .transition, .deviceTransition, .handover, .fence, .integrity:
            try output.put { printer.print(update, view, into: &$0) }
            return nil
        }
    }

    private func process(
        _ event: LocationUpdate, _ standing: TrackedUpdate.Standing, _ update: TrackedUpdate, _ view: SessionView
    ) throws(OutputFailure) -> SessionEnd.Reason? {
        switch event.event {
        case .location:
            guard standing.isShown, standing != .other || settings.output.events.everyReceiver else { return nil }
            try output.put(.location) { printer.print(update, view, into: &$0) }
            positions += 1
            return positions == settings.limits.count ? .count : nil
        case .satellites(let sky):
            guard skies.admits(sky.device, sky.timestamp, at: event.moment) else { return nil }
            try output.put(.sky) { printer.print(update, view, into: &$0) }
        case .attitude(let attitude):
            guard attitudes.admits(attitude.device, attitude.timestamp, at: event.moment) else { return nil }
            try output.put(.replaceable("attitude")) { printer.print(update, view, into: &$0) }
        case .failure(let error, let retry):
            // A slow reader receives a repeated failure only once.
            let advice = narrator.text(error).advice
            try output.put(.replaceable(error.code)) {
                printer.print(error, advice: advice, retry: retry, at: event.moment, into: &$0)
            }
        default:
            if case .searching(.noFix, _) = event.event { misses += 1 }
            try output.put { printer.print(update, view, into: &$0) }
        }
        return nil
    }

    func serve(_ ready: PollSet) throws(OutputFailure) -> SessionEnd.Reason? {
        try output.check(ready)
        if isOnTerminal { printer.fit(columns: context.console.outputColumns) }
        try output.put { printer.printPending(into: &$0) }
        try output.flush()
        return nil
    }
}
