import GPSDReports
import GPSDSimulation
import Glibc
import LocationCore
import LocationGPSD
import Platform

/// `serve`: plays a recording, or a simulated receiver, to any client of gpsd.
struct ServeCommand {
    private let source: SourceWord
    private let settings: Settings

    init(_ source: SourceWord, _ settings: Settings) {
        self.source = source
        self.settings = settings
    }

    /// Runs the command to its end.
    func run(_ session: CommandSession) -> ExitCode {
        do throws(LocationError) {
            switch source {
            case .recording(let path): return try play(StandInSession(path: path), session)
            case .simulator(let name): return try simulate(SimulatedReceiver(named: name), session)
            case .gpsd, .serial: return .usage
            }
        } catch {
            return session.fail(error)
        }
    }

    private func play(_ recording: StandInSession, _ session: CommandSession) -> ExitCode {
        var standIn = StandInGPSD.Settings()
        standIn.address = settings.listen?.host
        standIn.port = UInt16(settings.port ?? settings.listen?.port ?? 0)
        standIn.advance = .paced(settings.pace ?? .recorded)
        standIn.loops = settings.loops
        standIn.redates = settings.redates
        do throws(SystemFailure) {
            let served = try StandInGPSD(recording, settings: standIn)
            tell(session, host: settings.listen?.host ?? "localhost", port: served.port)
            return untilSignal(session) { served.stop() }
        } catch {
            session.say("locwatch: \(error)\n")
            return .unavailable
        }
    }

    private func simulate(_ receiver: SimulatedReceiver, _ session: CommandSession) throws(LocationError) -> ExitCode {
        guard settings.listen == nil else {
            session.say("locwatch: a simulated receiver is served on loopback only: leave --listen out\n")
            return .usage
        }
        let wanted = settings.port.map { UInt16($0) }
        let daemon = try PrivateGPSD(device: receiver.path) { () throws(SystemFailure) in
            if let wanted { wanted } else { try LoopbackPort.free() }
        }
        tell(session, host: "localhost", port: daemon.port)
        return untilSignal(session) {
            daemon.end()
            receiver.stop()
        }
    }

    private func tell(_ session: CommandSession, host: String, port: UInt16) {
        guard settings.verbosity > .quiet else { return }
        session.say("locwatch: serving \(source) at \(host):\(port); try: cgps \(host):\(port)\n")
    }

    private func untilSignal(_ session: CommandSession, _ end: () -> Void) -> ExitCode {
        session.signals.wait()
        end()
        return session.end(.signal(CaughtSignals.first ?? SIGTERM), shortfall: .cancelled) { _ in }
    }
}
