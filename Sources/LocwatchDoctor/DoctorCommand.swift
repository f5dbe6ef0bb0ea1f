package import LocationCore
import LocationGPSD
package import LocwatchArguments
package import LocwatchSession
package import LocwatchTerminal

/// The command `doctor`, which finds out why there is no fix and explains what to do.
package final class DoctorCommand: Command, PrintingConsumer {
    package static let entry = CommandEntry(
        "doctor", operands: [.sourceOrTarget(or: GeoClueDoctor.word)],
        options: [
            "color", "device", "device-name", "header", "json", "quiet", "stale", "timeout", "verbose",
        ],
        summary: "find out why there is no fix, and what to do",
        description: [
            "Checks the daemon, the receivers, the signals and the clock in turn, without changing anything, and says "
                + "what to do about the first fault. The exit code reports the fault too.",
            "A SOURCE must be live: a gpsd, a receiver, a stream or a fleet. About a file 'locwatch stats' tells more.",
            "For a TARGET of publish it checks each step to it: the name of the host, the connection, the encryption, the "
                + "user, and for MQTT whether a message to the topic comes back, because a broker forbids silently. No "
                + "position is sent. For a fleet it checks the way to the broker, and whether devices report.",
            "With corrections (/dev/ttyACM0?corrections=URL) it checks whether the caster can be reached, takes the password, has the mountpoint and sends "
                + "corrections, and whether the receiver uses them, for up to 40 seconds.",
            "For geoclue it checks the way to the programs of a desktop: GeoClue, its configuration, the socket or the service of "
                + "Avahi that it reads, and whether a position arrives there.",
        ],
        examples: [
            .init(line: "locwatch doctor", explanation: "why is there no fix?", isForOverview: true),
            .init(line: "locwatch doctor pi.local", explanation: "on another machine"),
            .init(
                line: "locwatch doctor mqtt://broker.example/owntracks/anna/boat",
                explanation: "do positions arrive at a target?"),
            .init(line: "locwatch doctor geoclue", explanation: "do the programs of the desktop get the position?"),
        ])

    /// The default time limit.
    static let limit = Duration.seconds(15)
    /// The default time limit with corrections, for which gpsd needs longer to start and the receiver to use them.
    private static let limitWithCorrections = Duration.seconds(40)
    /// The interval between device requests; a difference between two answers reveals bytes that no driver recognizes.
    private static let deviceInterval = Duration.seconds(2)

    private let context: CommandContext
    private let source: SourceWord
    private let settings: Settings
    package let output: OutputChannel
    private let printer: DoctorPrinter
    private var observation: Observation
    private var pending: [CheckName]
    private var findings: [(name: CheckName, finding: Finding)] = []

    package static func run(_ invocation: Invocation, _ context: CommandContext) -> ExitCode {
        if invocation.word == GeoClueDoctor.word { return GeoClueDoctor(invocation, context).run() }
        if !invocation.settings.publishing.targets.isEmpty { return TargetDoctor(invocation, context).run() }
        guard invocation.source.isLive else {
            context.narrator().sayFailure(refusal(of: invocation.source))
            return .usage
        }
        if let fleet = invocation.source.source.fleet {
            return FleetDoctor(fleet, invocation, context).run()
        }
        return DoctorCommand(invocation, context).run()
    }

    /// Returns why a source that is not live is not checked.
    private static func refusal(of source: SourceWord) -> String {
        if let path = source.source.recording?.path, ThisMachine().file(path)?.isDevice == true {
            return "\(path.printable) is read as a log, because it is not in /dev; to check the receiver use "
                + ShellWords.quoted("serial:\(path)").printable
        }
        return "doctor checks a gpsd or a receiver; for a recording use 'locwatch stats'"
    }

    private init(_ invocation: Invocation, _ context: CommandContext) {
        self.context = context
        // The first failure is a finding, so the session must not retry.
        var settings = invocation.settings
        settings.reconnects = false
        self.settings = settings
        if let device = settings.devicePath, var endpoint = invocation.source.endpoint {
            endpoint.device = device
            source = .gpsd(endpoint)
        } else {
            source = invocation.source
        }
        printer = DoctorPrinter(
            isJSON: settings.output.carries(.objects), usesColor: context.usesColor(settings),
            width: context.console.outputColumns)
        output = context.output(isLive: true, settings)
        observation = Observation(source, at: context.clock.now)
        pending = CheckName.order(for: source)
    }

    private func run() -> ExitCode {
        let session = CommandSession(context, settings)
        do throws(OutputFailure) {
            try output.put { printer.start(source.description, place: source.place, into: &$0) }
            if try advance() == nil {
                switch observe(session) {
                case .signal(let number): return session.die(of: number)
                case .output(let failure): throw failure
                case .failed(let error): observation.failure = error
                case .ended: break
                }
            }
            observation.isOver = true
            _ = try advance()
            let diagnosis = Diagnosis(findings)
            try output.put { printer.end(diagnosis, at: context.clock.now.wall, into: &$0) }
            try output.finish()
            return diagnosis.code
        } catch {
            return session.fail(error)
        }
    }

    /// Watches the session until the checks know enough.
    private func observe(_ session: CommandSession) -> SessionOutcome {
        // The preceding checks have used some of the time.
        let left =
            (settings.timeout ?? (observation.corrections == nil ? Self.limit : Self.limitWithCorrections))
            - observation.start.duration(to: context.clock.now)
        var plan = SessionPlan(source, self)
        plan.request = LocationRequest(includesClock: true, deviceInterval: Self.deviceInterval)
        plan.options.timeouts = .brief
        // A caster that sends nothing is to be known before the time is over.
        plan.options.timeouts.streamSilence = .seconds(6)
        plan.limits = SessionLoop.Limits(duration: max(.milliseconds(100), left - .milliseconds(200)))
        // A failure is a finding.
        plan.shows.failures = .byCommand
        do throws(LocationError) {
            let loop = try session.loop(plan)
            defer {
                observation.isConnected = loop.wasConnected
                observation.passTime(to: max(loop.now, context.clock.now))
            }
            return loop.run()
        } catch {
            return .failed(error)
        }
    }

    /// Runs the pending checks and prints their findings; returns a reason to end when no check is left.
    private func advance() throws(OutputFailure) -> SessionEnd.Reason? {
        while let name = pending.first {
            switch name.check.examine(observation, context.machine) {
            case .wait:
                try output.flush()
                return nil
            case .moot: pending.removeFirst()
            case .found(let finding):
                pending.removeFirst()
                findings.append((name, finding))
                try output.put { printer.print(name.rawValue, finding, into: &$0) }
                // The remaining checks depend on this one and would only repeat the fault.
                if finding.result == .fault { pending.removeAll() }
            }
        }
        try output.flush()
        return .ended
    }

    package func process(_ update: TrackedUpdate, _ view: SessionView) throws(OutputFailure) -> SessionEnd.Reason? {
        guard case .update(let update, _) = update else { return nil }
        observation.process(update, view)
        return try advance()
    }
}
