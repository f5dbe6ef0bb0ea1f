import GPSDSimulation
import Glibc
import LocationCore
import LocationGPSD
import GPSDProtocol
import LocwatchArguments
import LocwatchPlatform
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The command `serve`, which gives any source to the clients of gpsd.
///
/// A recording is played from memory; of another source each line is sent on as it arrives.
final class ServeCommand: Command, SessionHolder {
    static let entry = CommandEntry(
        "serve", operands: [.requiredSource],
        options: [
            "device", "listen", "loop", "no-reconnect", "pace", "port", "quiet", "redate", "verbose", "fault",
            "script", "control", "pty", "print-port",
        ],
        summary: "give any source to any gpsd client, as a gpsd would",
        description: [
            "Listens on this machine only, unless another address is given. A recording or a track is played at its pace, "
                + "from its beginning on when the first client watches. Of another gpsd, a receiver, a stream, a simulated "
                + "receiver or a fleet each report is sent on as it arrives, unchanged. A fleet has its devices as receivers, "
                + "of which --device chooses one. While the source is away its receivers are closed, and a client has no "
                + "position.",
            "Up to 1,024 clients can be connected. A client that reads nothing delays no other, and is disconnected when "
                + "3 MB wait for it. Clients that want NMEA get sentences that are made from the reports.",
        ],
        examples: [
            "locwatch serve drive.json": "play it on port 2947",
            "locwatch serve --loop --redate --port 2948 drive.json": "repeat it, as if live",
            "locwatch serve --loop --redate drive.gpx": "a track, as if live",
            "locwatch serve udp://:10110": "a telephone that sends NMEA",
            "locwatch serve 'mqtt://broker.example/owntracks/+/+' --device boat": "a device of a fleet",
            "locwatch serve --listen 192.0.2.1 pi.local": "relay another gpsd to a network",
            "locwatch serve sim:drive --fault lose=10s/1m --fault restart@30s":
                "no fix for 10 s each minute; the daemon dies after 30 s, and returns",
            "locwatch serve sim:walk --port 0 --print-port --pace manual --control gps.sock":
                "for a test, which 'locwatch control gps.sock step 10m' drives",
            "cgps localhost:2948": "watch it with another client",
        ])

    let session: CommandSession
    private var server: StandInGPSD?

    static func run(_ session: CommandSession) -> ExitCode { ServeCommand(session).run() }

    private init(_ session: CommandSession) { self.session = session }

    static func check(_ invocation: Invocation) throws(UsageError) {
        try invocation.checkOutput()
        let (source, testing) = (invocation.source, invocation.settings.serving.testing)
        guard testing.hasManualClock else { return }
        guard source.recording != nil || source.isSimulated else {
            throw UsageError(
                "pace",
                "manual is for a simulated receiver, a recording or a track, and \(source.description.printable) is none"
            )
        }
        guard testing.control == nil else { return }
        throw UsageError("pace", "manual needs --control PATH, at which the word 'step' moves the time")
    }

    private func run() -> ExitCode {
        DescriptorLimit.raise(to: Self.clientLimit + 64)
        let testing = settings.serving.testing
        // The control socket and the terminal are made at paths.
        let access =
            testing.control == nil && testing.terminal == nil
            ? SessionAccess(reads: [testing.script].compactMap(\.self), connects: true) : nil
        let messages: ThreadMessages
        do throws(SystemFailure) { messages = try ThreadMessages(narrator) } catch {
            return session.fail(.system(error))
        }
        let relay = isRelay ? SessionRelay() : nil
        var plan = SessionPlan(relay, messages)
        // gpsd changes some fields of its list of devices without a notice.
        plan.request = LocationRequest(includesLines: true, includesClock: true, deviceInterval: .seconds(5))
        // Its clients wait for the source as they wait for a gpsd.
        plan.needs = []
        plan.shows.line = .none
        plan.access = access
        plan.open = { [unowned self] () throws(StartFailure) in
            try open(messages)
            relay?.server = server
        }
        defer { server?.stop() }
        guard relay != nil else { return session.runWithoutSource(plan) { server?.stop() } }
        return session.run(plan) { _, _ in
            server?.stop()
            return .done()
        }
    }

    /// Whether each report is sent on as it arrives.
    private var isRelay: Bool {
        source.recording == nil && !(settings.serving.testing.needsStandIn && source.isSimulated)
    }

    /// Returns the session that the server plays; an empty one for a relay.
    private func served() throws(LocationError) -> StandInRecording {
        if isRelay { return StandInRecording() }
        if let scenario = try source.scenario() { return StandInRecording(scenario) }
        guard let recording = source.recording else { return StandInRecording() }
        let reading = recording.reading(settings, now: context.clock.now.wall)
        return try StandInRecording(path: recording.path, reading: reading, until: context.signals)
    }

    private func open(_ messages: ThreadMessages) throws(StartFailure) {
        let served: StandInRecording
        do throws(LocationError) { served = try self.served() } catch {
            throw StartFailure(lines: ErrorText(error, of: source).lines, ExitCode(for: error))
        }
        var standIn = StandInGPSD.Settings()
        standIn.address = settings.serving.listen?.host
        standIn.advance = isRelay ? .byHand : .paced(settings.reading.pace ?? .recorded)
        standIn.loops = settings.serving.loops
        standIn.redates = settings.serving.redates
        standIn.clientLimit = Self.clientLimit
        do throws(LocationError) {
            try settings.serving.testing.apply(to: &standIn, until: context.signals)
        } catch {
            throw StartFailure(ErrorText(error).message, ExitCode(for: error))
        }
        do throws(SystemFailure) {
            server = try server(served, &standIn, messages)
        } catch {
            throw error.isOfPath ? StartFailure("\(error)", .cannotCreate) : StartFailure(port: error)
        }
        try tellPort()
        announce()
    }

    /// Tells the program that started this one which port it serves.
    private func tellPort() throws(StartFailure) {
        guard settings.serving.testing.printsPort, let server else { return }
        do throws(OutputFailure) { try context.console.print("\(server.port)\n") } catch {
            server.stop()
            throw StartFailure(error.message, .writingFailed)
        }
    }

    /// Returns a server at the requested port, else at the usual port of gpsd, or at any free port if that is taken.
    private func server(
        _ served: StandInRecording, _ standIn: inout StandInGPSD.Settings, _ messages: ThreadMessages
    ) throws(SystemFailure) -> StandInGPSD {
        standIn.port = UInt16(clamping: wantedPort ?? Int(GPSDArguments.usualPort))
        do throws(SystemFailure) { return try StandInGPSD(serving: served, standIn, say: messages.say) } catch {
            guard wantedPort == nil, error.code == EADDRINUSE else { throw error }
        }
        standIn.port = 0
        return try StandInGPSD(serving: served, standIn, say: messages.say)
    }

    private var wantedPort: Int? { settings.serving.port ?? settings.serving.listen?.port }
    private static let clientLimit = 1024

    private func announce() {
        guard let server else { return }
        let isElsewhere = wantedPort == nil && server.port != GPSDArguments.usualPort
        let place = "\(settings.serving.listen?.host ?? "localhost"):\(server.port)"
        let readers = server.isLoopback ? "" : ", where every machine that reaches this one can read the position"
        narrator.say(
            "\(isElsewhere ? "port \(GPSDArguments.usualPort) is taken: " : "")serving \(source) at \(place)\(readers); "
                + "try: cgps \(place)")
    }
}

/// The consumer of a session that sends its lines on to the clients of a stand-in for gpsd.
private final class SessionRelay: SessionConsumer {
    weak var server: StandInGPSD?
    private var lines = UpdateLines()
    private var waiting: [UInt8] = []

    func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        for line in lines.lines(for: update, view) {
            waiting += line
            waiting.append(UInt8(ascii: "\n"))
        }
        // The source is away until the next attempt.
        if case .update(let event, _) = update, case .failure(_, .some) = event.event {
            flush()
            server?.loseDevices()
        }
        return nil
    }

    func serve(_ ready: PollSet) -> SessionEnd.Reason? {
        flush()
        return nil
    }

    private func flush() {
        guard !waiting.isEmpty else { return }
        server?.relay(waiting)
        waiting.removeAll(keepingCapacity: true)
    }
}

extension TestSettings {
    /// Reads the script, and sets the faults, the clock and the paths; throws `.cancelled` if a signal comes first.
    fileprivate func apply(to standIn: inout StandInGPSD.Settings, until signals: Event) throws(LocationError) {
        if let path = script { standIn.script = try StandInScript(path: path, until: signals) }
        standIn.script.steps = faults + standIn.script.steps
        standIn.control = control
        standIn.terminal = terminal
        if hasManualClock {
            standIn.clock = .manual
            standIn.advance = .paced(.recorded)
        }
    }
}

extension SystemFailure {
    /// Whether the path of the control socket or of the terminal cannot be made.
    fileprivate var isOfPath: Bool {
        [EEXIST, EBUSY, ENOENT, ENOTDIR, ENAMETOOLONG, EROFS, ENOSPC].contains(code)
    }
}
