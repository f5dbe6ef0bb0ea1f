import LocationCore
import LocwatchArguments
import LocwatchSession
import LocwatchTerminal

/// The check that libgps and gpsd are installed and have the same release.
enum ProgramsCheck {
    static func examine(_ observation: Observation, _ machine: any ExaminedMachine) -> Finding {
        let libgps = "libgps \(machine.libgps ?? "of an unknown release")"
        guard let gpsd = machine.gpsd else { return withoutGPSD(libgps, observation, machine) }
        let found = "\(libgps), gpsd \(gpsd)"
        guard observation.isHere, !machine.libgpsIsBuiltIn, let mine = machine.libgps, let its = gpsd.release,
            !mine.isSameRelease(as: its)
        else { return .ok(found) }
        return .remark(
            found, why: "libgps and gpsd belong together: two releases indicate an incomplete upgrade",
            remedy: "install both from one source: \(machine.install("gpsd"))")
    }

    private static func withoutGPSD(
        _ libgps: String, _ observation: Observation, _ machine: any ExaminedMachine
    ) -> Finding {
        let fault = Finding.fault(
            .unavailable, "\(libgps), but no gpsd",
            why: "gpsd is the program that reads the receiver, and it is not installed",
            remedy: machine.install("gpsd"))
        guard observation.source.endpoint != nil else { return fault }
        guard observation.isHere else { return .ok("\(libgps); gpsd is needed on \(observation.host) only") }
        // gpsd can run in a separate container, so its absence is a fault only if nothing answers.
        if case .unreachable = observation.failure { return fault }
        guard observation.hasAnswered || observation.isOver else { return .wait }
        let place = observation.hasAnswered ? ", but one answers at \(observation.place)" : ""
        return .ok("\(libgps); gpsd is not installed here\(place)")
    }
}

extension String {
    /// Returns whether two releases have the same numbers, regardless of suffixes.
    func isSameRelease(as other: String) -> Bool {
        func numbers(_ text: String) -> Substring { text.prefix { $0.isNumber || $0 == "." } }
        return numbers(self) == numbers(other)
    }
}
