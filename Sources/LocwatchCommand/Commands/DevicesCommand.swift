import GPSDReports
import LocationCore
import LocationGPSD

/// `devices`: the receivers that the daemon knows, and what each is doing.
final class DevicesCommand: SessionHandler {
    /// How long a list takes at most: a gpsd of one's own and a silence that has to be waited for included.
    private static let patience = Duration.seconds(8)
    /// What is to be known of a device takes two answers of the daemon, so far apart.
    private static let asking = Duration.seconds(2)
    /// While plugging is followed; gpsd does not tell of it unasked.
    private static let askingAgain = Duration.seconds(4)

    private let source: SourceWord
    private let settings: Settings
    private let output: OutputChannel
    private var json: JSONPrinter
    private var table: DeviceTable
    private var ledger = DeviceOverview()
    private var nextQuestion: Moment?
    private weak var loop: SessionLoop?

    init(_ source: SourceWord, _ settings: Settings, _ environment: [String: String]) {
        self.source = source
        var settings = settings
        if !settings.followsDevices {
            settings.reconnects = false
            settings.pace = .max
        }
        self.settings = settings
        json = JSONPrinter()
        table = DeviceTable(
            showsTime: settings.followsDevices,
            usesColor: settings.usesColor(environment))
        output = OutputChannel(manner: .complete) { _ in [] }
    }

    /// Runs the command to its end.
    func run(_ session: CommandSession) -> ExitCode {
        let limit = settings.duration ?? settings.timeout
        let limits = SessionLoop.Limits(duration: settings.followsDevices ? limit : limit ?? Self.patience)
        return session.follow(source, settings, for: self, limits: limits, patience: .brief) {
            (loop) throws(OutputFailure) in
            self.loop = loop
            try output.put { if isJSON { JSONPrinter.putStart(source, into: &$0) } }
        } end: { loop, outcome in
            end(session, loop, outcome)
        }
    }

    private func end(_ session: CommandSession, _ loop: SessionLoop, _ outcome: SessionOutcome) -> ExitCode {
        let code = session.end(outcome, shortfall: .cancelled) { (reason) throws(OutputFailure) in
            if !settings.followsDevices { try output.put { show(ledger.devices, into: &$0) } }
            if case .failed(let error) = outcome { try output.put { json(error, retry: nil, into: &$0) } }
            let end = SessionEnd(time: loop.now.wall, reason: reason, locations: 0)
            try output.put { if isJSON { json.end(end, into: &$0) } }
            try output.finish()
        }
        guard code == .done, ledger.devices.isEmpty else { return code }
        guard ledger.hasList else {
            session.say(
                "locwatch: gpsd did not list its receivers in time\nlocwatch: 'locwatch doctor' finds out why\n")
            return .unavailable
        }
        if settings.verbosity > .quiet {
            session.say("locwatch: gpsd has no receiver\nlocwatch: 'locwatch doctor' tells what to do\n")
        }
        return .done
    }

    private var isJSON: Bool { settings.output == .json }

    private func show(_ devices: [DeviceStatus], into out: inout TextBuffer) {
        guard let now = loop?.now else { return }
        for status in devices {
            if isJSON {
                json.print(.update(LocationUpdate(.device(status), at: now)), into: &out)
            } else {
                table.note(status, at: now.wall)
            }
        }
        if !isJSON { table.write(into: &out) }
    }

    private func json(_ error: LocationError, retry: Duration?, into out: inout TextBuffer) {
        guard isJSON, let now = loop?.now else { return }
        json.print(error, retry: retry, at: now, into: &out)
    }

    func take(_ update: TrackedUpdate) throws(OutputFailure) -> SessionEnd.Reason? {
        guard case .update(let update) = update else { return nil }
        if case .searching(.connected, _) = update.event {
            nextQuestion = update.moment.advanced(by: Self.asking)
        }
        let changed = ledger.note(update)
        if settings.followsDevices {
            if let changed { try output.put { show([changed], into: &$0) } }
            if case .failure(let error) = update.event { try tell(error) }
            return nil
        }
        return ledger.isSettled && source.isLive ? .ended : nil
    }

    private func tell(_ error: LocationError) throws(OutputFailure) {
        let retry = loop?.retry
        try output.put { json(error, retry: retry, into: &$0) }
        guard !isJSON, settings.verbosity > .quiet else { return }
        loop?.wipeStatus()
        StandardStream.error.write(
            "locwatch: \(ErrorText(error).message)" + (retry.map { "; next attempt in \($0.spoken)" } ?? "") + "\n")
    }

    var deadline: Moment? { nextQuestion }

    func expire(at moment: Moment) throws(OutputFailure) {
        loop?.askForDevices()
        nextQuestion = moment.advanced(by: settings.followsDevices ? Self.askingAgain : Self.asking)
    }

    func flush() throws(OutputFailure) {
        guard output.isWaiting else { return }
        loop?.wipeStatus()
        try output.flush()
    }

    var pendingOutput: Int32 { -1 }
}
