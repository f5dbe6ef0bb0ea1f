import Glibc
import LocationCore
import LocationPublishing
import LocwatchArguments
import LocwatchPlatform
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The command `publish`, which sends positions to other programs and machines, and keeps what they have not taken yet.
final class PublishCommand: Command, SessionHolder, PrintingConsumer {
    static let entry = CommandEntry(
        "publish", operands: [.target, .source],
        options: [
            "accuracy", "angle", "body", "check", "color", "count", "device", "device-name", "distance", "duration",
            "fence",
            "follow", "header", "heartbeat", "hook-limit", "interval", "json", "max-age",
            "metrics-file", "no-reconnect", "on", "pace", "queue", "queue-limit", "quiet", "stale", "state",
            "timeout", "to", "utc", "verbose",
        ],
        readsAtOnce: true,
        summary: "send the position to others: MQTT, HTTP, chart plotters",
        description: [
            "Sends every position. With --distance, --interval or --angle it sends a position only when it has moved, aged or "
                + "turned that much since the last one sent. The first position, its loss, and events at a fence are sent at once.",
            "Records that a target has not taken stay in a queue on the disk, also when the program ends, and are sent after "
                + "the outage, as fast as the target takes them. MQTT, Overland and InfluxDB get the newest position first, once, "
                + "and then all in the order of time; other HTTP servers and text get all in that order. Targets that cannot tell old from new get only the newest, "
                + "and so does any with ?newest. No target delays another one.",
            "A record counts as sent when its target has acknowledged it, which does not mean that a subscriber has it. After "
                + "the end of a connection or a kill some can arrive twice: each that may have arrived before has 'repeated' in "
                + "JSON, OwnTracks, Overland and Traccar's attributes. A record whose content a target refuses five times is set aside and "
                + "counted. If a broker of MQTT 5 refuses a record as forbidden, the target is held for five minutes. A broker of MQTT 3.1.1 acknowledges a message that it then drops: "
                + "'locwatch doctor TARGET' finds that out.",
            "A record in JSON has the members of a position in 'watch --json', and occasion, created, repeated, fence and change; "
                + "'locwatch help schema' describes them. Home Assistant gets integrity and stationary as attributes, Traccar "
                + "integrity, and Overland stationary as its motion. Programs that read NMEA get each epoch as a receiver would "
                + "send it; when the position is lost the sentences are void.",
            "A recording is published as fast as the targets take it. SIGUSR1 connects again at once. At the end, "
                + "also with --count or --duration, the other records are sent until the target refuses them or takes none for "
                + "10 seconds. After a signal that is 5 seconds. If it still lacks some, the exit code is 69, and "
                + "the next run with the same first TARGET sends them.",
        ],
        examples: [
            "locwatch publish mqtt://broker.example/owntracks/anna/boat": "to OwnTracks' apps and its Recorder",
            "locwatch publish mqtt+ha://homeassistant.local": "to Home Assistant",
            "locwatch publish tcp-listen://:10110": "NMEA for a chart plotter",
            "locwatch publish 'file:/run/user/1000/position?format=%{lat} %{lon}' -q":
                "a file for scripts, with the newest position only",
            "locwatch publish --config /etc/locwatch/boat.conf --check": "check a configuration",
        ], overview: [0])

    let session: CommandSession
    private let setup: PublishSetup
    /// The deliveries, which begin before the session.
    private var publisher: LocationPublisher?
    let output: OutputChannel
    private var printer: any EventPrinter
    /// Whether failures are lines of the output, so that standard error has none.
    private let showsFailures: Bool
    private var schedule: PublishSchedule
    private var reporter: DeliveryReporter
    private var status: PublishStatus
    private var saidQueueFailure: PublishError?
    private var count = 0
    /// The number of records that were published since the last pause in reading.
    private var uncounted = 0
    private var userSignal: Event?
    /// The deliveries after the end of the session, and its reason.
    private var rest: RestOfDeliveries?
    private var reason: SessionEnd.Reason?
    private weak var loop: SessionLoop?

    static func check(_ invocation: Invocation) throws(UsageError) {
        if invocation.settings.publishing.targets.isEmpty {
            throw UsageError("publish needs a TARGET: \(entry.usage)")
        }
        if invocation.source.fleet != nil {
            throw UsageError(
                "publish sends the position of this machine, and \(invocation.source) is a fleet; to send that of one device, "
                    + "publish from 'locwatch serve --device NAME \(invocation.source)'")
        }
    }

    static func run(_ session: CommandSession) -> ExitCode {
        do throws(StartFailure) {
            if session.settings.publishing.checksOnly { return try PublishCheck(session).print() }
            return try PublishCommand(session, PublishSetup(session)).run()
        } catch {
            return session.fail(error)
        }
    }

    private init(_ session: CommandSession, _ setup: PublishSetup) throws(StartFailure) {
        self.session = session
        self.setup = setup
        let output = session.settings.output
        // With --quiet there is only what was asked for, as with --json.
        let isSilent = output.verbosity == .quiet && output.carries(.messages)
        let showsFailures = session.context.console.outputIsWithMessages && !isSilent
        self.showsFailures = showsFailures
        printer = isSilent ? SilentPrinter() : session.printer { ($0.locations, $0.failures) = (false, showsFailures) }
        // A confined program cannot open the terminal.
        self.output = session.output(printer, isLive: true)
        try setup.makeState()
        schedule = PublishSchedule(setup.schedule)
        reporter = DeliveryReporter(setup.targets.map(\.word.description))
        status = PublishStatus(session.context)
    }

    private func run() -> ExitCode {
        var plan = SessionPlan(self)
        plan.needs.insert(.position)
        plan.request = selection
        plan.showsDistance = true
        plan.access =
            setup.makesEntries ? nil : SessionAccess(writes: [setup.folder].compactMap(\.self), connects: true)
        plan.open = open
        plan.shows.line = .none
        plan.shows.steps = settings.output.carries(.messages)
        if showsFailures { plan.shows.failures = .inOutput }
        return session.run(plan, finish: finish)
    }

    private func open() throws(StartFailure) {
        publisher = try setup.publisher { narrator.say($0) }
        if let event = try? Event() {
            userSignal = event
            CaughtSignals.announceUserSignal(by: event)
        }
        for warning in setup.warnings { narrator.say(warning) }
        // The last connection to the database waits for the disk when it ends, so the publisher must have one.
        if settings.output.verbosity == .verbose, publisher?.isOpen == true,
            let queue = setup.folder.flatMap({ QueueSummary($0) })
        {
            narrator.say("queue \(queue)", .information)
        }
    }

    private var deliveries: [DeliveryStatus] { publisher?.deliveries ?? [] }

    /// The number of records that the queue could not store.
    private var lost: UInt64 { publisher?.lost ?? 0 }

    /// The number of records that the limits of the queue have removed before every target had taken them.
    ///
    /// The queue does not know which records are on their way: if every target has taken all of its records, none is lost.
    private var removed: UInt64 {
        deliveries.allSatisfy { $0.isComplete && $0.lost == 0 } ? 0 : publisher?.removed ?? 0
    }

    /// The number of records of the queue that could not be read.
    private var unreadable: UInt64 { publisher?.unreadable ?? 0 }

    // MARK: Records

    private var selection: LocationRequest {
        LocationRequest(accuracy: settings.request.accuracy, maxAge: settings.request.maxAge)
    }

    private func selected(_ location: Location?) -> Location? {
        location.flatMap { LocationFilter(selection).isMet(by: $0) ? $0 : nil }
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) throws(OutputFailure) -> SessionEnd.Reason? {
        status.process(update)
        switch update {
        case .transition(let transition):
            if let record = schedule.record(for: transition) { publish(record, view, at: update.moment) }
        case .handover: schedule.replaceCurrent(by: selected(view.location))
        case .fence(let event):
            if let record = schedule.record(for: event, causedBy: selected(view.location)) {
                publish(record, view, at: event.moment)
            }
        case .integrity: break
        case .deviceTransition, .failureEnded: return nil
        case .update(let event, let standing):
            switch event.event {
            case .location(let location):
                return standing == .current ? process(location, at: event.moment, view) : nil
            case .satellites, .attitude: return nil
            default: break
            }
        }
        try output.put { printer.print(update, view, into: &$0) }
        return nil
    }

    private func process(_ location: Location, at moment: Moment, _ view: SessionView) -> SessionEnd.Reason? {
        guard let record = schedule.record(for: location, at: moment) else { return nil }
        publish(record, view, at: moment)
        count += 1
        return count == settings.limits.count ? .count : nil
    }

    var deadline: Moment? { schedule.deadline }

    func expire(at moment: Moment) -> SessionEnd.Reason? {
        if let record = schedule.expire(at: moment), let view = loop?.view { publish(record, view, at: moment) }
        return nil
    }

    // MARK: The loop

    /// The number of waiting records of a recording beyond which no more of it is read, until half of them are taken.
    ///
    /// A queue in memory can hold twice as many.
    private static let mostWaiting = 5_000
    /// The interval at which a recording that is not read is looked at again.
    private static let pause = Duration.milliseconds(20)

    /// Whether the targets lag so far behind that no more of a recording is read for now.
    private var isFull = false

    private func checkRoom() {
        let queued = deliveries.map(\.queued).max() ?? 0
        if isFull {
            uncounted = 0
            isFull = queued > Self.mostWaiting / 2
        } else {
            // The thread of the deliveries counts a record with its next step, for which a pause gives it time.
            isFull = queued > Self.mostWaiting || uncounted > Self.mostWaiting / 2
        }
    }

    private func publish(_ record: PublishRecord, _ view: SessionView, at moment: Moment) {
        var record = record
        record.note(view, view.sky(of: record.location?.device), needsSky: setup.needsSky)
        publisher?.publish(record)
        uncounted += 1
    }

    func prepare(_ wait: inout SessionWait) {
        wait.isFull = wait.isFull || isFull
        wait.add(output)
        wait.add(publisher?.changesDescriptor ?? -1, POLLIN)
        if let userSignal { wait.add(userSignal.descriptor, POLLIN) }
        wait.shorten(to: isFull ? Self.pause : status.refreshInterval)
        if !isFull { wait.shorten(to: setup.service?.keepAliveInterval) }
        if rest != nil { wait.shorten(to: .milliseconds(100)) }
        guard !wait.hasInput else { return }
        // Deliveries can take longer than the session.
        status.show(deliveries, at: DeliveryClock.now, session: rest == nil ? wait.now : nil)
        setup.service?.tick(status: status.words, at: DeliveryClock.now)
    }

    func serve(_ ready: PollSet) throws(OutputFailure) -> SessionEnd.Reason? {
        try output.check(ready)
        if let userSignal, ready.isReady(userSignal.descriptor, POLLIN) {
            userSignal.clear()
            publisher?.retryNow()
        }
        try report()
        if !source.isLive { checkRoom() }
        try output.flush()
        return nil
    }

    func begin(_ loop: SessionLoop) throws(OutputFailure) {
        self.loop = loop
        let targets = setup.targets.map(\.word.description)
        loop.metrics?.complete = { [weak self] metrics in
            metrics.deliveries = zip(targets, self?.deliveries ?? []).map { ($0, $1) }
        }
        try output.put { printer.start(SessionStart(source: source, now: context.clock.now.wall), into: &$0) }
        setup.service?.ready()
    }

    private func report() throws(OutputFailure) {
        publisher?.acknowledgeChanges()
        let reports = reporter.reports(deliveries, at: DeliveryClock.now, wall: context.clock.now.wall)
        for report in reports {
            try output.put { printer.print(report, into: &$0) }
            guard let cause = report.change.cause, !settings.output.carries(.diagnostics), !showsFailures else {
                continue
            }
            narrator.say("\(report.target): \(cause)")
        }
        if let failure = publisher?.queueFailure, failure != saidQueueFailure {
            saidQueueFailure = failure
            let loss = failure.losesRecords ? "; positions are lost until it can be written again" : ""
            narrator.say("\(failure)\(loss)")
        }
    }

    // MARK: The end

    /// Continues the deliveries as long as the targets take what is queued.
    func linger(_ ending: Ending) -> Bool {
        guard let publisher else { return false }
        if rest == nil {
            setup.service?.stopping()
            // The deliveries can go on for seconds, in which a second signal ends the program at once.
            loop?.metrics?.end()
            reason = ending.reason
        }
        var rest = rest ?? RestOfDeliveries(publisher, isHurried: ending.isSignal || ending.hasFailedOutput)
        if ending.isSignal { rest.hurry() }
        rest.step { sayWaiting($0) }
        self.rest = rest
        return !publisher.hasEnded
    }

    private func finish(_ ending: Ending, _ loop: SessionLoop) throws(OutputFailure) -> CommandResult {
        try report()
        if let error = ending.error, settings.output.carries(.diagnostics) {
            try output.put { printer.print(error, at: ending.moment, into: &$0) }
        }
        let end = SessionEnd(time: context.clock.now.wall, reason: reason ?? ending.reason, locations: count)
        try output.put { printer.end(end, into: &$0) }
        try output.finish()
        summarize()
        let isComplete = lost + removed + unreadable == 0 && deliveries.allSatisfy(\.isComplete)
        // Records of an earlier run that are left weigh more than that there were no new ones.
        return .done(positions: count, code: isComplete ? .done : .unavailable)
    }

    /// Says which targets keep the command from ending, and for how long.
    private func sayWaiting(_ limit: Duration?) {
        let limit =
            limit.map { "at most \($0.spoken)" } ?? "until it takes none for \(DeliveryProgressWatch.limit.spoken)"
        for (target, status) in zip(setup.targets, deliveries) where status.queued > 0 {
            narrator.say(
                "waiting for \(target.word.description) to take \(status.queued.counting("record")), \(limit): \(status.delay)"
            )
        }
    }

    private func summarize() {
        for (target, status) in zip(setup.targets, deliveries) {
            let word = target.word.description
            if status.queued > 0 {
                narrator.sayFailure("\(status.queued.counting("record")) not sent to \(word): \(status.delay)")
            } else if !settings.output.carries(.diagnostics) {
                let omitted = status.omitted > 0 ? ", left out \(status.omitted)" : ""
                let rejected = status.rejected > 0 ? ", set \(status.rejected) aside that it refused" : ""
                let outdated =
                    status.outdated > 0 ? "; \(status.outdated) older not sent: it takes only the newest" : ""
                narrator.say(
                    "sent \(status.taken.counting("record")) to \(word)\(omitted)\(rejected)\(outdated)", .information)
            }
        }
        if lost > 0 {
            let cause = publisher?.queueFailure.map { ": \($0)" } ?? ""
            narrator.sayFailure(
                "\(lost.counting("record")) lost, because the queue could not store them\(cause)")
        }
        if removed > 0 {
            narrator.sayFailure("the limits of the queue have dropped \(removed.counting("record"))")
        }
        if unreadable > 0 {
            narrator.sayFailure("left out \(unreadable.counting("record")) of the queue that cannot be read")
        }
        let waiting = deliveries.reduce(0) { $0 + $1.queued }
        if let folder = setup.folder, waiting > 0 {
            let words = waiting == 1 ? ("it stays", "it") : ("they stay", "them")
            narrator.say("\(words.0) in \(folder), and the next run with the same targets sends \(words.1)")
        }
    }
}

private struct SilentPrinter: EventPrinter {
    func print(_ update: TrackedUpdate, _ view: SessionView, into out: inout TextBuffer) {}
}
