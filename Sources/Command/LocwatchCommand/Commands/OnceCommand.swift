import LocationCore
import LocationPublishing
import LocwatchArguments
import LocwatchPlatform
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The command `once`, which prints one position that is good enough and exits with a code for the outcome.
final class OnceCommand: Command, SessionHolder, PrintingConsumer {
    static let entry = CommandEntry(
        "once", operands: [.source],
        options: [
            "accuracy", "average", "body", "color", "columns", "csv", "device", "device-name", "fence", "fix",
            "format", "header", "json", "max-age", "no-header", "no-reconnect", "pace", "precision", "quiet", "stale",
            "timeout", "to", "units", "utc", "verbose",
        ],
        // A fence decides about the exit code, a single position is sent only where the user says so, and a mean takes long.
        optionsOfSection: ["average", "fence", "to"], readsAtOnce: true,
        summary: "print one position that is good enough, then exit",
        description: [
            "Waits for the first position with the requested accuracy, age and kind of fix, for 60 s unless --timeout is given. If "
                + "there is none in time, the exit code and a message on standard error give the reason.",
            "With several receivers it waits for the first report of each, at most 2 s, and prints the best position. It "
                + "waits as long for a 3D fix with time and accuracy, unless --accuracy or --fix says what is good enough. "
                + "With --timeout it also waits until then for a gpsd that does not answer yet, and says so.",
            "With --fence the exit code tells whether the position is in any of the fences: 0 inside, 1 outside every "
                + "fence, 75 without a position that is accurate enough.",
            "With --average the position is the mean of a receiver that stands still for DURATION, with an error that "
                + "its scatter tells. The exit code is 75 when it leaves its place. A recording is searched for the first "
                + "standstill that is long enough.",
            "With --to TARGET the position is also sent to a target. The exit code is 0 only when the target has "
                + "taken it within 10 s, or the rest of --timeout, and 69 if not.",
        ],
        examples: [
            "locwatch once": "where is this machine?",
            "locwatch once -a 10 -t 30s": "one position, to 10 m, within 30 s",
            "locwatch once -f 'geo:%{lat},%{lon}'": "as a link that map programs open",
            "locwatch once --fence home=45.0703,7.6869,150": "is this machine at home? the exit code is 0, or 1 if not",
            "locwatch once --average 2h -a 1": "the mean of a standstill, until it is known to 1 m",
            "locwatch once --to mqtt://broker.example/owntracks/anna/boat": "tell others, once",
        ], overview: [1])

    private static let timeout = Duration.seconds(60)
    /// The time for the targets to take the position, without a requested time limit.
    private static let publishingTime = Duration.seconds(10)

    let session: CommandSession
    let output: OutputChannel
    private var printer: any EventPrinter
    private let publication: OnePublication?
    /// The position that was printed, as it is published.
    private var record: PublishRecord?
    /// The fences that the exit code is about; empty without `--fence`.
    private let fences: [Fence]
    /// The best position that was too coarse for the fences.
    private var tooCoarse: Location?
    /// The last report without a fix.
    private var lastSearch: SearchReason?
    /// The host's time at the start.
    private var began: Moment?
    private var verdict: FenceVerdict?
    private var choice: ReceiverChoice
    /// The search for a mean, if one is asked for.
    private var search: MeanSearch?
    /// Whether the chosen position is printed.
    private var isDone = false
    private weak var loop: SessionLoop?
    /// Whether standard error still has to tell what is waited for.
    private var saysWait = false

    static func check(_ invocation: Invocation) throws(UsageError) {
        try invocation.checkOutput()
        if invocation.settings.fences.contains(where: { if case .anchor = $0.shape { true } else { false } }) {
            throw UsageError(
                "once has one position, which is always in a fence around itself; give the latitude and the longitude instead of here"
            )
        }
        if invocation.settings.limits.average != nil {
            try invocation.requireOneMachine(or: UsageError("average", "is for one receiver, not for a fleet"))
        }
        guard invocation.settings.publishing.targets.isEmpty else { return }
        for option in ["device-name", "header", "body"] as [OptionName] where invocation.given.contains(option) {
            throw UsageError(option, "is for a target and needs --to")
        }
    }

    static func run(_ session: CommandSession) -> ExitCode {
        do throws(StartFailure) { return try OnceCommand(session).run() } catch { return session.fail(error) }
    }

    private init(_ session: CommandSession) throws(StartFailure) {
        publication = try OnePublication(session)
        fences = session.settings.fences
        var session = session
        // The user waits for a single position, so without a time limit of theirs a failure ends the session at once.
        // A mean takes so long that a broken connection is worth another one.
        let limits = session.settings.limits
        if limits.timeout == nil, limits.average == nil { session.settings.reading.reconnects = false }
        search = limits.average.map {
            MeanSearch(
                for: $0, accuracy: session.settings.request.accuracy, isLive: session.source.isLive,
                within: limits.timeout)
        }
        // The mean must be accurate, and not its positions.
        if search != nil { session.settings.request.accuracy = nil }
        // The fences judge the chosen position only, so the session has none.
        session.settings.fences = []
        self.session = session
        printer = session.printer()
        output = session.output(printer)
        // Criteria of the user say what is good enough.
        let isDemanding = session.settings.request.accuracy != nil || session.settings.request.fix != nil
        // A pipe may stop after its first position.
        let goesOn = session.source.isLive || session.source.recording?.size != nil
        choice = ReceiverChoice(canBeginWithin: goesOn && !isDemanding, isLive: session.source.isLive)
        saysWait =
            settings.output.verbosity == .normal && !settings.output.carries(.diagnostics) && !narrator.canShowLine
    }

    private func run() -> ExitCode {
        var plan = SessionPlan(self)
        plan.needs = .position
        plan.timeoutIsFinal = search == nil
        plan.isBatch = true
        plan.request = settings.request
        plan.request.purpose = .once
        plan.access = publication?.makesEntries == true ? nil : SessionAccess(connects: publication != nil)
        plan.shows.work = { [unowned self] in wait(for: $0) }
        plan.shows.workHasShortfall = true
        var session = session
        session.settings.limits.timeout = timeout
        return session.run(plan, finish: finish)
    }

    /// The time for a position, or for a mean to begin; a recording that is searched for a mean has no limit of its own.
    private var timeout: Duration? {
        let usual = search == nil ? Self.timeout : source.isLive ? MeanSearch.patience : nil
        return settings.limits.timeout ?? usual
    }

    func prepare(_ wait: inout SessionWait) {
        wait.add(output)
        publication?.prepare(&wait)
    }

    func linger(_ ending: Ending) -> Bool {
        guard let loop else { return false }
        if isChoiceOver(ending), let best = choice.best { try? printBest(best, loop.view) }
        guard isDone, !ending.hasFailedOutput, let publication, let record else { return false }
        if !publication.hasBegun { publication.begin(record, within: publishingTime) }
        return publication.linger(ending)
    }

    /// Whether the source or the time has ended, or the source has failed, while the choice waited for other receivers.
    private func isChoiceOver(_ ending: Ending) -> Bool {
        guard choice.best != nil, search == nil, !isDone else { return false }
        return switch ending.outcome {
        case .ended(.ended), .ended(.timeout), .failed: true
        case .ended, .signal, .output: false
        }
    }

    private func finish(_ ending: Ending, _ loop: SessionLoop) throws(OutputFailure) -> CommandResult {
        // With its position the command is done, although the source has ended or failed since.
        let isFound = isDone && !ending.isSignal
        let shortfall = shortfall(loop)
        // In text output the message on standard error is sufficient.
        if !settings.output.carries(.messages), !isDone, !ending.isSignal {
            let error = ending.error ?? shortfall
            let advice = ending.error == nil && advice != nil ? advice : narrator.text(error).advice
            try output.put { printer.print(error, advice: advice, retry: nil, at: ending.moment, into: &$0) }
        }
        let end = SessionEnd(
            time: ending.moment.wall, reason: isDone ? .count : ending.reason, locations: isDone ? 1 : 0)
        try output.put { printer.end(end, into: &$0) }
        try output.finish()
        guard isFound else { return .lacking(shortfall, advice: advice) }
        if let failure = publication?.failure {
            narrator.sayFailure(lines: failure.text)
            return .found(failure.code)
        }
        return .found(verdict?.isInside == false ? .negative : .done)
    }

    private func shortfall(_ loop: SessionLoop) -> LocationError {
        if let tooCoarse, let wanted = fences.map(\.coarsestAccuracy).min() {
            return .noFix(.tooCoarse(best: tooCoarse, wanted: wanted))
        }
        if search?.isOver == false, let failure = loop.view.failure { return failure.error }
        if let shortfall = search?.shortfall { return .noFix(shortfall) }
        let shortfall = loop.view.shortfall(after: loop.lasted)
        // A recording often ends with the end of its receiver, which explains nothing.
        guard !source.isLive, case .noFix(.noPosition(let time, .deviceLost)) = shortfall, let lastSearch else {
            return shortfall
        }
        return .noFix(.noPosition(after: time, reason: lastSearch))
    }

    private var advice: String? {
        if let advice = search?.advice { return advice }
        guard tooCoarse != nil, let names = fences.isEmpty ? nil : EnglishList.or(fences.map(\.name)) else {
            return nil
        }
        return ErrorText.waiting(for: source)
            + "use a larger fence: --fence \(names) needs a position of at most twice its radius"
    }

    /// The time for the targets: the rest of the requested time limit, but at least a second.
    private var publishingTime: Duration {
        // The time of a recording is not that of the user, and that of a mean is not a limit.
        guard search == nil else { return Self.publishingTime }
        let passed = began.map { $0.duration(to: context.clock.now) } ?? .zero
        return settings.limits.timeout.map { max(.seconds(1), $0 - passed) } ?? Self.publishingTime
    }

    func begin(_ loop: SessionLoop) throws(OutputFailure) {
        self.loop = loop
        began = context.clock.now
        search?.begin(at: loop.now)
        guard !settings.output.omitsHeader else { return }
        let start = SessionStart(source: source, now: context.clock.now.wall, isSingleLine: true)
        try output.put { printer.start(start, into: &$0) }
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) throws(OutputFailure) -> SessionEnd.Reason? {
        guard !isDone else { return .count }
        guard case .update(let event, let standing) = update else {
            if settings.output.carries(.everyEvent) { try output.put { printer.print(update, view, into: &$0) } }
            // A change precedes the position that caused it, of which the view already knows.
            return nil
        }
        switch event.event {
        case .location(let location):
            if search != nil {
                if view.accepts(location, standing) { search?.process(event, location, standing) }
            } else if view.accepts(location, standing), isDecisive(location, at: event.moment) {
                choice.process(event, location)
            }
        case .satellites:
            try output.put { printer.print(update, view, into: &$0) }
        default:
            // JSON contains every event before the position.
            if settings.output.carries(.everyEvent) { try print(update, view) }
            if case .searching(let reason, _) = event.event, case .noFix = reason { lastSearch = reason }
            // Only a source that does not answer yet is waited for.
            if case .failure(let error, let retry) = event.event {
                guard error.isOfAbsence, !isFinal else { return .failed }
                if retry != nil { sayWait() }
            }
        }
        return try choose(at: event.moment, view)
    }

    /// Whether a failure to reach the source ends the session at once: the user waits for a first position, without a time limit.
    private var isFinal: Bool { search?.hasBegun == false && settings.limits.timeout == nil }

    /// Prints an event before the position, of which a failure has the advice.
    private func print(_ update: TrackedUpdate, _ view: SessionView) throws(OutputFailure) {
        guard case .update(let event, _) = update, case .failure(let error, let retry) = event.event else {
            return try output.put { printer.print(update, view, into: &$0) }
        }
        let advice = narrator.text(error).advice
        try output.put { printer.print(error, advice: advice, retry: retry, at: event.moment, into: &$0) }
    }

    /// Returns what is wrong with the positions that have come, for the status line.
    private func wait(for duration: String) -> String? {
        if let search { return search.words(session.style) }
        guard let loop, choice.best == nil, loop.view.state.location != nil else { return nil }
        return "\(duration) \(context.glyphs.separator) \(ErrorText(shortfall(loop), of: source).message)"
    }

    /// Says what is waited for, before the failure that delays it.
    private func sayWait() {
        guard saysWait else { return }
        saysWait = false
        narrator.say("waiting at most \((timeout ?? Self.timeout).spoken) for \(source.place)")
    }

    /// Returns whether a position tells if it is in a fence; always without fences.
    private func isDecisive(_ location: Location, at moment: Moment) -> Bool {
        guard !fences.isEmpty, FenceVerdict(fences, of: location, at: moment, subject: nil).isInside == nil else {
            return true
        }
        if tooCoarse.map({ location.isBetter(than: $0) }) ?? true { tooCoarse = location }
        return false
    }

    private func choose(at moment: Moment, _ view: SessionView) throws(OutputFailure) -> SessionEnd.Reason? {
        if let search {
            guard search.isOver else { return nil }
            guard let mean = search.result, let location = mean.location, isDecisive(location, at: mean.moment) else {
                return .failed
            }
            try printBest(mean, view)
            return .count
        }
        guard choice.isMade(at: moment, view), let best = choice.best else { return nil }
        try printBest(best, view)
        return .count
    }

    private func printBest(_ best: LocationUpdate, _ view: SessionView) throws(OutputFailure) {
        guard let location = best.location else { return }
        isDone = true
        var record = PublishRecord(.manual, created: best.moment.wall, location: location)
        record.note(view, best.sky, needsSky: true)
        self.record = record
        var view = view
        if !fences.isEmpty {
            let verdict = FenceVerdict(fences, of: location, at: best.moment, subject: best.subject)
            self.verdict = verdict
            view.subjects.fences = verdict.fences
        }
        try output.put {
            printer.print(.update(best, .current), view, into: &$0)
            for event in verdict?.events ?? [] { printer.print(.fence(event), view, into: &$0) }
        }
    }

    var deadline: Moment? { isDone ? nil : search == nil ? choice.deadline : search?.deadline }

    func expire(at moment: Moment) throws(OutputFailure) -> SessionEnd.Reason? {
        search?.expire(at: moment)
        return try loop.flatMap { (loop) throws(OutputFailure) in try choose(at: moment, loop.view) }
    }
}

extension LocationError {
    /// Whether the source is not there, or not there any more, so that it may come.
    fileprivate var isOfAbsence: Bool {
        switch self {
        case .unreachable, .streamUnavailable, .connectionLost: true
        default: false
        }
    }
}

/// The answer to whether a single position is in any of some fences.
///
/// A position that is too coarse for a fence does not count for it, as in a `FenceMonitor`.
private struct FenceVerdict {
    let events: [FenceEvent]
    let fences: SubjectFences
    /// Whether the position is in any fence, or `nil` if it is too coarse to tell.
    let isInside: Bool?

    init(_ fences: [Fence], of location: Location, at moment: Moment, subject: String?) {
        var judged = SubjectFences(FenceMonitor(fences: fences))
        events = judged.update(location, at: moment, of: subject).filter(\.kind.isOfStay)
        self.fences = judged
        let isUndecided = fences.contains { judged.monitor(of: location.device).isInside($0.name) == nil }
        isInside = events.isEmpty && isUndecided ? nil : !events.isEmpty
    }
}
