import LocationCore
import GPSDProtocol
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The command `monitor`, which shows everything about a session on one screen of a terminal.
struct MonitorCommand: Command, SessionHolder {
    static let entry = CommandEntry(
        "monitor", operands: [.source],
        options: [
            "ascii", "color", "device", "duration", "fence", "no-reconnect", "pace",
            "precision", "reference", "stale", "state", "units", "utc",
        ],
        summary: "show the whole picture on one screen",
        description: [
            "Position and accuracy, the reason for a missing fix, the sky, the signals, the last ten minutes, the "
                + "receivers and what has happened, in a terminal. The screen fits any size.",
            "A position that is not current is dimmed at once and shows its age. The key ? lists the keys, q quits. "
                + "A recording can be paused and scrubbed.",
            "It needs a terminal; a script uses 'locwatch watch'.",
        ],
        examples: [
            "locwatch monitor": "the local gpsd on one screen",
            "locwatch monitor pi.local": "another machine",
            "locwatch monitor --fence home=45.0703,7.6869,150": "and whether it is at home",
            "locwatch monitor mqtt://broker/fleet/#": "a table of the devices of a fleet",
            "locwatch monitor --pace 10x drive.json": "a recording, ten times as fast",
        ], overview: [0])

    let session: CommandSession

    static func run(_ session: CommandSession) -> ExitCode {
        let context = session.context
        guard let terminal = context.openTerminal(context.console) else {
            let need =
                context.console.outputIsTerminal
                ? "a terminal that can show whole screens, which TERM=\(context.environment["TERM"] ?? "") does not name"
                : "a terminal on standard output"
            session.narrator.sayFailure("monitor needs \(need); use 'locwatch watch' instead")
            return .usage
        }
        return MonitorCommand(session: session).run(on: terminal)
    }

    private func run(on terminal: any ScreenTerminal) -> ExitCode {
        do throws(SystemFailure) { try terminal.enter() } catch {
            narrator.sayFailure("\(error)")
            return .internalError
        }
        defer { terminal.leave() }
        var view = view
        var start = Duration.zero
        var rate = playbackRate
        var isPaused = false
        // A recording that is played again is confined already.
        var access: SessionAccess? = confinement
        while true {
            let playback = source.isLive ? nil : PlaybackClock(context.clock, rate: rate)
            playback?.setPaused(isPaused)
            let screen = MonitorScreen(
                terminal, source, settings, view: view, depth: depth, playback: playback, start: start,
                now: playback == nil ? context.clock.now : .unknown, advice: narrator.takeAdvice)
            let code = run(screen, on: terminal, playback, from: start, access)
            guard let restart = screen.restart else { return code }
            access = nil
            // A recording is played again from its beginning to get back.
            start = restart
            view = screen.view
            isPaused = playback.map { $0.isPaused && !$0.hasEnded } ?? false
            // At the greatest rate nothing could be seen after a scrub.
            rate = playback.map { $0.rate < PlaybackClock.fastest ? $0.rate : 1 } ?? 1
        }
    }

    /// Runs one session until it ends or is to be played again.
    private func run(
        _ screen: MonitorScreen, on terminal: any ScreenTerminal, _ playback: PlaybackClock?, from start: Duration,
        _ access: SessionAccess?
    ) -> ExitCode {
        var session = session
        let open = context.open
        session.context.open = { (word, settings, options) throws(LocationError) in
            let provider: any LocationProvider
            do throws(LocationError) {
                provider = try open(word, settings, options)
            } catch {
                // The message must not vanish with the screen.
                terminal.leave()
                throw error
            }
            return playback.map { PlaybackProvider(recording: provider, clock: $0, start: start) } ?? provider
        }
        if let playback {
            session.settings.reading.pace = .recorded
            session.context.clock = playback.sessionClock
        }
        var plan = SessionPlan(screen)
        plan.request = LocationRequest(includesLines: true, includesClock: true)
        plan.showsDistance = true
        plan.shows.steps = true
        plan.shows.failures = .byCommand
        plan.shows.line = .none
        plan.access = access
        return session.run(plan) { _, _ in
            // The session that plays the recording again says what is to be said.
            if screen.restart != nil { return .found() }
            screen.savedFiles.forEach { narrator.say($0) }
            return .done()
        }
    }

    /// The access of the session: the keys w and p save files in the current folder.
    ///
    /// A log is decoded anew at each way back, for which a confined process could make no socket.
    private var confinement: SessionAccess? {
        let isLog = source.recording.map { $0.size != nil && $0.needsDecoder(settings) } ?? false
        return isLog ? nil : SessionAccess(writes: ["."])
    }

    private var view: MonitorView {
        var view = MonitorView()
        view.degrees = settings.output.degrees
        view.units = settings.output.units
        view.precision = settings.output.precision
        view.glyphs = settings.output.usesASCII ? .ascii : MonitorGlyphs(environment: context.environment)
        view.localTime = session.localTime
        return view
    }

    private var depth: ColorDepth {
        let isColored = settings.output.color.isColored(isTerminal: true, environment: context.environment)
        return ColorDepth(environment: context.environment, isColored: isColored)
    }

    private var playbackRate: Double {
        switch settings.reading.pace ?? .recorded {
        case .max: PlaybackClock.fastest
        case .times(let rate): rate
        }
    }
}
