import LocationCore

/// Whether somebody takes the connection.
enum DaemonCheck: Check {
    static let name = CheckName.daemon

    static func examine(_ observation: Observation, _ machine: any MachineView) -> CheckAnswer {
        observation.source.endpoint != nil
            ? overNetwork(observation, machine) : own(observation, path: observation.source.serialPath, machine)
    }

    // MARK: a gpsd of one's own

    private static func own(
        _ observation: Observation, path: String?, _ machine: any MachineView
    ) -> CheckAnswer {
        if observation.hasAnswered { return .found(privateDaemon(machine)) }
        if case .deviceUnusable(let path, _) = observation.failure,
            let obstacle = DeviceObstacle.find(at: path, for: machine.user, machine)
        {
            return .found(obstacle.finding)
        }
        guard observation.failure != nil || observation.isOver else { return .wait }
        if let path, let obstacle = DeviceObstacle.find(at: path, for: machine.user, machine) {
            return .found(obstacle.finding)
        }
        let error = observation.failure.map { ErrorText($0) }
        return .found(
            .fault(
                observation.failure.map { ExitCode(for: $0) } ?? .unavailable,
                error?.message ?? "a gpsd of locwatch's own was not ready within \(observation.watched.spoken)",
                why: "a serial receiver is read through a gpsd that locwatch starts for itself",
                remedy: ["see what gpsd says: gpsd -N -n -D 4 -S 2999 \(path ?? "DEVICE")"]))
    }

    private static func privateDaemon(_ machine: any MachineView) -> Finding {
        let found = "a gpsd of locwatch's own reads the receiver, without writing to it"
        guard machine.gpsd?.takesSockets == false else { return .ok(found) }
        return .remark(
            "\(found); other users of this machine can read the position from it",
            why: "this gpsd was built without socket activation, so that it can only be reached at a TCP port",
            remedy: ["install your distribution's package: \(machine.install("gpsd"))"])
    }

    // MARK: a gpsd at an address

    private static func overNetwork(_ observation: Observation, _ machine: any MachineView) -> CheckAnswer {
        let place = observation.place
        switch observation.failure {
        case .unresolvable(_, _, let cause):
            return .found(
                .fault(
                    .unavailable, "\(place): \(cause)", why: "the name of the host leads to no address",
                    remedy: ["check the spelling, and what the network knows: getent hosts \(observation.host)"]))
        case .unreachable(_, _, let cause):
            return .found(observation.isHere ? local(observation, cause, machine) : remote(observation, cause))
        case .denied(_, let cause):
            return .found(
                .fault(
                    .denied, "\(place): \(cause)", why: "the system does not let you connect there",
                    remedy: ["see which rule it is: sudo nft list ruleset"]))
        case let failure where failure != nil || observation.hasAnswered:
            return .found(.ok("\(place) takes connections"))
        default:
            guard observation.isOver else { return .wait }
            if observation.isConnected { return .found(.ok("\(place) takes connections")) }
            let cause = "no connection within \(observation.watched.spoken)"
            return .found(observation.isHere ? local(observation, cause, machine) : remote(observation, cause))
        }
    }

    private static func local(_ observation: Observation, _ cause: String, _ machine: any MachineView) -> Finding {
        let found = "nothing listens at \(observation.place): \(cause)"
        guard observation.isStandardPort else {
            return .fault(
                .unavailable, found, why: "gpsd's own port is 2947",
                remedy: ["ask there: locwatch doctor \(observation.host)"])
        }
        let socket = machine.unit("gpsd.socket")
        let service = machine.unit("gpsd.service")
        if let service, service.active == "failed" {
            return .fault(
                .unavailable, found, why: "systemd started gpsd, and it failed",
                remedy: [
                    "see why: journalctl -u gpsd.service -n 20 --no-pager",
                    "then: sudo systemctl reset-failed gpsd.service && sudo systemctl restart gpsd.socket",
                ])
        }
        if let socket, socket.isThere, let (why, remedy) = words(for: socket) {
            return .fault(.unavailable, found, why: why, remedy: remedy)
        }
        if let daemon = machine.daemon {
            return .fault(
                .unavailable, found, why: "a gpsd runs (as \(daemon.name)), and listens at another place",
                remedy: ["see where: sudo ss -ltnp | grep gpsd"])
        }
        return .fault(
            .unavailable, found, why: "gpsd is installed, and nobody has started it",
            remedy: [
                socket?.isThere == true
                    ? "sudo systemctl enable --now gpsd.socket"
                    : "sudo gpsd -n \(machine.candidates.first ?? "/dev/ttyACM0")"
            ])
    }

    /// What is wrong with a socket at which nobody listens.
    private static func words(for socket: UnitState) -> (String, [String])? {
        if socket.load == "masked" {
            return (
                "gpsd.socket is masked, so that systemd never starts gpsd",
                ["sudo systemctl unmask gpsd.socket", "sudo systemctl enable --now gpsd.socket"]
            )
        }
        if socket.active == "failed" {
            return (
                "gpsd.socket has failed, mostly because another program had its port",
                [
                    "see why: journalctl -u gpsd.socket -n 20 --no-pager",
                    "sudo systemctl restart gpsd.socket",
                ]
            )
        }
        if socket.isActive {
            return (
                "gpsd.socket listens, but at other addresses",
                ["see which: systemctl cat gpsd.socket"]
            )
        }
        return (
            "gpsd.socket, which starts gpsd when a program asks, is stopped",
            ["sudo systemctl enable --now gpsd.socket"]
        )
    }

    private static func remote(_ observation: Observation, _ cause: String) -> Finding {
        let found = "\(observation.place): \(cause)"
        guard cause.lowercased().containsBytes(of: "refused") else {
            return .fault(
                .unavailable, found, why: "the machine is off, or a firewall lets nothing through",
                remedy: [
                    "is it there? ping -c 1 \(observation.host)",
                    "open the port on \(observation.host), as in: sudo ufw allow \(observation.port)/tcp",
                ])
        }
        return .fault(
            .unavailable, found,
            why: "gpsd does not run there, or listens to its own machine only, as it does unless both gpsd and the "
                + "socket are told otherwise",
            remedy: [
                "on \(observation.host), in /etc/default/gpsd: GPSD_OPTIONS=\"-G\"",
                "there too, in /etc/systemd/system/gpsd.socket.d/open.conf: [Socket] ListenStream= "
                    + "ListenStream=/run/gpsd.sock ListenStream=0.0.0.0:2947 ListenStream=[::]:2947, each on its line",
                "and: sudo systemctl daemon-reload && sudo systemctl restart gpsd.socket gpsd.service",
            ])
    }
}
