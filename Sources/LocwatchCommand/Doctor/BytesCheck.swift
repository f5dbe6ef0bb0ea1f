import LocationCore

/// Whether bytes come from the receiver, and whether they are a receiver's.
enum BytesCheck: Check {
    static let name = CheckName.bytes

    static func examine(_ observation: Observation, _ machine: any MachineView) -> CheckAnswer {
        if !observation.heard.isEmpty {
            let devices = observation.devices.filter { observation.heard.contains($0.path) }
            return .found(.ok(devices.isEmpty ? "reports come" : devices.map(\.recognition).joined(separator: "; ")))
        }
        if observation.failure == nil, !observation.isOver, !observation.devices.contains(where: \.isMute) {
            return .wait
        }
        let device = observation.devices.first(where: \.isMute) ?? observation.devices.first
        let path = device?.path ?? "the receiver"
        switch device?.activity {
        case .babbling: return .found(babbling(path, device?.speed, observation))
        case .gone: return .found(gone(path, observation, machine))
        default:
            // gpsd 3.22 lists a device that was pulled out as if it were only silent.
            if observation.isHere, path.hasPrefix("/"), machine.file(path) == nil {
                return .found(gone(path, observation, machine))
            }
            return .found(silent(path, observation))
        }
    }

    /// gpsd 3.22 often tells of bytes that it cannot read as if there were none: the speed may be wrong here, too.
    private static func silent(_ path: String, _ observation: Observation) -> Finding {
        let device = observation.isHere && path.hasPrefix("/") ? path : "DEVICE"
        return .fault(
            .noFix, "\(path.printable) is open, and gpsd hears nothing that it can read",
            why:
                "either the line runs at another speed than the receiver, or the receiver sends nothing: it has no power, "
                + "hangs, or is not wired (its TX to RX here)",
            remedy: [
                "try a speed, \(speeds): locwatch doctor 'serial:\(device)?speed=9600'",
                "take its power away for ten seconds, as by pulling the plug, and plug it in again",
                "on a Raspberry Pi's pins see that the port is on and has no login prompt: sudo raspi-config",
            ])
    }

    private static let speeds = "9600, 4800, 38400 and 115200 are usual"

    private static func babbling(_ path: String, _ speed: Int?, _ observation: Observation) -> Finding {
        let at = speed.map { " at \($0) bit/s" } ?? ""
        let found = "\(path.printable) sends bytes\(at) that no driver of gpsd knows"
        let why = "the line runs at another speed than the receiver, or this is no receiver"
        guard let path = observation.source.serialPath else {
            let name = observation.isHere ? path : "DEVICE"
            return .fault(
                .noFix, found, why: why,
                remedy: [
                    (observation.isHere ? "" : "on \(observation.host): ")
                        + "sudo systemctl stop gpsd.socket gpsd.service",
                    "try a speed, \(speeds): locwatch doctor 'serial:\(name)?speed=9600'",
                    "keep the one that works, in /etc/default/gpsd: GPSD_OPTIONS=\"-s 9600\"",
                ])
        }
        return .fault(
            .noFix, found, why: why,
            remedy: ["try a speed, \(speeds): locwatch doctor 'serial:\(path)?speed=9600'"])
    }

    private static func gone(
        _ path: String, _ observation: Observation, _ machine: any MachineView
    ) -> Finding {
        guard observation.isHere else {
            return .fault(
                .noInput, "\(path.printable) was there and is gone", why: "its plug was pulled, or its cable is bad",
                remedy: ["plug it in again on \(observation.host)"])
        }
        let missing = DeviceObstacle.missing(path, machine)
        return .fault(
            .noInput, "\(path.printable) was there and is gone",
            why: "its plug was pulled, its cable is bad, or it came back as another path",
            remedy: missing.remedy)
    }
}

extension DeviceStatus {
    /// Whether nothing more is to be expected of it as it is.
    fileprivate var isMute: Bool {
        switch activity {
        case .silent, .babbling, .gone: true
        case .unknown, .idle, .unopenable, .reporting: false
        }
    }

    fileprivate var recognition: String {
        let cycle = cycle.map { ", a report every \($0.spoken)" } ?? ""
        return "\(path.printable): " + (words ?? "recognised") + cycle
    }
}
