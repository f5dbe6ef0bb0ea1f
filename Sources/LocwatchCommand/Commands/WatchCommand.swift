import LocationCore
import LocwatchSupport

/// The command `watch`, which prints positions and changes of state.
final class WatchCommand: Command, PrintingConsumer {
    static let entry = CommandEntry(
        "watch", operands: [.source],
        options: [
            "accuracy", "all-devices", "color", "columns", "count", "csv", "degrees", "device", "distance", "duration",
            "dwell", "fence", "follow", "format", "interval", "json", "max-age", "metrics-file", "no-reconnect", "on",
            "on-replay", "on-shell", "on-timeout", "pace", "precision", "quiet", "revisions", "sky", "speed", "stale",
            "states", "text", "timeout", "units", "utc", "verbose",
        ],
        summary: "follow the position (the default command)",
        description: [
            "Prints a line for each position and for each change of state: searching, found, error. It continues after "
                + "errors and reconnects until it is interrupted or reaches a limit.",
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
            .init(line: "locwatch -q -f waybar", explanation: "the state for a status bar"),
            .init(line: "locwatch sim:tunnel", explanation: "try it without a receiver", isForOverview: true),
        ])

    private let context: CommandContext
    private let source: SourceWord
    private let settings: Settings
    let output: OutputChannel
    private var printer: any EventPrinter
    private var filter: LocationFilter
    private var fences: DeviceFences
    private var search: PositionSearch
    /// The receiver whose position is current, if any.
    private var currentReceiver: String??
    /// Whether each receiver has a current position.
    private var isFound = PerDevice<Bool>()
    private var positions = PositionCount()
    private var failures = SessionFailures()
    /// The messages for standard error that are printed after the output that they belong to.
    private var remarks = ""
    private let isOnTerminal: Bool
    private weak var loop: SessionLoop?
    private var metrics: MetricsFile?

    static func run(_ invocation: Invocation, _ context: CommandContext) -> ExitCode {
        WatchCommand(invocation, context).run()
    }

    private init(_ invocation: Invocation, _ context: CommandContext) {
        self.context = context
        source = invocation.source
        let settings = invocation.settings
        self.settings = settings
        isOnTerminal = context.console.outputIsTerminal
        var selection = EventSelection(settings)
        // On a terminal failures are part of the output; elsewhere they go to standard error.
        selection.failures = isOnTerminal
        let printer = settings.printer(
            context.style(settings), selection: selection, localTime: context.localTime(settings))
        self.printer = printer
        output = OutputChannel(context.console, source.isLive ? .live : .complete) { notice in
            var copy = printer
            var line = TextBuffer()
            let moment = Moment(elapsed: .zero, wall: context.clock.now.wall)
            copy.print(.update(LocationUpdate(.notice(notice), at: moment)), into: &line)
            // A format without notices sends them to standard error.
            if line.count == 0, settings.verbosity > .quiet { context.console.say("locwatch: \(notice.message)\n") }
            return line.bytes
        }
        filter = LocationFilter(
            LocationRequest(
                desiredAccuracy: settings.accuracy, distanceFilter: settings.distance,
                minimumInterval: settings.interval, maximumAge: settings.maximumAge))
        fences = DeviceFences(
            FenceMonitor(fences: settings.fences, dwellAfter: settings.dwell ?? .seconds(300)),
            isFleet: source.isFleet)
        search = PositionSearch(accuracy: settings.accuracy, maxAge: settings.maximumAge)
    }

    private func run() -> ExitCode {
        let session = CommandSession(context, settings)
        do throws(OutputFailure) { metrics = try .from(settings, context.console) } catch { return session.fail(error) }
        var options = SessionOptions()
        // The status line and the tooltip of a bar show the strongest signal, and metrics list the satellites.
        options.listsSatellites =
            settings.showsSky || session.showsStatus || settings.output.carries(.signals) || metrics != nil
        let settles = !settings.output.carries(.everyReport) && !settings.showsRevisions
        let consumers: [any SessionConsumer] = [self] + (metrics.map { [$0] } ?? [])
        return session.run(
            source, consumers, request: LocationRequest(includesClock: metrics != nil), options: options,
            settles: settles,
            logs: !settings.output.carries(.messages)
        ) {
            (loop) throws(OutputFailure) in
            self.loop = loop
            try output.put { printer.start(SessionStart(source: source, now: context.clock.now.wall), into: &$0) }
        } end: { loop, outcome in
            metrics?.end()
            let shortfall = search.shortfall(after: loop.lasted)
            let isReported =
                settings.verbosity > .quiet && !settings.output.carries(.diagnostics) && shortfall == failures.current
            return session.end(outcome, shortfall: shortfall, isReported: isReported) {
                (reason) throws(OutputFailure) in
                if !settings.output.carries(.diagnostics), let count = failures.takeCount(isOver: true) {
                    remark(count)
                }
                // In text output the message on standard error is sufficient for an error that ends the program.
                if case .failed(let error) = outcome, !settings.output.carries(.messages) {
                    try output.put { printer.print(error, retry: nil, at: loop.now, into: &$0) }
                }
                let end = SessionEnd(time: loop.now.wall, reason: reason, locations: positions.count)
                try output.put { printer.end(end, into: &$0) }
                try output.finish()
                sayRemarks()
            }
        }
    }

    func process(_ update: TrackedUpdate) throws(OutputFailure) -> SessionEnd.Reason? {
        // The shortfall is reported only if there never was a position.
        if positions.count == 0 { _ = search.process(update) }
        switch update {
        case .transition(let transition):
            currentReceiver = transition.to.location.map { $0.device }
            try output.put { printer.print(update, into: &$0) }
        case .handover(let handover):
            currentReceiver = .some(handover.to)
            try output.put { printer.print(update, into: &$0) }
        case .deviceTransition(let transition):
            guard settings.showsAllDevices else { break }
            isFound[transition.device, default: false] = transition.to.location != nil
            try output.put { printer.print(update, into: &$0) }
        case .update(let event):
            let failure = failures.news(in: event.event)
            if let count = failures.takeCount(), !settings.output.carries(.diagnostics) { remark(count) }
            if let failure { remark(on: failure) }
            switch event.event {
            case .location(let location): return try process(location, update, at: event.moment)
            case .satellites: try output.put(.sky) { printer.print(update, into: &$0) }
            case .failure(let error, let retry):
                // A slow reader receives a repeated failure only once.
                try output.put(.replaceable(error.code)) {
                    printer.print(error, retry: retry, at: event.moment, into: &$0)
                }
            case .searching, .device, .receiver, .clock, .authorization, .line, .notice:
                try output.put { printer.print(update, into: &$0) }
            }
        }
        return nil
    }

    /// Puts on standard error the failures that CSV and templates cannot contain, and the advice, which no line contains.
    private func remark(on failure: LocationError) {
        guard settings.verbosity > .quiet, !settings.output.carries(.diagnostics) else { return }
        let isPrinted = settings.output.carries(.messages) && isOnTerminal
        // The messages of `--verbose` already contain the failure.
        let isLogged = !settings.output.carries(.messages) && settings.verbosity == .verbose
        if !isPrinted, !isLogged { remark(ErrorText(failure).message) }
        if let advice = failures.advice(on: failure) { remark(advice) }
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
        _ location: Location, _ update: TrackedUpdate, at moment: Moment
    ) throws(OutputFailure) -> SessionEnd.Reason? {
        // A position from before a loss is not current, and only the current receiver of several counts.
        let isFound = isFound[location.device] ?? false
        let isCurrent =
            source.isFleet
            ? isFound
            : currentReceiver.map { $0 == location.device || settings.device != nil } ?? location.isLate
        guard isCurrent || settings.showsAllDevices && (location.isLate || isFound) else { return nil }
        // The antennas of several receivers are apart, so a fence follows only the current receiver. In a fleet each
        // device has fences of its own.
        if !settings.fences.isEmpty, !location.isLate, isCurrent {
            for event in fences.update(location, at: moment) { try output.put { printer.print(event, into: &$0) } }
            metrics?.note(settings.fences, device: source.isFleet ? location.device : nil) {
                fences.isInside($0, device: location.device)
            }
        }
        guard case .update(let event) = update, filter.admits(event) else { return nil }
        try output.put(.location) { printer.print(update, into: &$0) }
        loop?.isSatisfied = true
        return !settings.showsStatesOnly && positions.process(location) && positions.count == settings.count
            ? .count : nil
    }

    // The check avoids copying the fences, because the deadline is read at every report.
    var deadline: Moment? { settings.fences.isEmpty ? nil : fences.deadline }

    func expire(at moment: Moment) throws(OutputFailure) {
        for event in fences.expire(at: moment) { try output.put { printer.print(event, into: &$0) } }
    }

    func flush() throws(OutputFailure) {
        if isOnTerminal { printer.fit(columns: context.console.outputColumns) }
        try output.put { printer.printPending(into: &$0) }
        try output.flush()
        sayRemarks()
    }
}
