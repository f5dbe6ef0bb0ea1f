import LocwatchArguments
import LocwatchSession

/// The check that the user can open the device, which a private gpsd needs.
enum UserCheck: Check {
    static let name = CheckName.user

    static func examine(_ observation: Observation, _ machine: any MachineView) -> CheckAnswer {
        guard let path = observation.source.serialPath, let file = machine.file(path) else { return .moot }
        if let obstacle = DeviceObstacle.find(at: path, for: machine.user, machine) { return .found(obstacle.finding) }
        let name = machine.user.name
        return .found(
            .ok(
                machine.user.groups.contains(file.group) && !machine.user.isRoot
                    ? "\(name) is in the group \(file.group) and can open it" : "\(name) can open it"))
    }
}
