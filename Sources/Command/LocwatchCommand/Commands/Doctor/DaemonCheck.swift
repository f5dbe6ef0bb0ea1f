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
                + ["look at its output: gpsd -N -n -D 4 -S 2999 \(path ?? "DEVICE")"])
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
                remedy: "check the spelling and the name server: getent hosts \(observation.host)")
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
        func fault(_ why: String, _ remedy: String...) -> Finding {
            .fault(.unavailable, found, why: why, remedy: remedy)
        }
        if machine.unit("gpsd.service")?.active == "failed" {
            return fault(
                "systemd started gpsd, but it failed", "see why: journalctl -u gpsd.service -n 20 --no-pager",
                "then: sudo systemctl reset-failed gpsd.service && sudo systemctl restart gpsd.socket")
        }
        guard let socket = machine.unit("gpsd.socket"), socket.isThere else {
            if let daemon = machine.daemon {
                return fault(
                    "a gpsd runs (as \(daemon.name)), but listens at another address",
                    "see where: sudo ss -ltnp | grep gpsd")
            }
            return fault(
                "gpsd is installed, but not running",
                machine.candidates.first.map { "sudo gpsd -n \($0)" }
                    ?? "start it with the path of the receiver: sudo gpsd -n /dev/ttyACM0")
        }
        if socket.load == "masked" {
            return fault(
                "gpsd.socket is masked, so systemd never starts gpsd", "sudo systemctl unmask gpsd.socket",
                "sudo systemctl enable --now gpsd.socket")
        }
        if !socket.isActive, !hasIPv6(machine) {
            return fault(
                "gpsd.socket cannot listen at [::1], because IPv6 is disabled here",
                "in /etc/systemd/system/gpsd.socket.d/ipv4.conf: [Socket] ListenStream= "
                    + "ListenStream=/run/gpsd.sock ListenStream=127.0.0.1:2947, one per line",
                "then: sudo systemctl daemon-reload && sudo systemctl enable --now gpsd.socket")
        }
        if socket.active == "failed" {
            return fault(
                "gpsd.socket has failed, usually because another program had its port",
                "see why: journalctl -u gpsd.socket -n 20 --no-pager", "sudo systemctl restart gpsd.socket")
        }
        return socket.isActive
            ? fault("gpsd.socket listens, but at other addresses", "see which: systemctl cat gpsd.socket")
            : fault("gpsd.socket, which starts gpsd on demand, is stopped", "sudo systemctl enable --now gpsd.socket")
    }

    /// Whether this machine has the address ::1, at which Debian's gpsd.socket listens too.
    private static func hasIPv6(_ machine: any ExaminedMachine) -> Bool {
        machine.text("/proc/net/if_inet6")?.containsBytes(of: "00000000000000000000000000000001") ?? false
    }

    private static func remote(_ observation: Observation, _ cause: String) -> Finding {
        let found = "\(observation.place): \(cause)"
        guard cause.lowercased().containsBytes(of: "refused") else {
            return .fault(
                .unavailable, found, why: "the machine is off, or a firewall blocks the port",
                remedy: "check that it is up: ping -c 1 \(observation.host)",
                "open the port on \(observation.host), as in: sudo ufw allow \(observation.port)/tcp")
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
