import Glibc
import LocationPublishing
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The examination of a target by `doctor`: each step on the way to it, without a position.
enum TargetDoctor {
    static func run(_ session: CommandSession) -> ExitCode {
        let (settings, context) = (session.settings, session.context)
        do throws(StartFailure) {
            guard let target = try PublishSetup.targets(settings, context.environment, isForProbe: true).first else {
                return .usage
            }
            return DoctorReport(session).run(
                target.word.description, failed: "positions do not arrive", on: ()
            ) {
                [Check(.queue, queue(of: target, context))]
                    + checks(of: target, within: settings.limits.timeout ?? SessionDoctor.limit)
            }
        } catch {
            return session.fail(error)
        }
    }

    /// Returns what waits in the target's queue, if it has one at its usual place.
    private static func queue(of target: PreparedTarget, _ context: CommandContext) -> Finding {
        guard let state = try? StateFolder(context.environment),
            let queue = QueueSummary(state.queue(of: target.word))
        else { return .moot }
        return .ok(queue.description)
    }

    private static func checks(of target: PreparedTarget, within limit: Duration) -> [Check<Void>] {
        let publish = "locwatch publish \(target.word)"
        switch target.encoder {
        case .mqtt(var settings, let encoder):
            settings.connectionTimeout = min(settings.connectionTimeout, limit)
            return BrokerProbe.checks(settings, messages: encoder.probes)
        case .http(let encoder): return ServerProbe(target: target, encoder: encoder, limit: limit).checks()
        case .datagrams(let host, let port, _): return [datagrams(host, port, within: limit)]
        case .connection(let host, let port, _, _): return connection(host, port, within: limit)
        case .listener(let address, let port, _): return [Check(.server, listener(address, port, publish: publish))]
        case .path(let path, let kind, _, _): return [Check(.server, PathProbe.finding(path, kind, publish: publish))]
        }
    }

    private static func connection(_ host: String, _ port: UInt16, within limit: Duration) -> [Check<Void>] {
        guard (try? HostLookup(host))?.wait(before: .now + limit)?.isEmpty == false else {
            return [Check(.name, .unknownName("cannot resolve \(host)"))]
        }
        do throws(SystemFailure) {
            close(try SocketAddress.resolve(host, port: port).connect(within: limit))
            return [Check(.server, .ok("a program accepts connections at \(host), port \(port)"))]
        } catch {
            return [
                Check(
                    .server,
                    .fault(
                        .unavailable, "cannot connect to \(host), port \(port)", why: error.reason,
                        remedy: "check that the program accepts connections there, and that no firewall blocks them"))
            ]
        }
    }

    private static func datagrams(_ host: String, _ port: UInt16, within limit: Duration) -> Check<Void> {
        guard (try? HostLookup(host))?.wait(before: .now + limit)?.isEmpty == false else {
            return Check(.name, .unknownName("cannot resolve \(host)"))
        }
        return Check(
            .server,
            .remark(
                "datagrams to \(host), port \(port)", why: "UDP has no acknowledgements",
                remedy: "look at the reader: it shows the positions, or it does not"))
    }

    private static func listener(_ address: String?, _ port: UInt16, publish: String) -> Finding {
        do throws(SystemFailure) {
            _ = try ListeningSockets(address: address, port: port)
            return .remark(
                "programs connect to port \(port) of this machine", why: "locwatch listens only while it publishes",
                remedy: "start '\(publish)', and connect the program")
        } catch  where error.code == EADDRINUSE {
            return .remark(
                "a program has port \(port) of this machine", why: "it is '\(publish)', or must give up the port",
                remedy: "see which one: sudo ss -ltnp 'sport = :\(port)'")
        } catch {
            return .fault(
                .unavailable, "locwatch cannot listen at port \(port)", why: error.reason,
                remedy: "choose another port or address")
        }
    }
}
