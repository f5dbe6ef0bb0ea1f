import LocationCore
import LocationPublishing
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The check of a fleet by `doctor`: the way to its broker, and the devices that report.
final class FleetDoctor: SessionHolder, SessionConsumer {
    /// The default time in which devices must report.
    private static let limit = Duration.seconds(5)

    let session: CommandSession
    private let fleet: FleetSource
    private var heard: Set<String> = []
    private var remembered: Set<String> = []

    init(_ fleet: FleetSource, _ session: CommandSession) {
        self.fleet = fleet
        self.session = session
    }

    func run() -> ExitCode {
        DoctorReport(session).run(fleet.description, failed: "no position arrives", on: ()) {
            do throws(LocationError) {
                var broker = try fleet.broker(settings)
                if let limit = settings.limits.timeout {
                    broker.connectionTimeout = min(broker.connectionTimeout, limit)
                }
                return BrokerProbe.checks(broker, messages: []) + [Check(.devices, self.devices())]
            } catch {
                return [Check(.connection, Self.failure(error))]
            }
        }
    }

    private static func failure(_ error: LocationError) -> Finding {
        let text = ErrorText(error)
        return .fault(
            ExitCode(for: error), text.message, why: "it is needed to connect",
            remedy: text.advice ?? "check the options")
    }

    /// Watches the fleet for a while.
    private func devices() -> Finding {
        let limit = settings.limits.timeout ?? Self.limit
        var plan = SessionPlan(self)
        plan.shows.failures = .byCommand
        do throws(LocationError) {
            let loop = try session.lasting(limit).loop(plan)
            if let error = loop.run().error { throw error }
        } catch {
            return Self.failure(error)
        }
        remembered.subtract(heard)
        if !heard.isEmpty {
            let silent = remembered.isEmpty ? "" : ", and the broker remembers \(remembered.count) more"
            return .ok("\(heard.count.counting("device")) reported within \(limit.spoken)\(silent)")
        }
        guard remembered.isEmpty else {
            return .remark(
                "no device reported within \(limit.spoken); the broker remembers \(remembered.count)",
                why: "the devices report less often, or they are away",
                remedy: "'locwatch devices \(fleet)' shows when each was there; -t watches for longer")
        }
        return .fault(
            .unavailable, "no device publishes to \(fleet.filter)",
            why: "the topic is another one, the user may not read it, or no device has published yet",
            remedy: "look at what the broker has: mosquitto_sub -h \(fleet.host) -p \(fleet.port) -v -t '#'",
            "check the rules of the broker for the user")
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        guard case .update(let update, _) = update else { return nil }
        guard let device = update.event.knownLocation?.device else { return nil }
        if update.location == nil { remembered.insert(device) } else { heard.insert(device) }
        return nil
    }
}
