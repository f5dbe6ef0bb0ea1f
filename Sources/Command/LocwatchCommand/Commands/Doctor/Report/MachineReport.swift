import LocationCore
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The machine as a bug report describes it: versions, programs and devices.
struct MachineReport {
    private let machine: any ExaminedMachine

    init(_ machine: any ExaminedMachine) { self.machine = machine }

    func put(into out: inout TextBuffer) {
        for (name, value) in facts {
            out.put(name)
            out.put(repeating: UInt8(ascii: " "), count: 10 - name.utf8.count)
            out.put("\(value.printable)\n")
        }
        out.put("\n")
    }

    private var facts: [(name: String, value: String)] {
        let libgps =
            "libgps \(machine.libgps ?? "of an unknown release")" + (machine.libgpsIsBuiltIn ? ", built in" : "")
        let gpsd = machine.gpsd.map { gpsd in
            "\(gpsd.release ?? "of an unknown release") (\(gpsd.path))" + (gpsd.takesSockets ? "" : ", takes no socket")
        }
        let daemons = machine.daemons.map { daemon in
            let port = daemon.arguments.port.map { " at port \($0)" } ?? ""
            return "as \(daemon.account.name)\(port), with\(daemon.arguments.readsAtOnce ? "" : "out") -n"
        }
        let units = ["gpsd.socket", "gpsd.service", "chrony.service", "ModemManager.service"].compactMap { name in
            machine.unit(name).map { "\(name) \($0.isThere ? $0.active : $0.load)" }
        }
        let devices = machine.candidates.prefix(12).map { path in
            let real = machine.resolved(path)
            let access = machine.file(path).map { " (\($0.words))" } ?? ""
            let holders = machine.holders(of: path).map(\.description)
            return path + (real == path ? "" : " -> \(real)") + access
                + (holders.isEmpty ? "" : ", held by \(EnglishList.and(holders))")
        }
        return [
            ("locwatch", "\(Version.number), \(libgps)"), ("system", machine.system.joined(separator: ", ")),
            ("gpsd", gpsd ?? "not installed"),
            ("runs", daemons.isEmpty ? "no gpsd of the system" : daemons.joined(separator: "; ")),
            ("units", units.isEmpty ? "none" : units.joined(separator: ", ")),
            ("confined", machine.confinement.isEmpty ? "no" : "\(machine.confinement)"),
        ] + (devices.isEmpty ? [("devices", "none")] : devices.map { ("device", $0) })
    }
}
