import Glibc
import LocationCore
import LocationPublishing
import LocationTransports
import LocwatchPlatform

/// The command `publish`, which sends positions to other programs and machines, and keeps what they have not taken yet.
final class PublishCommand: Command, PrintingConsumer {
    static let entry = CommandEntry(
        "publish", operands: [.target, .source],
        options: [
            "accuracy", "angle", "backlog-rate", "body", "check", "client-id", "color", "config", "count", "device",
            "device-name", "discovery-prefix", "distance", "duration", "dwell", "fence", "follow", "header",
            "heartbeat", "interval", "json", "max-age", "method", "metrics-file", "no-backlog", "no-queue",
            "no-reconnect", "on", "on-replay", "on-shell", "on-timeout", "pace", "queue", "queue-age", "queue-size",
            "quiet", "skip-rejected", "speed", "stale", "text", "timeout", "to", "tracker-id", "utc", "verbose",
        ],
        summary: "send the position to others: MQTT, HTTP, chart plotters",
        description: [
            "Sends each position, or with --distance, --interval or --angle each one that reaches one of them; with "
                + "--heartbeat the position is sent again while nothing moves. The first position, its loss, and what happens "
                + "at a fence are sent at once.",
            "What a target has not taken is kept in a queue on the disk, also when the program ends, and is sent after an "
                + "outage: the newest position first where the target can take older ones later, all of them in order where "
                + "it needs that, and only the newest where an older one would be mistaken for the current one. A target "
                + "that is away or refuses never delays another one.",
            "A recording is published as fast as the targets take it. SIGUSR1 connects again at once. If a target "
                + "lacks records at the end, the exit code is 69, and the next run with the same first TARGET sends them.",
        ],
        examples: [
            .init(
                line: "locwatch publish mqtt://broker.example/owntracks/anna/boat",
                explanation: "to OwnTracks' apps and its Recorder", isForOverview: true),
            .init(line: "locwatch publish mqtt+ha://homeassistant.local", explanation: "to Home Assistant"),
            .init(
                line: "locwatch publish traccar://demo.example?id=boat drive.json",
                explanation: "a recording to Traccar"),
            .init(line: "locwatch publish tcp-listen://:10110 -q", explanation: "NMEA for a chart plotter"),
            .init(
                line: "locwatch publish --config /etc/locwatch/boat.conf --check", explanation: "check a configuration"),
        ])

    private let context: CommandContext
    private let source: SourceWord
    private let settings: Settings
    private let setup: PublishSetup
    private let publisher: LocationPublisher
    let output: OutputChannel
    private var printer: any EventPrinter
    private var schedule: PublishSchedule
    private var filter: LocationFilter
    private var fences: FenceMonitor
    private var search: PositionSearch
    private var failures = SessionFailures()
    private var currentReceiver: String??
    private var reporter: DeliveryReporter
    private var status: PublishStatus
    private var saidQueueFailure = false
    private var count = 0
    /// An event that happens at SIGUSR1.
    private let userSignal: Event?
    private weak var loop: SessionLoop?
    private var metrics: MetricsFile?
    /// Whether the session has ended, and only the deliveries go on.
    private var hasEnded = false

    static func check(_ invocation: Invocation) throws(UsageError) {
        if invocation.settings.publishing.targets.isEmpty {
            throw UsageError("publish needs a TARGET: \(entry.usage)", command: entry.name)
        }
        if invocation.source.source.fleet != nil {
            throw UsageError(
                "publish sends the position of this machine, and \(invocation.source) is a fleet", command: entry.name)
        }
    }

    static func run(_ invocation: Invocation, _ context: CommandContext) -> ExitCode {
        do throws(PublishFailure) {
            let setup = try PublishSetup(invocation, context)
            if invocation.settings.publishing.checksOnly { return PublishCheck(setup, invocation, context).print() }
            return try PublishCommand(invocation, context, setup).run()
        } catch {
            context.console.say(error.text)
            return error.code
        }
    }

    private init(
        _ invocation: Invocation, _ context: CommandContext, _ setup: PublishSetup
    ) throws(PublishFailure) {
        self.context = context
        self.setup = setup
        source = invocation.source
        let settings = invocation.settings.withoutWaiting(for: source)
        self.settings = settings
        publisher = try setup.publisher()
        var selection = EventSelection(settings)
        selection.locations = false
        selection.failures = context.console.outputIsTerminal
        printer = settings.printer(
            context.style(settings), selection: selection, localTime: context.localTime(settings))
        output = OutputChannel(context.console, .live)
        schedule = PublishSchedule(setup.schedule)
        filter = LocationFilter(
            LocationRequest(desiredAccuracy: settings.accuracy, maximumAge: settings.maximumAge))
        fences = FenceMonitor(fences: settings.fences, dwellAfter: settings.dwell ?? .seconds(300))
        search = PositionSearch(accuracy: settings.accuracy, maxAge: settings.maximumAge)
        reporter = DeliveryReporter(setup.targets.map(\.word.description))
        status = PublishStatus(context, settings)
        userSignal = try? Event()
        if let userSignal { CaughtSignals.announceUserSignal(by: userSignal) }
    }

    private func run() -> ExitCode {
        let session = CommandSession(context, settings)
        do throws(OutputFailure) { metrics = try .from(settings, context.console) } catch { return session.fail(error) }
        let targets = setup.targets.map(\.word.description)
        metrics?.complete = { [publisher] metrics in
            metrics.deliveries = zip(targets, publisher.deliveries).map { .init(target: $0, status: $1) }
        }
        for warning in setup.warnings { remark(warning) }
        let code = session.run(
            source, [self] + (metrics.map { [$0] } ?? []), request: LocationRequest(includesClock: metrics != nil),
            limits: settings.limits(), hasStatus: false, settles: true
        ) { (loop) throws(OutputFailure) in
            self.loop = loop
            try output.put { printer.start(SessionStart(source: source, now: context.clock.now.wall), into: &$0) }
        } end: { loop, outcome in
            end(session, loop, outcome)
        }
        return code
    }

    // MARK: Records

    func process(_ update: TrackedUpdate) throws(OutputFailure) -> SessionEnd.Reason? {
        status.process(update)
        if count == 0 { _ = search.process(update) }
        switch update {
        case .transition(let transition):
            currentReceiver = transition.to.location.map { $0.device }
            if let record = schedule.record(for: transition) { try publish(record) }
            try output.put { printer.print(update, into: &$0) }
        case .handover(let handover):
            currentReceiver = .some(handover.to)
            try output.put { printer.print(update, into: &$0) }
        case .deviceTransition: break
        case .update(let event):
            if let failure = failures.news(in: event.event) { remark(on: failure) }
            switch event.event {
            case .location(let location):
                guard isCurrent(location), filter.admits(event) else { break }
                return try process(location, at: event.moment)
            case .satellites(let sky): schedule.note(sky)
            default: try output.put { printer.print(update, into: &$0) }
            }
        }
        return nil
    }

    private func isCurrent(_ location: Location) -> Bool {
        !location.isLate && currentReceiver.map { $0 == location.device || settings.device != nil } ?? false
    }

    private func process(_ location: Location, at moment: Moment) throws(OutputFailure) -> SessionEnd.Reason? {
        loop?.isSatisfied = true
        let record = schedule.record(for: location, at: moment)
        if let record { try publish(record) }
        if !settings.fences.isEmpty {
            let events = fences.update(
                coordinate: location.coordinate, horizontalAccuracy: location.horizontalAccuracy, at: moment)
            for event in events { try publish(event) }
            metrics?.note(settings.fences) { fences.isInside($0) }
        }
        guard record != nil else { return nil }
        count += 1
        return count == settings.count ? .count : nil
    }

    private func publish(_ event: FenceEvent) throws(OutputFailure) {
        if let record = schedule.record(for: event) { try publish(record) }
        try output.put { printer.print(event, into: &$0) }
    }

    private func publish(_ record: PublishRecord) throws(OutputFailure) {
        publisher.publish(record)
        if !source.isLive { try waitForRoom() }
    }

    var deadline: Moment? {
        let fence = settings.fences.isEmpty ? nil : fences.deadline
        guard let heartbeat = schedule.deadline else { return fence }
        return fence.map { min($0, heartbeat) } ?? heartbeat
    }

    func expire(at moment: Moment) throws(OutputFailure) {
        for event in fences.expire(at: moment) { try publish(event) }
        if let record = schedule.expire(at: moment) { try publish(record) }
    }

    // MARK: The loop

    var refreshInterval: Duration? { setup.service.interval.map { min($0, .seconds(1)) } ?? .seconds(1) }

    func refresh(at now: Moment) {
        status.show(publisher.deliveries, at: DeliveryClock.now, session: now)
        setup.service.tick(status: status.words, at: DeliveryClock.now)
        // The deliveries can take longer than the session.
        if hasEnded { metrics?.refresh(at: now) }
    }

    func addDescriptors(to set: inout PollSet) {
        output.addDescriptor(to: &set)
        set.add(publisher.changesDescriptor, POLLIN)
        if let userSignal { set.add(userSignal.descriptor, POLLIN) }
    }

    func respond(to set: PollSet) throws(OutputFailure) {
        try output.check(set)
        if let userSignal, set.isReady(userSignal.descriptor, POLLIN) {
            userSignal.clear()
            publisher.retryNow()
        }
        try report()
    }

    func flush() throws(OutputFailure) { try output.flush() }

    func begin(_ loop: SessionLoop) { setup.service.ready() }

    /// Prints what has changed at the targets.
    private func report() throws(OutputFailure) {
        publisher.acknowledgeChanges()
        let reports = reporter.reports(publisher.deliveries, at: DeliveryClock.now, wall: context.clock.now.wall)
        for report in reports {
            try output.put { printer.print(report, into: &$0) }
            if !settings.output.carries(.diagnostics), !context.console.outputIsTerminal, report.change.cause != nil {
                remark("\(report.target): \(report.change.cause ?? "")")
            }
        }
        if !saidQueueFailure, let failure = publisher.queueFailure {
            saidQueueFailure = true
            remark("\(failure); positions are lost until it can be written again")
        }
    }

    private func remark(on failure: LocationError) {
        guard !settings.output.carries(.diagnostics), !context.console.outputIsTerminal else { return }
        remark(ErrorText(failure).message)
        if let advice = failures.advice(on: failure) { remark(advice) }
    }

    private func remark(_ words: String) {
        guard settings.verbosity > .quiet else { return }
        context.console.say("locwatch: \(words.printable)\n")
    }

    // MARK: The end

    /// The number of records of a recording that wait for the targets before the recording is read on.
    private static let mostWaiting = 20_000

    /// The number of records that the slowest target has not taken.
    private var mostQueued: Int { publisher.deliveries.map(\.queued).max() ?? 0 }

    /// Waits until the targets have taken enough of a recording.
    private func waitForRoom() throws(OutputFailure) {
        guard mostQueued > Self.mostWaiting else { return }
        let wait = DeliveryWait(publisher, signals: context.signals, interval: .milliseconds(20))
        try wait.run { () throws(OutputFailure) in
            try self.report()
            try self.output.flush()
            self.refresh(at: Moment(elapsed: .zero, wall: self.context.clock.now.wall))
            return self.mostQueued <= Self.mostWaiting / 2
        }
    }

    private func end(_ session: CommandSession, _ loop: SessionLoop, _ outcome: SessionOutcome) -> ExitCode {
        setup.service.stopping()
        hasEnded = true
        defer { metrics?.end() }
        let shortfall = search.shortfall(after: loop.lasted)
        do throws(OutputFailure) { try drain(isHurried: CaughtSignals.first != nil) } catch {
            return session.fail(error)
        }
        let code = session.end(outcome, shortfall: shortfall) { (reason) throws(OutputFailure) in
            let end = SessionEnd(time: context.clock.now.wall, reason: reason, locations: count)
            if case .failed(let error) = outcome, settings.output.carries(.diagnostics) {
                try output.put { printer.print(error, retry: nil, at: loop.now, into: &$0) }
            }
            try output.put { printer.end(end, into: &$0) }
            try output.finish()
            summarize()
        }
        guard code == .done else { return code }
        // A recording without a position has nothing to publish.
        if case .ended(.ended) = outcome, count == 0 { return session.fail(shortfall) }
        return publisher.deliveries.contains { !$0.isComplete } ? .unavailable : .done
    }

    /// Sends what is queued, as long as the targets take it.
    private func drain(isHurried: Bool) throws(OutputFailure) {
        var patience = DeliveryPatience(publisher.deliveries, at: DeliveryClock.now)
        publisher.finish(within: isHurried ? .seconds(5) : .seconds(7 * 86_400))
        let wait = DeliveryWait(publisher, signals: context.signals)
        try wait.run(ignoresFirstSignal: isHurried) { () throws(OutputFailure) in
            try self.report()
            try self.output.flush()
            self.refresh(at: Moment(elapsed: .zero, wall: self.context.clock.now.wall))
            if !patience.lasts(self.publisher.deliveries, at: DeliveryClock.now) {
                self.publisher.finish(within: .seconds(2))
            }
            return self.publisher.hasEnded
        }
        if !publisher.hasEnded {
            publisher.finish(within: .seconds(2))
            try wait.run(ignoresFirstSignal: true) { () throws(OutputFailure) in
                try self.report()
                return self.publisher.hasEnded
            }
        }
        status.wipe()
        try report()
        try output.flush()
    }

    private func summarize() {
        guard settings.verbosity > .quiet else { return }
        for (target, status) in zip(setup.targets, publisher.deliveries) {
            let word = target.word.description
            if status.queued > 0 {
                let cause = status.lastObstacle.map { ": \($0)" } ?? ""
                remark("\(status.queued.records) not sent to \(word)\(cause)")
            } else if !settings.output.carries(.diagnostics) {
                remark("sent \(Int(clamping: status.taken).records) to \(word)")
            }
        }
        if let folder = setup.folder, publisher.deliveries.contains(where: { $0.queued > 0 }) {
            remark("they stay in \(folder), and the next run with the same targets sends them")
        }
    }
}
