import LocationCore
import LocationGPSD
import LocwatchArguments
import LocwatchSession
import LocwatchTerminal

/// The examination of a gpsd or a receiver by `doctor`: checks of what a session observes, until they know enough.
final class SessionDoctor: SessionHolder, PrintingConsumer {
    /// The default time limit.
    static let limit = Duration.seconds(15)
    /// The default time limit with corrections, for which gpsd needs longer to start and the receiver to use them.
    private static let limitWithCorrections = Duration.seconds(40)
    /// The interval between device requests; a difference between two answers reveals bytes that no driver recognizes.
    private static let deviceInterval = Duration.seconds(2)

    let session: CommandSession
    private let report: DoctorReport
    private var observation: Observation
    private var pending: [Check<Observation>]
    var output: OutputChannel { report.output }

    init(_ session: CommandSession) {
        var session = session
        if let device = session.settings.devicePath, var endpoint = session.source.endpoint {
            endpoint.device = device
            session.source = .gpsd(endpoint)
        }
        self.session = session
        report = DoctorReport(session, isLive: true)
        observation = Observation(session.source, at: session.context.clock.now)
        observation.mayListen = session.settings.limits.timeout.map { $0 >= Self.limit } ?? true
        pending = Check.all(for: session.source)
    }

    func run() -> ExitCode {
        if settings.output.wantsReport {
            report.appendix = { [unowned self] in observation.conversation.put(into: &$0) }
        }
        return report.run(source.description, place: source.place, failed: "no fix") { () throws(OutputFailure) in
            if try !advance() {
                switch observe() {
                case .signal(let number): return session.die(of: number)
                case .output(let failure): throw failure
                case .failed(let error): observation.failure = error
                case .ended: break
                }
            }
            observation.isOver = true
            _ = try advance()
            return nil
        }
    }

    /// Watches the session until the checks know enough.
    private func observe() -> SessionOutcome {
        // The preceding checks have used some of the time.
        let left =
            (settings.limits.timeout ?? (observation.corrections == nil ? Self.limit : Self.limitWithCorrections))
            - observation.start.duration(to: context.clock.now)
        var plan = SessionPlan(self)
        plan.request = LocationRequest(
            includesLines: settings.output.wantsReport, includesClock: true, deviceInterval: Self.deviceInterval)
        plan.timeouts = .brief
        // A caster that sends nothing is to be known before the time is over.
        plan.timeouts.streamSilence = .seconds(6)
        // A failure is a finding.
        plan.shows.failures = .byCommand
        do throws(LocationError) {
            let loop = try session.lasting(max(.milliseconds(100), left - .milliseconds(200))).loop(plan)
            defer {
                observation.isConnected = loop.wasConnected
                observation.passTime(to: max(loop.now, context.clock.now))
            }
            return loop.run().outcome
        } catch {
            return .failed(error)
        }
    }

    /// Performs the pending checks, and returns whether none is left.
    private func advance() throws(OutputFailure) -> Bool {
        try report.perform(&pending, on: observation)
        return pending.isEmpty
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) throws(OutputFailure) -> SessionEnd.Reason? {
        guard case .update(let update, _) = update else { return nil }
        observation.process(update, view)
        let isDone = try advance()
        // These checks read the line when the private gpsd has ended.
        return isDone || pending.first?.name == .line || BytesCheck.needsLine(observation) ? .ended : nil
    }
}
