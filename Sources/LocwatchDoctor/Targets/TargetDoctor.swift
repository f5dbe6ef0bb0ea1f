import Glibc
import LocationPublishing
import LocationTransports
import LocwatchArguments
import LocwatchPlatform
import LocwatchPublish
import LocwatchSession
import LocwatchTerminal

/// The check of a target by `doctor`, which prints the finding of each step and the verdict.
struct TargetDoctor {
    /// A step on the way to a target, a fleet or GeoClue.
    enum Step: String {
        case name, connection, encryption, server, topic, devices, geoclue, avahi, publisher, position
    }

    typealias Result = (step: Step, finding: Finding)

    private let invocation: Invocation
    private let context: CommandContext

    init(_ invocation: Invocation, _ context: CommandContext) {
        self.invocation = invocation
        self.context = context
    }

    func run() -> ExitCode {
        do throws(PublishFailure) {
            guard let target = try PublishSetup.targets(invocation.settings, context.environment).first else {
                return .usage
            }
            return StepPrinter(invocation.settings, context).print(target.word.description, "positions do not arrive") {
                Self.results(of: target, within: invocation.settings.timeout ?? DoctorCommand.limit)
            }
        } catch {
            context.narrator().sayFailure(lines: error.text)
            return error.code
        }
    }

    /// Returns the findings of the steps to a target.
    private static func results(of target: PreparedTarget, within limit: Duration) -> [Result] {
        switch target.encoder {
        case .mqtt(var settings, let encoder):
            settings.connectionTimeout = min(settings.connectionTimeout, limit)
            return BrokerProbe(settings, messages: encoder.probes).run().map { BrokerFindingText.result($0, settings) }
        case .http(let encoder): return ServerProbe(target, encoder, within: limit).results()
        case .datagrams(let host, let port, _): return [datagrams(host, port, within: limit)]
        case .listener(let address, let port, _):
            return [listener(address, port, publish: "locwatch publish \(target.word)")]
        case .path(let path, let kind, _, _):
            return [PathProbe.result(path, kind, publish: "locwatch publish \(target.word)")]
        }
    }

    private static func datagrams(_ host: String, _ port: UInt16, within limit: Duration) -> Result {
        let addresses = (try? HostLookup(host))?.wait(before: .now + limit)
        guard addresses?.isEmpty == false else {
            return TargetFaultText.unknownName("cannot resolve \(host)")
        }
        return (
            .server,
            .remark(
                "datagrams to \(host), port \(port)", why: "UDP has no acknowledgements",
                remedy: ["look at the reader: it shows the positions, or it does not"])
        )
    }

    private static func listener(_ address: String?, _ port: UInt16, publish: String) -> Result {
        do throws(SystemFailure) {
            _ = try ListeningSockets(address: address, port: port)
            return (
                .server,
                .remark(
                    "programs connect to port \(port) of this machine", why: "locwatch listens only while it publishes",
                    remedy: ["start '\(publish)', and connect the program"])
            )
        } catch  where error.code == EADDRINUSE {
            return (
                .server,
                .remark(
                    "a program has port \(port) of this machine", why: "it is '\(publish)', or must give up the port",
                    remedy: ["see which one: sudo ss -ltnp 'sport = :\(port)'"])
            )
        } catch {
            return (
                .server,
                .fault(
                    .unavailable, "locwatch cannot listen at port \(port)", why: error.reason,
                    remedy: ["choose another port or address"])
            )
        }
    }
}
