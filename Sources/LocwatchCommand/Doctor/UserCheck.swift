import LocationCore

/// Whether the user may open the device, where that is needed: for a gpsd of locwatch's own.
enum UserCheck: Check {
    static let name = CheckName.user

    static func examine(_ observation: Observation, _ machine: any MachineView) -> CheckAnswer {
        guard let path = observation.source.serialPath, let file = machine.file(path) else { return .moot }
        if let obstacle = DeviceObstacle.find(at: path, for: machine.user, machine) { return .found(obstacle.finding) }
        let name = machine.user.name
        return .found(
            .ok(
                machine.user.groups.contains(file.group) && !machine.user.isRoot
                    ? "\(name) is in the group \(file.group) and may open it" : "\(name) may open it"))
    }
}
