import LocationCore
import LocationGPSD
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The check that the receiver sends bytes that gpsd understands.
enum BytesCheck {
    static func examine(_ observation: Observation, _ machine: any ExaminedMachine) -> Finding {
        if !observation.heard.isEmpty {
            let devices = observation.devices.filter { observation.heard.contains($0.path) }
            return .ok(devices.isEmpty ? "reports arrive" : devices.map(\.recognition).joined(separator: "; "))
        }
        if observation.failure == nil, !observation.isOver, !observation.devices.contains(where: \.isMute) {
            return .wait
        }
        let device = observation.devices.first(where: \.isMute) ?? observation.devices.first
        let path = device?.path ?? "the receiver"
        if observation.isHere, path.hasPrefix("/"), let rival = DeviceObstacle.rival(at: path, machine) { return rival }
        switch device?.activity {
        case .babbling: return babbling(path, device?.speed, observation)
        case .gone: return gone(path, observation, machine)
        default:
            // gpsd 3.22 lists an unplugged device as if it were only silent.
            if observation.isHere, path.hasPrefix("/"), machine.file(path) == nil {
                return gone(path, observation, machine)
            }
            let isLate = device?.isMute != true && observation.failure == nil && observation.listened < shortest
            return isLate ? late(path, observation) : silent(path, observation)
        }
    }

    /// The shortest time after which silence says something about a receiver, which usually reports once a second.
    private static let shortest = Duration.seconds(3)

    private static func late(_ path: String, _ observation: Observation) -> Finding {
        .fault(
            .noFix, "no report from \(path.printable) in \(observation.listened.spoken)",
            why: "that is too short to tell: gpsd answered only \(observation.listened.spoken) before the end",
            remedy: "wait longer: \(observation.command("-t 15s"))")
    }

    /// gpsd 3.22 often reports bytes that it cannot read as silence, so the speed can also be wrong here.
    private static func silent(_ path: String, _ observation: Observation) -> Finding {
        if let stream = stream(path, observation) { return silent(stream, observation) }
        let device = observation.isHere && path.hasPrefix("/") ? path : "DEVICE"
        return .fault(
            .noFix, "\(path.printable) is open, but sends no readable data",
            why:
                "either the line speed is wrong, or the receiver sends nothing: it has no power, "
                + "hangs, or is not wired (its TX to RX here)",
            remedy: "look for another program that reads it: sudo fuser -v \(device)",
            "try a speed such as \(speeds): locwatch doctor 'serial:\(device)?speed=9600'",
            "disconnect its power for ten seconds, for example by unplugging it",
            "on the pins of a Raspberry Pi, enable the port without a login prompt: sudo raspi-config")
    }

    /// Returns the stream that a gpsd reads, by the SOURCE or by the name of its device.
    private static func stream(_ path: String, _ observation: Observation) -> StreamAddress? {
        observation.source.stream ?? (try? SourceWord(path) { _ in true })?.stream
    }

    private static func silent(_ stream: StreamAddress, _ observation: Observation) -> Finding {
        let machine = observation.isHere ? "this machine" : observation.host
        let why =
            switch stream.scheme {
            case .tcp: "the server sends nothing, or something else than a receiver's data"
            case .udp:
                "no datagrams with a receiver's data come to port \(stream.port) of \(machine): nothing sends them, they contain "
                    + "something else, or a firewall drops them"
            case .ntrip: "a caster sends corrections, which have no position"
            }
        return .fault(
            .noFix, "\(stream) is open, but gpsd receives no report from it", why: why, remedy: look(at: stream))
    }

    private static func look(at stream: StreamAddress) -> String {
        stream.scheme == .udp
            ? "look at the datagrams: sudo tcpdump -n -A -c 5 udp port \(stream.port)"
            : "look at what is sent: nc \(stream.host) \(stream.port)"
    }

    private static func gone(_ stream: StreamAddress) -> Finding {
        .fault(
            .unavailable, "\(stream) was opened and is closed again",
            why: stream.scheme == .ntrip
                ? "the caster has no such mountpoint, refuses the password, or has gone"
                : "the server has closed the connection",
            remedy: stream.scheme == .ntrip
                ? "list the mountpoints: curl http://\(stream.host):\(stream.port)/"
                : "look at what is sent: nc \(stream.host) \(stream.port)")
    }

    private static let speeds = "9600, 4800, 38400 or 115200"

    private static func babbling(_ path: String, _ speed: Int?, _ observation: Observation) -> Finding {
        if let stream = stream(path, observation) {
            return .fault(
                .noFix, "\(stream) sends unrecognized data", why: "it is not the data of a receiver",
                remedy: look(at: stream))
        }
        let at = speed.map { " at \($0) bit/s" } ?? ""
        let found = "\(path.printable) sends unrecognized data\(at)"
        let why = "the line speed is wrong, or this is not a receiver"
        let name = observation.source.serialPath ?? (observation.isHere ? path : "DEVICE")
        let attempt = "try a speed such as \(speeds): locwatch doctor 'serial:\(name)?speed=9600'"
        if observation.source.serialPath != nil { return .fault(.noFix, found, why: why, remedy: attempt) }
        return .fault(
            .noFix, found, why: why,
            remedy: (observation.isHere ? "" : "on \(observation.host): ")
                + "sudo systemctl stop gpsd.socket gpsd.service",
            attempt, "keep the speed that works, in /etc/default/gpsd: GPSD_OPTIONS=\"-s 9600\"")
    }

    private static func gone(_ path: String, _ observation: Observation, _ machine: any ExaminedMachine) -> Finding {
        if let stream = stream(path, observation) { return gone(stream) }
        guard observation.isHere else {
            return .fault(
                .noInput, "\(path.printable) was there and is gone", why: "it was unplugged, or its cable is bad",
                remedy: "plug it in again on \(observation.host)")
        }
        let missing = DeviceObstacle.missing(path, machine)
        return .fault(
            .noInput, "\(path.printable) was there and is gone",
            why: "it was unplugged, its cable is bad, or it has a new path",
            remedy: missing.remedy)
    }
}

extension DeviceStatus {
    /// Whether waiting for data from the device is useless.
    fileprivate var isMute: Bool {
        switch activity {
        case .silent, .babbling, .gone: true
        case .unknown, .idle, .unopenable, .reporting: false
        }
    }

    fileprivate var recognition: String { "\(path.printable): " + (words ?? "recognised") }
}
