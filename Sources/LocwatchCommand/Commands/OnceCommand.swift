import LocationCore

/// The command `once`, which prints one position that is good enough and exits with a code for the outcome.
final class OnceCommand: Command, PrintingConsumer {
    static let entry = CommandEntry(
        "once", operands: [.source],
        options: [
            .accuracy, .color, .columns, .csv, .degrees, .device, .fix, .format, .json, .maximumAge, .noReconnect,
            .pace, .precision, .quiet, .stale, .text, .timeout, .units, .utc, .verbose,
        ],
        summary: "print one position that is good enough, then exit",
        description: [
            "Waits for the first position with the requested accuracy, age and kind of fix. If "
                + "there is none in time, the exit code and a message on standard error give the reason."
        ],
        examples: [
            .init(line: "locwatch once", explanation: "where is this machine?"),
            .init(
                line: "locwatch once -a 10 -t 30s", explanation: "one position, to 10 m, within 30 s",
                isForOverview: true),
            .init(line: "locwatch once -f 'geo:%{lat},%{lon}'", explanation: "as a link that map programs open"),
        ])

    /// The default timeout.
    private static let timeout = Duration.seconds(60)

    private let context: CommandContext
    private let source: SourceWord
    private let settings: Settings
    let output: OutputChannel
    private var printer: any EventPrinter
    private var search: PositionSearch

    static func run(_ invocation: Invocation, _ context: CommandContext) -> ExitCode {
        OnceCommand(invocation, context).run()
    }

    private init(_ invocation: Invocation, _ context: CommandContext) {
        self.context = context
        source = invocation.source
        // The user waits for a single position, so a failure ends the session at once.
        var settings = invocation.settings.withoutWaiting(for: source)
        settings.reconnects = false
        self.settings = settings
        printer = context.printer(settings)
        output = OutputChannel(context.console, .complete)
        search = PositionSearch(accuracy: settings.accuracy, fix: settings.fix ?? .twoD, maxAge: settings.maximumAge)
    }

    private func run() -> ExitCode {
        let session = CommandSession(context, settings)
        let limits = SessionLoop.Limits(timeout: settings.timeout ?? Self.timeout, needsDevice: true)
        return session.run(source, [self], limits: limits, settles: true) { (_) throws(OutputFailure) in
            try output.put {
                printer.start(
                    SessionStart(source: source, now: context.clock.now.wall, isSingleLine: true), into: &$0)
            }
        } end: { loop, outcome in
            end(session, loop, outcome)
        }
    }

    private func end(_ session: CommandSession, _ loop: SessionLoop, _ outcome: SessionOutcome) -> ExitCode {
        let shortfall = search.shortfall(after: loop.lasted)
        let code = session.end(outcome, shortfall: shortfall) { (reason) throws(OutputFailure) in
            switch outcome {
            // In text output the message on standard error is sufficient.
            case _ where settings.output == .text: break
            case .failed(let error): try output.put { printer.print(error, retry: nil, at: loop.now, into: &$0) }
            case .ended(.timeout), .ended(.ended), .ended(.failed):
                try output.put { printer.print(shortfall, retry: nil, at: loop.now, into: &$0) }
            case .ended, .signal, .output: break
            }
            let end = SessionEnd(time: loop.now.wall, reason: reason, locations: reason == .count ? 1 : 0)
            try output.put { printer.end(end, into: &$0) }
            try output.finish()
        }
        // A recording that ends without a good position and a denial have the same exit code as a timeout.
        switch outcome {
        case .ended(.ended), .ended(.failed): return code == .done ? session.fail(shortfall) : code
        case .ended, .signal, .failed, .output: return code
        }
    }

    func process(_ update: TrackedUpdate) throws(OutputFailure) -> SessionEnd.Reason? {
        let location = search.process(update)
        // A denial is final, so it ends the session.
        let isDenial =
            if case .update(let event) = update, case .failure(.denied, _) = event.event { true } else { false }
        // JSON contains every event before the position. Other output has the position and what satellites add to it.
        let isSky = if case .update(let event) = update, case .satellites = event.event { true } else { false }
        guard location != nil || settings.output == .json || isSky else { return isDenial ? .failed : nil }
        if location == nil, case .update(let event) = update, case .location = event.event { return nil }
        try output.put { printer.print(update, into: &$0) }
        return location != nil ? .count : isDenial ? .failed : nil
    }
}
