import LocationCore
import LocationGPSD
import GPSDProtocol
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The check that the receivers send bytes that gpsd understands.
enum BytesCheck {
    static func examine(_ observation: Observation, _ machine: any ExaminedMachine) -> Finding {
        if !observation.heard.isEmpty { return heard(observation) }
        if observation.failure == nil, !observation.isOver, !observation.devices.contains(where: \.isMute) {
            return .wait
        }
        // The line can be read directly when the private gpsd has ended.
        if !observation.isOver, needsLine(observation) { return .wait }
        let device = observation.devices.first(where: \.isMute) ?? observation.devices.first
        let path = device?.path ?? "the receiver"
        if observation.isHere, path.hasPrefix("/"), let rival = DeviceObstacle.rival(at: path, machine) { return rival }
        switch device?.activity {
        case .gone: return gone(path, observation, machine)
        default:
            if GPSDQuirks.listsUnplugged, observation.isHere, path.hasPrefix("/"), machine.file(path) == nil {
                return gone(path, observation, machine)
            }
            if needsLine(observation), let line = observation.source.serialPath,
                let finding = examine(line, observation.source.lineSpeed, machine)
            {
                return finding
            }
            if device?.activity == .babbling { return babbling(path, device?.speed, observation) }
            let isLate = device?.isMute != true && observation.failure == nil && observation.listened < shortest
            return isLate ? late(path, observation) : silent(path, device?.speed, observation, machine)
        }
    }

    /// Whether the observation is to end so that the line can be read without gpsd, which cannot read what it sends.
    static func needsLine(_ observation: Observation) -> Bool {
        observation.mayListen && observation.source.serialPath != nil && observation.heard.isEmpty
            && observation.failure == nil
            && observation.devices.contains { $0.activity == .silent || $0.activity == .babbling }
    }

    // MARK: Several receivers

    /// The time after which a receiver of several counts as silent.
    private static let patience = Duration.seconds(8)

    /// Returns the finding about receivers of which at least one reports.
    private static func heard(_ observation: Observation) -> Finding {
        let devices = observation.devices.filter { observation.heard.contains($0.path) }
        let found = devices.isEmpty ? "reports arrive" : devices.map(\.recognition).joined(separator: "; ")
        // Reports without a name can be those of any receiver, and a pulse reports nothing.
        let others = observation.devices.filter {
            !observation.heard.contains($0.path) && !$0.path.hasPrefix("/dev/pps")
        }
        guard !devices.isEmpty, !others.isEmpty, observation.source.endpoint?.device == nil else { return .ok(found) }
        let isDecided = others.allSatisfy { $0.activity.isTrouble || $0.activity == .reporting }
        guard observation.isOver || isDecided || observation.listened >= patience else { return .wait }
        let lost = others.filter { $0.activity.isTrouble }
        guard let first = lost.first else { return .ok(found) }
        let words = lost.map { "\($0.path.printable) \($0.activity.fault)" }.joined(separator: "; ")
        return .remark(
            "\(found); but \(words)", why: "every position is that of the other receiver",
            remedy: "examine it: locwatch doctor --device \(ShellWords.quoted(first.path))"
                + observation.source.argument)
    }

    // MARK: Silence and bytes without packets

    /// The shortest time after which silence says something about a receiver, which usually reports once a second.
    private static let shortest = Duration.seconds(3)

    private static func late(_ path: String, _ observation: Observation) -> Finding {
        .fault(
            .noFix, "no report from \(path.printable) in \(observation.listened.spoken)",
            why: "that is too short to tell: gpsd answered only \(observation.listened.spoken) before the end",
            remedy: "wait longer: \(observation.command("-t 15s"))")
    }

    /// Returns what a line sends that gpsd cannot read, or `nil` if the line cannot be read directly either.
    private static func examine(_ path: String, _ failed: Int?, _ machine: any ExaminedMachine) -> Finding? {
        let place = path.printable
        switch SpeedSearch.run(on: path, failed: failed, machine) {
        case .unreadable: return nil
        case .silent:
            return .fault(
                .noFix, "\(place) is open, but sends nothing",
                why: "no byte arrives: the receiver has no power, hangs, or is not wired (its TX to RX here)",
                remedy: silenceSteps(path, machine))
        case .packets(let name, let speed):
            let source = ShellWords.quoted("serial:\(path)?speed=\(speed)")
            return .fault(
                .noFix, "\(place) sends \(name) at \(speed) bit/s" + (failed.map { ", and not at \($0)" } ?? ""),
                why: failed == nil ? "gpsd did not find the speed" : "the line speed is wrong",
                remedy: "use that speed: locwatch \(source)",
                "for the gpsd of the system, in /etc/default/gpsd: GPSD_OPTIONS=\"-s \(speed)\"")
        case .garbage(let tried):
            let speeds = EnglishList.or(([failed].compactMap(\.self) + tried).map(String.init))
            return .fault(
                .noFix, "\(place) sends bytes that no protocol explains",
                why: "the speed is wrong, or this is not a receiver: there is no packet at \(speeds) bit/s",
                remedy: "find the speed and the protocol in the documentation of the receiver",
                "check that it is the receiver: ls -l /dev/serial/by-id")
        }
    }

    private static func silenceSteps(_ path: String, _ machine: any ExaminedMachine) -> [String] {
        [
            "disconnect its power for ten seconds, for example by unplugging it",
            ConsoleCheck.pins(insteadOf: path, machine)
                ?? "on the pins of a Raspberry Pi, enable the port without a login prompt: sudo raspi-config",
        ]
    }

    /// gpsd 3.22 often reports bytes that it cannot read as silence, so the speed can also be wrong here.
    private static func silent(
        _ path: String, _ speed: Int?, _ observation: Observation, _ machine: any ExaminedMachine
    ) -> Finding {
        if let stream = stream(path, observation) { return silent(stream, observation) }
        let device = observation.isHere && path.hasPrefix("/") ? path : "DEVICE"
        return .fault(
            .noFix, "\(path.printable) is open, but sends no readable data",
            why:
                "either the line speed is wrong, or the receiver sends nothing: it has no power, "
                + "hangs, or is not wired (its TX to RX here)",
            remedy: ["look for another program that reads it: sudo fuser -v \(ShellWords.quoted(device))"]
                + [attempt(device, speed, observation)] + silenceSteps(device, machine))
    }

    /// Returns the step to try a speed that has not failed yet.
    private static func attempt(_ path: String, _ speed: Int?, _ observation: Observation) -> String {
        // Without a given speed, the private gpsd tries them in turn.
        let failed = observation.source.serialPath == nil ? speed : observation.source.lineSpeed
        let speeds = SpeedSearch.alternatives(to: Set([failed].compactMap(\.self))).prefix(4)
        let source = ShellWords.quoted("serial:\(path)?speed=\(speeds.first ?? 9600)")
        return "try a speed such as \(EnglishList.or(speeds.map(String.init))): locwatch doctor \(source)"
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
            : "look at what is sent: nc \(ShellWords.quoted(stream.host)) \(stream.port)"
    }

    private static func gone(_ stream: StreamAddress) -> Finding {
        .fault(
            .unavailable, "\(stream) was opened and is closed again",
            why: stream.scheme == .ntrip
                ? "the caster has no such mountpoint, refuses the password, or has gone"
                : "the server has closed the connection",
            remedy: stream.scheme == .ntrip
                ? "list the mountpoints: curl \(ShellWords.quoted("http://\(stream.host):\(stream.port)/"))"
                : "look at what is sent: nc \(ShellWords.quoted(stream.host)) \(stream.port)")
    }

    private static func babbling(_ path: String, _ speed: Int?, _ observation: Observation) -> Finding {
        if let stream = stream(path, observation) {
            return .fault(
                .noFix, "\(stream) sends unrecognized data", why: "it is not the data of a receiver",
                remedy: look(at: stream))
        }
        let at = speed.map { " at \($0) bit/s" } ?? ""
        let found = "\(path.printable) sends unrecognized data\(at)"
        let why = "bytes arrive that no protocol explains: the line speed is wrong, or this is not a receiver"
        let name = observation.source.serialPath ?? (observation.isHere ? path : "DEVICE")
        let attempt = attempt(name, speed, observation)
        if observation.source.serialPath != nil { return .fault(.noFix, found, why: why, remedy: attempt) }
        return .fault(
            .noFix, found, why: why,
            remedy: (observation.isHere ? "" : "on \(observation.host): ")
                + "sudo systemctl stop gpsd.socket gpsd.service",
            attempt, "keep the speed that works, in /etc/default/gpsd: GPSD_OPTIONS=\"-s SPEED\"")
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

extension DeviceStatus.Activity {
    /// The trouble as a part of a sentence.
    fileprivate var fault: String {
        switch self {
        case .unopenable: "cannot be opened"
        case .babbling: "sends unrecognized data"
        case .gone: "is gone"
        case .silent, .unknown, .idle, .reporting: "sends no readable data"
        }
    }
}
