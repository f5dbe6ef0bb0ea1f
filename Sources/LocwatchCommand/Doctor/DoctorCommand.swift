import GPSDReports
import LocationCore
import LocationGPSD

/// `doctor`: finds out why there is no fix, and says what to do.
final class DoctorCommand: SessionHandler {
    /// How long it takes at most, where nothing else is asked for.
    private static let patience = Duration.seconds(15)

    private let source: SourceWord
    private let settings: Settings
    private let machine: any MachineView
    private let output: OutputChannel
    private let printer: DoctorPrinter
    private var reports = RawReports()
    private var observation: Observation
    private var pending: [CheckName]
    private var findings: [(name: CheckName, finding: Finding)] = []
    private weak var loop: SessionLoop?

    init(
        _ source: SourceWord, _ settings: Settings, _ environment: [String: String],
        machine: any MachineView = ThisMachine()
    ) {
        // Whoever looks for a fault wants to know of the first one at once.
        var settings = settings
        settings.reconnects = false
        self.settings = settings
        if let device = settings.device, case .gpsd(var endpoint) = source {
            endpoint.device = device
            self.source = .gpsd(endpoint)
        } else {
            self.source = source
        }
        self.machine = machine
        printer = DoctorPrinter(
            isJSON: settings.output == .json,
            usesColor: settings.usesColor(environment))
        output = OutputChannel(manner: .complete) { _ in [] }
        observation = Observation(self.source, at: SessionClock.system().now)
        pending = CheckName.order(for: self.source)
    }

    /// Runs the command to its end.
    func run(_ session: CommandSession) -> ExitCode {
        guard source.isLive else {
            session.say("locwatch: doctor looks at a gpsd or a receiver; 'locwatch stats' looks at a recording\n")
            return .usage
        }
        let clock = SessionClock.system()
        observation = Observation(source, at: clock.now)
        do throws(OutputFailure) {
            try output.put { printer.start(source, into: &$0) }
            if try advance() == nil, let number = try observe(session, clock) { return session.die(of: number) }
            observation.isOver = true
            _ = try advance()
            let diagnosis = Diagnosis(findings)
            try output.put { printer.end(diagnosis, at: SessionClock.system().now.wall, into: &$0) }
            session.status.wipe()
            try output.finish()
            return diagnosis.code
        } catch {
            return session.fail(error)
        }
    }

    /// Watches the session until the checks know enough; the answer is the signal that ended it.
    private func observe(_ session: CommandSession, _ clock: SessionClock) throws(OutputFailure) -> Int32? {
        let outcome: SessionOutcome
        do throws(LocationError) {
            let feed = try source.feed(settings, clock: clock, patience: .brief) { [unowned self] chunk, _ in
                reports.read(chunk) { observation.note($0) }
            }
            // The checks before it have taken some of the time.
            let left = (settings.timeout ?? Self.patience) - observation.start.duration(to: clock.now)
            let loop = SessionLoop(
                feed, self, limits: .init(duration: max(.milliseconds(100), left - .milliseconds(200))),
                status: session.status, signals: session.signals)
            self.loop = loop
            outcome = loop.run()
            observation.isConnected = feed.isConnected
        } catch {
            observation.failure = error
            return nil
        }
        observation.passTime(to: clock.now)
        switch outcome {
        case .ended: return nil
        case .failed(let error): observation.failure = error
        case .signal(let number): return number
        case .output(let failure): throw failure
        }
        return nil
    }

    /// Asks the checks that are next, and prints what they find; answers once there is nothing more to ask.
    private func advance() throws(OutputFailure) -> SessionEnd.Reason? {
        while let name = pending.first {
            switch name.check.examine(observation, machine) {
            case .wait:
                try output.flush()
                return nil
            case .moot: pending.removeFirst()
            case .found(let finding):
                pending.removeFirst()
                findings.append((name, finding))
                loop?.wipeStatus()
                try output.put { printer.print(name, finding, into: &$0) }
                // What depends on it would only tell the same fault again.
                if finding.result == .fault { pending.removeAll() }
            }
        }
        try output.flush()
        return .ended
    }

    func take(_ update: TrackedUpdate) throws(OutputFailure) -> SessionEnd.Reason? {
        guard case .update(let update) = update else { return nil }
        observation.note(update)
        return try advance()
    }

    var deadline: Moment? { nil }

    func expire(at moment: Moment) throws(OutputFailure) {}

    func flush() throws(OutputFailure) {
        try output.flush()
    }

    var pendingOutput: Int32 { -1 }
}

/// The daemon's reports, for what the events of a session leave out.
private struct RawReports {
    private var lines = LineReader()
    private var decoder = ReportDecoder()

    mutating func read(_ chunk: UnsafeRawBufferPointer, _ tell: (GPSDReport) -> Void) {
        var reader = LineReader()
        swap(&reader, &lines)
        reader.feed(chunk) { line in
            if case .line(let bytes) = line, let report = try? decoder.decode(bytes) { tell(report) }
        }
        swap(&reader, &lines)
    }
}
