import LocwatchArguments

/// The serial receivers of a machine whose gpsd does not run, or has none.
package struct FirstContact {
    /// The number of devices that are named.
    private static let limit = 3

    /// The paths that may be receivers, as short as the machine has them.
    private let paths: [String]
    private let machine: any ExaminedMachine

    package init(_ machine: any ExaminedMachine) {
        self.machine = machine
        paths = machine.candidates.filter { !$0.hasPrefix("/dev/pps") }.map { path in
            // These long names are for configurations; serial0 is the name that is the same on every Raspberry Pi.
            path.hasPrefix("/dev/serial/by-id/") ? machine.resolved(path) : path
        }
    }

    /// The receivers and the command that reads one, with what this user must do before; `nil` without a device.
    package var step: String? {
        guard let first = paths.first(where: machine.opens) ?? paths.first else { return nil }
        let named = paths.prefix(Self.limit)
        let others = paths.count > named.count ? " and others" : ""
        let found =
            paths.count == 1
            ? "a receiver may be at \(first)" : "receivers may be at \(EnglishList.and(Array(named)))\(others)"
        let command = SourceWord.line(reading: first)
        guard !machine.opens(first), let file = machine.file(first),
            let refusal = DeviceObstacle.refusal(of: first, file, to: machine.user, machine)
        else { return "\(found): try \(command)" }
        return "\(found), which you cannot open: \(refusal.advice), and then try \(command)"
    }
}

extension Finding {
    /// The remedy in one line: all of it if it is short, and otherwise its first step.
    package var advice: String {
        remedy.count <= 2 ? remedy.joined(separator: "; ") : remedy.first ?? ""
    }
}
