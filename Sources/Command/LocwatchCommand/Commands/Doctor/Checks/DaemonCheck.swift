import LocationCore
import LocationGPSD
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The check that the daemon accepts connections.
enum DaemonCheck {
    static func examine(_ observation: Observation, _ machine: any ExaminedMachine) -> Finding {
        observation.source.endpoint != nil
            ? overNetwork(observation, machine) : own(observation, path: observation.source.serialPath, machine)
    }

    // MARK: a private gpsd

    private static func own(_ observation: Observation, path: String?, _ machine: any ExaminedMachine) -> Finding {
        if observation.hasAnswered { return privateDaemon(observation, machine) }
        if case .deviceUnusable(let path, _) = observation.failure,
            let obstacle = DeviceObstacle.find(at: path, for: machine.user, machine)
        {
            return obstacle
        }
        if case .deviceUnusable(let path, .busy) = observation.failure {
            return DeviceObstacle.heldByOthers(path, machine)
        }
        guard observation.failure != nil || observation.isOver else { return .wait }
        if let path, let obstacle = DeviceObstacle.find(at: path, for: machine.user, machine) { return obstacle }
        let error = observation.failure.map { ErrorText($0) }
        if let stream = observation.source.stream {
            return .fault(
                observation.failure.map { ExitCode(for: $0) } ?? .unavailable,
                error?.message ?? "\(stream) was not open within \(observation.watched.spoken)",
                why: "locwatch reads a stream through a private gpsd, which cannot open this one",
                remedy: "check that the server runs and accepts connections at \(stream.place)",
                "check that a firewall does not block the port")
        }
        return .fault(
            observation.failure.map { ExitCode(for: $0) } ?? .unavailable,
            error?.message ?? "the private gpsd was not ready within \(observation.watched.spoken)",
            why: "locwatch reads a serial receiver through a private gpsd",
            remedy: (isShort(observation) ? ["wait longer: \(observation.command("-t 15s"))"] : [])
                + ["look at its output: gpsd -N -n -D 4 -S 2999 \(path.map(ShellWords.quoted) ?? "DEVICE")"])
    }

    /// Whether the time was shorter than a private gpsd needs on a slow machine.
    private static func isShort(_ observation: Observation) -> Bool {
        observation.failure == nil && observation.watched < .seconds(5)
    }

    private static func privateDaemon(_ observation: Observation, _ machine: any ExaminedMachine) -> Finding {
        let found =
            observation.corrections == nil
            ? "a private gpsd reads the receiver without writing to it"
            : "a private gpsd reads the receiver, and writes the corrections to it"
        guard machine.gpsd?.takesSockets == false else { return .ok(found) }
        return .remark(
            "\(found); other users of this machine can read the position from it",
            why: "this gpsd was built without socket activation, so it can be reached only at a TCP port",
            remedy: "install your distribution's package: \(machine.install("gpsd"))")
    }

    // MARK: a gpsd at an address

    private static func overNetwork(_ observation: Observation, _ machine: any ExaminedMachine) -> Finding {
        let place = observation.place
        switch observation.failure {
        // A name that can be that of a file is called a missing file.
        case .unresolvable(_, _, let cause), .unreadable(_, let cause):
            return .fault(
                .unavailable, "\(place): \(cause)", why: "the host name has no address",
                remedy: "check the spelling and the name server: getent hosts \(ShellWords.quoted(observation.host))")
        case .unreachable(_, _, let cause):
            return observation.isHere ? local(observation, cause, machine) : remote(observation, cause)
        case .denied(_, let cause):
            return .fault(
                .denied, "\(place): \(cause)", why: "the system blocks the connection",
                remedy: "find the rule: sudo nft list ruleset")
        case let failure where failure != nil || observation.hasAnswered:
            return .ok("\(place) accepts connections")
        default:
            guard observation.isOver else { return .wait }
            if observation.isConnected { return .ok("\(place) accepts connections") }
            let cause = "no connection within \(observation.watched.spoken)"
            return observation.isHere ? local(observation, cause, machine) : remote(observation, cause)
        }
    }

    private static func local(_ observation: Observation, _ cause: String, _ machine: any ExaminedMachine) -> Finding {
        let found = "nothing listens at \(observation.place): \(cause)"
        guard observation.isStandardPort else {
            return .fault(
                .unavailable, found, why: "the usual port of gpsd is 2947",
                remedy: "check that port: locwatch doctor \(observation.hostWord)")
        }
        return GPSDObstacle.absence(found, machine)
    }

    private static func remote(_ observation: Observation, _ cause: String) -> Finding {
        let found = "\(observation.place): \(cause)"
        guard cause.lowercased().containsBytes(of: "refused") else {
            return .fault(
                .unavailable, found, why: "the machine is off, or a firewall blocks the port",
                remedy: "check that it is up: ping -c 1 \(ShellWords.quoted(observation.host))",
                "open the port on \(observation.host), as in: sudo ufw allow \(ShellWords.quoted("\(observation.port)/tcp"))"
            )
        }
        return .fault(
            .unavailable, found,
            why: "gpsd does not run there, or accepts only local connections, which is the default of both gpsd and "
                + "its socket",
            remedy: "on \(observation.host), in /etc/default/gpsd: GPSD_OPTIONS=\"-G\"",
            "also there, in /etc/systemd/system/gpsd.socket.d/open.conf: [Socket] ListenStream= "
                + "ListenStream=/run/gpsd.sock ListenStream=0.0.0.0:2947 ListenStream=[::]:2947, one per line",
            "then: sudo systemctl daemon-reload && sudo systemctl restart gpsd.socket gpsd.service")
    }
}
