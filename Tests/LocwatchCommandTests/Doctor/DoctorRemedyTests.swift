import LocationCore
import LocationGPSD
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession
@testable import LocwatchTerminal

/// The first fault or remark of doctor on machines with one trouble each, with its cause and its remedy.
@Suite(.serialized, .alone) struct DoctorRemedyTests {
    struct Trouble: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let check: CheckName
        let code: ExitCode?
        /// The texts of the finding, each on a line, and the beginning of the first step.
        let says: [String]
        let step: String?
        let machine: PretendedMachine
        let observation: Observation

        init(
            _ name: String, _ observation: Observation, at check: CheckName, _ code: ExitCode? = nil,
            says: String..., step: String? = nil, _ change: (inout PretendedMachine) -> Void = { _ in }
        ) {
            (testDescription, self.check, self.code, self.says, self.step) = (name, check, code, says, step)
            (machine, self.observation) = (with(PretendedMachine(), change), observation)
        }
    }

    private static let refused = Observation.of(failure: DoctorSession.refused)
    private static let serial = Observation.of(DoctorSession.serial)
    private static let unusable = Observation.of(
        DoctorSession.serial, failure: .deviceUnusable(path: DoctorSession.path, cause: .notASerialDevice))
    private static let unopenable = told(DoctorSession.device(.unopenable))
    private static let remote = SourceWord.gpsd(GPSDEndpoint(host: "pi.local"))

    private static func told(_ events: LocationEvent..., by source: SourceWord = .standard) -> Observation {
        .of(source, telling: [DoctorSession.greeted] + events)
    }

    /// Returns the observation of a serial receiver that a private gpsd reads.
    private static func read(_ activity: DeviceStatus.Activity) -> Observation {
        told(DoctorSession.device(activity), by: DoctorSession.serial)
    }

    private static func failed(_ cause: String) -> Observation {
        .of(remote, failure: .unreachable(host: "pi.local", port: 2947, cause: cause))
    }

    private static let systemd: [Trouble] =
        ([
            (UnitState(active: "inactive"), nil, "sudo systemctl enable --now gpsd.socket"),
            (UnitState(load: "masked"), nil, "sudo systemctl unmask gpsd.socket"),
            (UnitState(active: "failed"), nil, "journalctl -u gpsd.socket"),
            (UnitState(active: "active"), nil, "systemctl cat gpsd.socket"),
            (UnitState(active: "active"), UnitState(active: "failed"), "journalctl -u gpsd.service"),
            (nil, nil, "sudo ss -ltnp | grep gpsd"),
        ] as [(UnitState?, UnitState?, String)]).map { socket, service, step in
            Trouble("a refused connection: \(step)", refused, at: .daemon, .unavailable, step: step) {
                ($0.units["gpsd.socket"], $0.units["gpsd.service"]) = (socket, service)
            }
        }
        + ["inactive", "failed"].flatMap { active in
            [nil, "fe8000000000000000fc00fffe000001 04 40 20 80     eth0\n"].map { addresses in
                Trouble(
                    "a socket that is \(active) without IPv6", refused, at: .daemon,
                    says: "gpsd.socket cannot listen at [::1], because IPv6 is disabled here",
                    "ListenStream=127.0.0.1:2947"
                ) {
                    $0.units["gpsd.socket"] = UnitState(active: active)
                    $0.texts["/proc/net/if_inet6"] = addresses
                }
            }
        }

    private static let daemons: [Trouble] = [
        Trouble(
            "no systemd and no gpsd that runs, with a receiver", refused, at: .daemon,
            step: "sudo gpsd -n /dev/serial/by-id/usb-gps"
        ) {
            $0.daemon = nil
            $0.candidates = ["/dev/serial/by-id/usb-gps"]
        },
        Trouble("no gpsd", refused, at: .programs, .unavailable, step: "sudo apt install gpsd") { $0.gpsd = nil },
        Trouble("different releases of libgps and gpsd", DoctorSession.healthy(), at: .programs) { $0.libgps = "3.25" },
        Trouble(
            "an old gpsd that still runs after an upgrade", DoctorSession.healthy(), at: .greeting,
            step: "sudo systemctl restart gpsd.service"
        ) {
            $0.gpsd?.release = "3.25"
            $0.libgps = "3.25"
        },
        Trouble(
            "a remote gpsd that refuses", failed("Connection refused"), at: .daemon, says: "GPSD_OPTIONS=\"-G\"",
            "ListenStream=0.0.0.0:2947"),
        Trouble("a remote machine that is silent", failed("Connection timed out"), at: .daemon, says: "firewall"),
        Trouble(
            "a socket whose gpsd does not start",
            .of(
                failure: .connectionLost(
                    host: "localhost", port: 2947, cause: "the daemon closed the connection before it had greeted")),
            at: .greeting, .unavailable, step: "journalctl -u gpsd.service"
        ) { $0.units = ["gpsd.socket": UnitState(active: "active"), "gpsd.service": UnitState(active: "failed")] },
        Trouble(
            "a private gpsd that other users can reach", told(by: DoctorSession.serial), at: .daemon, .done,
            says: "other users"
        ) { $0.gpsd?.takesSockets = false },
        Trouble(
            "a refused watch, even if questions are answered with positions",
            told(
                .authorization(.denied), .failure(.denied(what: "the watch of localhost", cause: "gpsd: no\u{7}")),
                .location(ScriptedSession.location(4))),
            at: .devices, .denied, says: "the watch is refused: gpsd: no"),
        Trouble(
            "a kernel that confines nothing", DoctorSession.healthy(), at: .safety,
            says: "decoders and private daemons run with all of your rights", "this kernel cannot confine files"
        ) { $0.confinement = [] },
    ]

    private static let ports: [Trouble] = [("::1", "'[::1]'"), ("pi.local", "pi.local")].map { host, advised in
        let source = SourceWord.gpsd(GPSDEndpoint(host: host, port: "30831"))
        let answer = LocationError.notGPSD(host: host, port: "30831", answer: "SSH-2.0")
        return Trouble(
            "a port of another program on \(advised)", .of(source, failure: answer), at: .greeting,
            step: "try the usual port of gpsd: locwatch doctor \(advised)")
    }

    private static let devices: [Trouble] = [
        Trouble(
            "no configured receiver, and one that is plugged in", told(.searching(.noDevice)), at: .devices,
            step: "until gpsd is restarted: sudo gpsdctl add /dev/serial/by-id/usb-gps"
        ) { $0.candidates = ["/dev/serial/by-id/usb-gps", "/dev/ttyUSB0"] },
        Trouble(
            "a configured path that disappeared", unopenable, at: .devices, .noInput, says: "/dev/serial/by-id/usb-gps"
        ) {
            $0.files = [:]
            $0.candidates = ["/dev/serial/by-id/usb-gps"]
        },
        Trouble(
            "receivers that are not listed in time", told(), at: .devices, .unavailable,
            says: "gpsd did not list its receivers within", step: "wait longer: locwatch doctor -t 30s"),
        Trouble(
            "a path that is not on this machine",
            told(DoctorSession.device(.idle), by: .gpsd(GPSDEndpoint(host: "localhost", port: "21801"))),
            at: .devices, .noInput, says: "/dev/ttyACM0 does not exist on this machine",
            "the gpsd at localhost:21801 is that of another machine or a container",
            "on the machine or in the container of that gpsd: locwatch doctor"
        ) { $0.files = [:] },
        Trouble(
            "a device that gpsd may not open", unopenable, at: .devices, .denied, says: "root:dialout, mode 660",
            step: "sudo usermod -aG dialout gpsd"
        ) { $0.daemon?.groups = ["nogroup"] },
        Trouble(
            "a path that does not exist", serial, at: .devices, .noInput, says: "/dev/ttyACM0 does not exist"
        ) { $0.files = [:] },
        Trouble(
            "a file that is not a device", unusable, at: .devices, .noInput, says: "/dev/ttyACM0 is not a serial device"
        ) { $0.files[DoctorSession.path]?.isDevice = false },
        Trouble("a missing group", serial, at: .user, .denied, step: "sudo usermod -aG dialout ada") {
            $0.user.groups = ["ada"]
        },
        Trouble(
            "a group that was joined since the login", serial, at: .user,
            says: "the membership of dialout takes effect at the next login"
        ) {
            $0.user.groups = ["ada"]
            $0.user.futureGroups = ["dialout"]
        },
        Trouble(
            "a device of root only", serial, at: .user, .denied, says: "chgrp dialout /dev/ttyACM0",
            "KERNEL==\"ttyACM0\""
        ) { $0.files[DoctorSession.path] = FileAccess(owner: "root", ownerID: 0, group: "root", mode: 0o600) },
    ]

    private static let confined: [Trouble] = [
        (nil, "/dev/pts/3 rw,"), ("/dev/pts/* rw,\n", "gpsd cannot open /dev/ttyACM0"),
    ].map { (local: String?, words: String) in
        Trouble("a path with local additions: \(local ?? "none")", unopenable, at: .devices, says: words) {
            $0.links[DoctorSession.path] = "/dev/pts/3"
            $0.texts["/sys/module/apparmor/parameters/enabled"] = "Y\n"
            $0.texts[AppArmorProfile.path] = "/usr/sbin/gpsd {\n  /dev/ttyACM[0-9]* rw,\n}\n"
            $0.texts[AppArmorProfile.localPath] = local
        }
    }

    private static let silent = told(DoctorSession.device(.silent))
    private static let bytes: [Trouble] = [
        Trouble("a receiver that is silent", read(.silent), at: .bytes, .noFix, says: "sends no readable data"),
        Trouble("a wrong speed", read(.babbling), at: .bytes, .noFix, says: "sends unrecognized data"),
        Trouble("a receiver that was away for a moment", read(.gone), at: .bytes, .noInput, says: "is gone"),
        Trouble("a silent device that only the gpsd that is asked has open", silent, at: .bytes, says: "no power") {
            $0.holders[DoctorSession.path] = [DeviceHolder(processID: 812, name: "gpsd")]
        },
        Trouble(
            "a silent device that a second gpsd reads", silent, at: .bytes,
            says: "/dev/ttyACM0 is read by gpsd (process 812) and gpsd (process 934) at once",
            "another gpsd reads it", step: "see what they are: ps -o pid,user,args -p 812,934"
        ) { $0.holders[DoctorSession.path] = [812, 934].map { DeviceHolder(processID: $0, name: "gpsd") } },
        Trouble(
            "a silent device that another program reads too", silent, at: .bytes,
            says: "/dev/ttyACM0 is held by minicom (process 700)"
        ) {
            $0.holders[DoctorSession.path] = [
                DeviceHolder(processID: 700, name: "minicom"), DeviceHolder(processID: 812, name: "gpsd"),
            ]
        },
    ]

    private static let holders: [Trouble] = [
        ("ModemManager", "sudo systemctl disable --now ModemManager"), ("agetty", "serial-getty@ttyACM0.service"),
        ("brltty", "brltty"), ("gpsd", "locwatch doctor localhost"), ("minicom", "sudo kill 812"),
    ].flatMap { program, step in
        [unopenable, serial].map {
            Trouble(
                "a device that \(program) uses", $0, at: .devices,
                says: "/dev/ttyACM0 is held by \(program) (process 812)", step: step
            ) { $0.holders[DoctorSession.path] = [DeviceHolder(processID: 812, name: program)] }
        }
    }

    @Test(arguments: systemd + daemons + ports + devices + confined + bytes + holders + receivers)
    func `doctor names the cause of a trouble and the step that ends it, and never opens a device to all users`(
        trouble: Trouble
    ) throws {
        let (name, finding) = try DoctorSession.first(trouble.observation, trouble.machine)
        #expect(name == trouble.check)
        if let code = trouble.code { #expect(finding.code == code) }
        let text = ([finding.found, finding.why ?? ""] + finding.remedy).joined(separator: "\n")
        for words in trouble.says { #expect(text.contains(words), "\(text)") }
        if let step = trouble.step { #expect(finding.remedy.first?.contains(step) == true, "\(text)") }
        #expect(!text.contains("666") && !text.contains("\u{7}"))
    }
}
