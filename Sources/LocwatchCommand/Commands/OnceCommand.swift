import LocationCore

/// `once`: one position that is good enough, then the end; the exit code tells what came of it.
final class OnceCommand: SessionHandler {
    /// How long it takes at most, where nothing else is asked for.
    private static let patience = Duration.seconds(60)

    private let source: SourceWord
    private let settings: Settings
    private let output: OutputChannel
    private var printer: any EventPrinter
    private var search: PositionSearch

    init(_ source: SourceWord, _ settings: Settings, _ environment: [String: String]) {
        self.source = source
        // Whoever asks once wants to know at once that nobody answers.
        var settings = settings.withoutWaiting(for: source)
        settings.reconnects = false
        self.settings = settings
        printer = settings.printer(environment)
        output = OutputChannel(manner: .complete) { _ in [] }
        search = PositionSearch(accuracy: settings.accuracy, fix: settings.fix ?? .twoD, maxAge: settings.maximumAge)
    }

    /// Runs the command to its end.
    func run(_ session: CommandSession) -> ExitCode {
        let limits = SessionLoop.Limits(timeout: settings.timeout ?? Self.patience)
        return session.follow(source, settings, for: self, limits: limits) { (_) throws(OutputFailure) in
            try output.put { printer.start(SessionStart(source: source, now: session.clock.now.wall), into: &$0) }
        } end: { loop, outcome in
            end(session, loop, outcome)
        }
    }

    private func end(_ session: CommandSession, _ loop: SessionLoop, _ outcome: SessionOutcome) -> ExitCode {
        let shortfall = search.shortfall(after: loop.lasted)
        let code = session.end(outcome, shortfall: shortfall) { (reason) throws(OutputFailure) in
            switch outcome {
            case .failed(let error): try output.put { printer.print(error, retry: nil, at: loop.now, into: &$0) }
            case .ended(.timeout), .ended(.ended), .ended(.failed):
                try output.put { printer.print(shortfall, retry: nil, at: loop.now, into: &$0) }
            case .ended, .signal, .output: break
            }
            let end = SessionEnd(time: loop.now.wall, reason: reason, locations: reason == .count ? 1 : 0)
            try output.put { printer.end(end, into: &$0) }
            try output.finish()
        }
        // A recording that is over without a good position, or a refusal, has the same answer as a time that is up.
        switch outcome {
        case .ended(.ended), .ended(.failed): return code == .done ? session.fail(shortfall) : code
        case .ended, .signal, .failed, .output: return code
        }
    }

    func take(_ update: TrackedUpdate) throws(OutputFailure) -> SessionEnd.Reason? {
        let location = search.take(update)
        // What is refused once is refused for good.
        let isRefusal = if case .update(let told) = update, case .failure(.denied) = told.event { true } else { false }
        // Scripts get everything that leads to the answer; people get the answer.
        guard location != nil || settings.output == .json else { return isRefusal ? .failed : nil }
        if location == nil, case .update(let event) = update, case .location = event.event { return nil }
        try output.put { printer.print(update, into: &$0) }
        return location != nil ? .count : isRefusal ? .failed : nil
    }

    var deadline: Moment? { nil }

    func expire(at moment: Moment) throws(OutputFailure) {}

    func flush() throws(OutputFailure) {
        try output.flush()
    }

    var pendingOutput: Int32 { -1 }
}
