import LocationCore
import LocationGPSD
import GPSDProtocol
import LocwatchArguments
import LocwatchPlatform
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The command `devices --rate`, which shows or changes how often a receiver reports.
final class RateCommand: FramedConsumer {
    let session: CommandSession
    let output: OutputChannel
    var json: JSONPrinter
    weak var loop: SessionLoop?
    private let control = ReceiverControl()
    private let text: RateText
    private var change: RateChange

    /// Creates the command for a session whose settings have a choice of the rate.
    init(_ choice: RateChoice, _ session: CommandSession, rules: RateRules = RateRules()) {
        var session = session
        // After another connection the receiver can be another one, or have lost its power.
        session.settings.reading.reconnects = false
        self.session = session
        output = session.framedOutput
        json = session.json
        let (source, machine) = (session.source, session.context.machine)
        text = RateText(source: source, device: session.settings.request.device)
        let wish: Duration? = if case .set(let cycle) = choice { cycle } else { nil }
        change = RateChange(
            to: wish, of: source.device(session.settings), through: control, mayAsk: source.isAdjustable,
            isReadOnly: GPSDQuirks.hidesReadOnly && source.isLocalDaemon
                && machine.daemon(at: source.endpoint?.port ?? "")?.arguments.isReadOnly == true,
            hasSpeed: { Self.hasSpeed($0, on: machine) }, rules: rules)
    }

    /// Whether the speed of a device's line limits what it carries: neither USB nor a terminal has any.
    private static func hasSpeed(_ path: String, on machine: any ExaminedMachine) -> Bool {
        guard path.hasPrefix("/") else { return false }
        let device = machine.resolved(path)
        return !["/dev/ttyACM", "/dev/pts/"].contains { device.hasPrefix($0) }
    }

    static func check(_ invocation: Invocation) throws(UsageError) {
        guard let choice = invocation.settings.reading.rate else { return }
        let source = invocation.source
        if invocation.settings.reading.follows {
            throw UsageError(
                of: "follow", "rate", message: "--rate ends when the rate is measured, so it takes no --follow")
        }
        guard !source.isAdjustable else { return }
        if let endpoint = source.endpoint {
            guard case .set = choice else { return }
            throw UsageError(
                "rate",
                "changes receivers of this machine only; on \(endpoint.host.printable): locwatch devices --rate HERTZ")
        }
        throw UsageError(
            "rate", "is for the receiver of a gpsd or of a serial line, and \(source.description.printable) is neither")
    }

    func run() -> ExitCode {
        var plan = SessionPlan(self)
        plan.needs = []
        plan.timeouts = .brief
        plan.isBatch = true
        plan.request.control = control
        plan.request.deviceInterval = .seconds(2)
        plan.shows.work = { [unowned self] in "\(step) for \($0)" }
        return session.run(plan, finish: finish)
    }

    /// The current step in words.
    private var step: String {
        guard let wish = change.wish else { return "measuring the rate" }
        return switch change.phase {
        case .observing: "measuring the rate before"
        case .asking: "asking for \(wish.hertz)"
        case .measuring: "measuring \(wish.hertz)"
        case .undoing: "going back to \(change.before?.hertz ?? "the rate before")"
        }
    }

    /// Says a step that has begun, if each is to be said; returns the reason to end the session, if the result is there.
    private func proceed(from phase: RateChange.Phase) -> SessionEnd.Reason? {
        if change.phase != phase, settings.output.verbosity == .verbose { narrator.say(step) }
        return change.outcome == nil ? nil : .ended
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) throws(OutputFailure) -> SessionEnd.Reason? {
        guard case .update(let update, _) = update else { return nil }
        try printFailure(update)
        let phase = change.phase
        change.process(update)
        return proceed(from: phase)
    }

    var deadline: Moment? { change.deadline }

    func expire(at moment: Moment) -> SessionEnd.Reason? {
        let phase = change.phase
        change.expire(at: moment)
        return proceed(from: phase)
    }

    private func finish(_ ending: Ending, _ loop: SessionLoop) throws(OutputFailure) -> CommandResult {
        if let words = text.unfinished(change) { narrator.sayFailure(words) }
        guard let outcome = change.outcome else {
            if ending.isRegular, !change.isUnfinished { narrator.sayFailure("the rate was not known within the limit") }
            try printEnd(ending)
            return .done(code: .unavailable)
        }
        try print { JSONPrinter.print(outcome, wish: change.wish, at: ending.moment, into: &$1) }
        if !isJSON, let line = line(outcome) { try output.put { $0.put(line + "\n") } }
        try printEnd(ending)
        say(outcome)
        return .found(outcome.code)
    }

    /// The line on standard output, unless the outcome is a failure.
    private func line(_ outcome: RateOutcome) -> String? {
        switch outcome {
        case .shown(let report), .unchanged(let report): text.line(report)
        case .changed(let report, let before): text.line(report, before: before)
        case .refused, .undone: nil
        }
    }

    private func say(_ outcome: RateOutcome) {
        switch outcome {
        case .shown: break
        case .unchanged: narrator.say("nothing was changed: the receiver has that rate")
        case .changed(let report, let before): for line in text.advice(report, before: before) { narrator.say(line) }
        case .refused(let refusal): narrator.sayFailure(text.reason(refusal))
        case .undone(let failure, let report, let before, let isMeasured):
            guard let wish = change.wish else { return }
            narrator.sayFailure(text.reason(failure, report, wish: wish, before: before, isMeasured: isMeasured))
        }
    }
}
