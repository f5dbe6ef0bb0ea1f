import LocationCore

/// Whether libgps and gpsd are installed, and of one release.
enum ProgramsCheck: Check {
    static let name = CheckName.programs

    static func examine(_ observation: Observation, _ machine: any MachineView) -> CheckAnswer {
        let libgps = "libgps \(machine.libgps ?? "of an unknown release")"
        guard let gpsd = machine.gpsd else { return withoutGPSD(libgps, observation, machine) }
        let found = "\(libgps), gpsd \(gpsd.release ?? "of an unknown release") (\(gpsd.path))"
        guard observation.isHere, !machine.libgpsIsBuiltIn, let mine = machine.libgps, let its = gpsd.release,
            !mine.isSameRelease(as: its)
        else { return .found(.ok(found)) }
        return .found(
            .remark(
                found, why: "libgps and gpsd are made together: two releases are a sign of a half-finished upgrade",
                remedy: ["install both from one place: \(machine.install("gpsd"))"]))
    }

    private static func withoutGPSD(
        _ libgps: String, _ observation: Observation, _ machine: any MachineView
    ) -> CheckAnswer {
        let fault = Finding.fault(
            .unavailable, "\(libgps), and no gpsd",
            why: "gpsd is the program that reads the receiver, and it is not installed",
            remedy: [machine.install("gpsd")])
        guard observation.source.endpoint != nil else { return .found(fault) }
        guard observation.isHere else { return .found(.ok("\(libgps); gpsd runs on \(observation.host)")) }
        // It may run in a container of its own, so it is missed only when nothing answers.
        if case .unreachable = observation.failure { return .found(fault) }
        guard observation.hasAnswered || observation.isOver else { return .wait }
        return .found(.ok("\(libgps); gpsd is not installed here, and answers all the same"))
    }
}

extension String {
    /// Whether two releases have the same numbers, whatever is said after them.
    func isSameRelease(as other: String) -> Bool {
        func numbers(_ text: String) -> Substring { text.prefix { $0.isNumber || $0 == "." } }
        return numbers(self) == numbers(other)
    }
}
