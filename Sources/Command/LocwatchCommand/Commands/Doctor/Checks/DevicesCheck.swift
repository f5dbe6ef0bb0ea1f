import LocationCore
import LocationGPSD
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The check that there is a receiver and that it can be opened.
enum DevicesCheck {
    static func examine(_ observation: Observation, _ machine: any ExaminedMachine) -> Finding {
        if let path = observation.source.serialPath {
            // The next check examines the permissions.
            let obstacle = DeviceObstacle.find(at: path, for: nil, machine)
            let owner = machine.file(path).map { " (\($0.words))" } ?? ""
            return obstacle ?? .ok("\(path) exists\(owner)")
        }
        guard let endpoint = observation.source.endpoint else { return .moot }
        return examine(observation, wanted: endpoint.device, machine)
    }

    /// Checks that the user can open the device, which a private gpsd needs.
    static func examineUser(_ observation: Observation, _ machine: any ExaminedMachine) -> Finding {
        guard let path = observation.source.serialPath, let file = machine.file(path) else { return .moot }
        if let obstacle = DeviceObstacle.find(at: path, for: machine.user, machine) { return obstacle }
        let user = machine.user
        let group = user.groups.contains(file.group) && !user.isRoot ? "is in the group \(file.group) and " : ""
        return .ok("\(user.name) \(group)can open it")
    }

    private static func examine(_ observation: Observation, wanted: String?, _ machine: any ExaminedMachine) -> Finding
    {
        // A daemon that refuses the watch can still answer the questions for its receivers.
        for case .denied(_, let cause) in observation.complaints {
            return .fault(
                .denied, "the watch is refused: \(cause.printable)",
                why: "gpsd itself lets every program watch, so a program before it does not let this one",
                remedy: "ask who runs what answers at \(observation.place)")
        }
        if !observation.heard.isEmpty { return .ok(list(observation.devices)) }
        for case .deviceUnknown(let path, _) in observation.complaints { return unknown(path, observation) }
        if observation.hasNoDevice { return none(observation, machine) }
        let devices = observation.devices.filter { wanted == nil || $0.path == wanted }
        let isSettled = !devices.isEmpty && devices.allSatisfy { $0.activity.isTrouble }
        guard isSettled || observation.isOver else { return .wait }
        if observation.devices.isEmpty { return unlisted(observation) }
        // The next check examines a device that is open and does not report.
        if devices.contains(where: { $0.activity.isOpen && isThere($0.path, observation, machine) }) {
            return .ok(list(observation.devices))
        }
        return unusable(devices.first?.path ?? wanted ?? "", observation, machine)
    }

    private static func isThere(_ path: String, _ observation: Observation, _ machine: any ExaminedMachine) -> Bool {
        guard observation.isHere, path.hasPrefix("/") else { return !observation.lost.contains(path) }
        return machine.file(path) != nil
    }

    private static func list(_ devices: [DeviceStatus]) -> String {
        devices.isEmpty
            ? "gpsd's reports name no receiver" : "gpsd has \(EnglishList.and(devices.map(\.path.printable)))"
    }

    private static func unknown(_ path: String, _ observation: Observation) -> Finding {
        let others = observation.devices.map(\.path)
        return .fault(
            .unavailable, "gpsd has no receiver \(path)",
            why: others.isEmpty ? "it has none" : "it has \(EnglishList.and(others))",
            remedy: others.isEmpty
                ? ["sudo gpsdctl add \(ShellWords.quoted(path))"]
                : ["select one that it has, or none: locwatch doctor \(ShellWords.quoted(observation.place))"])
    }

    private static func unlisted(_ observation: Observation) -> Finding {
        .fault(
            .unavailable, "gpsd did not list its receivers within \(observation.listened.spoken)",
            why: "the connection to it is slow, or it hangs",
            remedy: "wait longer: \(observation.command("-t 30s"))")
    }

    private static func none(_ observation: Observation, _ machine: any ExaminedMachine) -> Finding {
        guard observation.isHere else {
            return .fault(
                .unavailable, "gpsd has no receiver", why: "that gpsd is not configured with a device",
                remedy: "on \(observation.host), in /etc/default/gpsd: DEVICES=\"/dev/ttyACM0\"")
        }
        return GPSDObstacle.withoutReceiver(machine)
    }

    private static func unusable(_ path: String, _ observation: Observation, _ machine: any ExaminedMachine) -> Finding
    {
        let found = "gpsd cannot open \(path.printable)"
        guard observation.isHere, path.hasPrefix("/") else {
            return .fault(
                .unavailable, found, why: "gpsd does not tell clients why",
                remedy: "on \(observation.host): locwatch doctor")
        }
        let daemon = machine.daemon(at: observation.port) ?? machine.daemons.first
        guard var obstacle = DeviceObstacle.find(at: path, for: daemon?.account, machine) else {
            return .fault(
                .unavailable, found, why: "gpsd does not tell clients why, and no obstacle is visible from here",
                remedy: "look at its log: journalctl -u gpsd.service -n 20 --no-pager",
                "check again with more permissions: sudo locwatch doctor\(observation.source.argument)")
        }
        if machine.file(path) == nil {
            obstacle.found += " on this machine"
            obstacle.why? += "; or the gpsd at \(observation.place) is that of another machine or a container"
            obstacle.remedy.append(
                "then set DEVICES in /etc/default/gpsd to that path, and: sudo systemctl restart gpsd.service")
            obstacle.remedy.append("on the machine or in the container of that gpsd: locwatch doctor")
        }
        return obstacle
    }
}

extension DeviceStatus.Activity {
    /// Whether the daemon has the device open.
    fileprivate var isOpen: Bool {
        switch self {
        case .silent, .babbling, .reporting: true
        case .unknown, .idle, .unopenable, .gone: false
        }
    }
}
