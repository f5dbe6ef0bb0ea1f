import GPSDReports
import GPSDSimulation
import Glibc
import LocationCore
import LocationGPSD
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The command `serve`, which plays a recording or a simulated receiver to any client of gpsd.
struct ServeCommand: Command {
    static let entry = CommandEntry(
        "serve", operands: [.init(placeholder: "FILE", kind: .playable, completion: .source)],
        options: ["listen", "loop", "pace", "port", "quiet", "redate", "speed"],
        summary: "play a recording to any gpsd client, as a gpsd would",
        description: [
            "Listens on this machine only, unless another address is given. FILE is a recording, a track, - for standard "
                + "input, or a simulated receiver such as sim:walk, or sim:drive.gpx, which moves along a track."
        ],
        examples: [
            .init(line: "locwatch serve drive.json", explanation: "play it on port 2947"),
            .init(
                line: "locwatch serve --loop --redate --port 2948 drive.json", explanation: "repeat it, as if live"),
            .init(line: "locwatch serve --loop --redate drive.gpx", explanation: "a track, as if live"),
            .init(line: "cgps localhost:2948", explanation: "watch it with another client"),
        ])

    private let context: CommandContext
    private let source: SourceWord
    private let settings: Settings

    static func run(_ invocation: Invocation, _ context: CommandContext) -> ExitCode {
        let command = ServeCommand(context: context, source: invocation.source, settings: invocation.settings)
        return command.run(CommandSession(context, invocation.settings))
    }

    private func run(_ session: CommandSession) -> ExitCode {
        do throws(LocationError) {
            switch source.source.playable {
            case .recording(let recording):
                let reading = recording.reading(settings, now: context.clock.now.wall)
                return try play(StandInSession(path: recording.path, reading: reading), session)
            case .receiver(let simulation):
                return try simulate(SimulatedReceiver(simulating: simulation.scenario(settings)), session)
            case nil: return .usage
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
            let served = try StandInGPSD(serving: recording, standIn)
            announce(host: settings.listen?.host ?? "localhost", port: served.port)
            return untilSignal(session) { served.stop() }
        } catch {
            context.console.say("locwatch: \(error)\n")
            return ExitCode(listening: error)
        }
    }

    private func simulate(_ receiver: SimulatedReceiver, _ session: CommandSession) throws(LocationError) -> ExitCode {
        guard settings.listen == nil else {
            context.console.say("locwatch: a simulated receiver is served on loopback only: omit --listen\n")
            return .usage
        }
        do throws(SystemFailure) {
            // gpsd would end without saying which of its options is wrong.
            if let wanted = settings.port { _ = try ListeningSockets(address: nil, port: UInt16(wanted)) }
        } catch {
            context.console.say("locwatch: \(error)\n")
            return ExitCode(listening: error)
        }
        var shared = PrivateGPSD.Settings()
        shared.isShared = true
        let daemon = try PrivateGPSD(device: receiver.path, settings: shared) { () throws(SystemFailure) in try port }
        if let port = daemon.port { announce(host: "localhost", port: port) }
        return untilSignal(session) {
            daemon.end()
            receiver.stop()
        }
    }

    /// The requested port, else the usual port of gpsd, or any free port if that is taken.
    private var port: UInt16 {
        get throws(SystemFailure) {
            if let wanted = settings.port ?? settings.listen?.port { return UInt16(wanted) }
            return LoopbackPort.isFree(Self.usualPort) ? Self.usualPort : try LoopbackPort.free()
        }
    }

    private static let usualPort: UInt16 = 2947

    private func announce(host: String, port: UInt16) {
        guard settings.verbosity > .quiet else { return }
        let isElsewhere = settings.port == nil && settings.listen?.port == nil && port != Self.usualPort
        context.console.say(
            "locwatch: \(isElsewhere ? "port \(Self.usualPort) is taken: " : "")serving \(source) at \(host):\(port); "
                + "try: cgps \(host):\(port)\n")
    }

    private func untilSignal(_ session: CommandSession, _ end: () -> Void) -> ExitCode {
        context.signals.wait()
        end()
        return session.end(.signal(CaughtSignals.first ?? SIGTERM), shortfall: .cancelled) { _ in }
    }
}
