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
        standIn.advance = .paced(settings.pace ?? .recorded)
        standIn.loops = settings.loops
        standIn.redates = settings.redates
        do throws(SystemFailure) {
            standIn.port = try port
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
        var shared = PrivateGPSD.Settings()
        shared.isShared = true
        let daemon = try PrivateGPSD(device: receiver.path, settings: shared) { () throws(SystemFailure) in try port }
        if let port = daemon.port { tell(session, host: "localhost", port: port) }
        return untilSignal(session) {
            daemon.end()
            receiver.stop()
        }
    }

    /// The port that was asked for; else gpsd's own, where clients look, or any where that one is taken.
    private var port: UInt16 {
        get throws(SystemFailure) {
            if let wanted = settings.port ?? settings.listen?.port { return UInt16(wanted) }
            return LoopbackPort.isFree(Self.usualPort) ? Self.usualPort : try LoopbackPort.free()
        }
    }

    private static let usualPort: UInt16 = 2947

    private func tell(_ session: CommandSession, host: String, port: UInt16) {
        guard settings.verbosity > .quiet else { return }
        let isElsewhere = settings.port == nil && settings.listen?.port == nil && port != Self.usualPort
        session.say(
            "locwatch: \(isElsewhere ? "port \(Self.usualPort) is taken: " : "")serving \(source) at \(host):\(port); "
                + "try: cgps \(host):\(port)\n")
    }

    private func untilSignal(_ session: CommandSession, _ end: () -> Void) -> ExitCode {
        session.signals.wait()
        end()
        return session.end(.signal(CaughtSignals.first ?? SIGTERM), shortfall: .cancelled) { _ in }
    }
}
