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
@Suite struct DoctorRemedyTests {
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
            says: "sudo gpsd -n /dev/serial/by-id/usb-gps",
            step: "a receiver may be at /dev/ttyACM0: try 'locwatch /dev/ttyACM0'"
        ) {
            $0.daemons = []
            $0.candidates = ["/dev/serial/by-id/usb-gps"]
            $0.links["/dev/serial/by-id/usb-gps"] = "/dev/ttyACM0"
        },
        Trouble(
            "a gpsd at another port", refused, at: .daemon, says: "a gpsd runs (as gpsd), but listens at port 29471",
            step: "use that one: locwatch localhost:29471"
        ) { $0.daemons[0].arguments = GPSDArguments(commandLine: "gpsd\0-S\u{0}29471\0") },
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
            says: "until that is restarted: sudo gpsdctl add /dev/serial/by-id/usb-gps",
            step: "receivers may be at /dev/ttyACM0 and /dev/ttyUSB0: try 'locwatch /dev/ttyACM0'"
        ) {
            $0.candidates = ["/dev/serial/by-id/usb-gps", "/dev/ttyUSB0"]
            $0.links["/dev/serial/by-id/usb-gps"] = "/dev/ttyACM0"
        },
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
        ) { $0.daemons[0].account.groups = ["nogroup"] },
        Trouble(
            "a device that the gpsd at this port may not open, and another one may", unopenable, at: .devices, .denied,
            step: "sudo usermod -aG dialout gpsd"
        ) {
            $0.daemons[0].account.groups = ["nogroup"]
            let other = Account(name: "root", id: 0, groups: ["root"])
            $0.daemons.insert(
                RunningGPSD(account: other, arguments: GPSDArguments(commandLine: "gpsd\0-S\u{0}29471\0")), at: 0)
        },
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
        Trouble(
            "a pseudo terminal of root only", serial, at: .user, .denied,
            says: "a pseudo terminal belongs to the user who made it",
            step: "read it as root, or start the program that made it as ada"
        ) {
            $0.links[DoctorSession.path] = "/dev/pts/3"
            $0.files[DoctorSession.path] = FileAccess(owner: "root", ownerID: 0, group: "root", mode: 0o620)
        },
        Trouble(
            "a device that a program of another user holds",
            .of(DoctorSession.serial, failure: .deviceUnusable(path: DoctorSession.path, cause: .busy(holder: nil))),
            at: .daemon, .unavailable, says: "/dev/ttyACM0 is held by a program of another user",
            "sudo fuser -v /dev/ttyACM0", step: "read what that gpsd reads: locwatch"),
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
        ("ModemManager", "KERNEL==\"ttyACM0\", ENV{ID_MM_PORT_IGNORE}=\"1\""),
        ("agetty", "serial-getty@ttyACM0.service"), ("brltty", "brltty"), ("gpsd", "ps -o pid,user,args -p 812"),
        ("minicom", "sudo kill 812"),
    ].flatMap { program, step in
        [unopenable, serial].map {
            Trouble(
                "a device that \(program) uses", $0, at: .devices,
                says: "/dev/ttyACM0 is held by \(program) (process 812)", step: step
            ) { $0.holders[DoctorSession.path] = [DeviceHolder(processID: 812, name: program)] }
        }
    }

    private static func held(
        _ found: String, step: String, says: String = "", _ change: (inout DeviceHolder) -> Void,
        on machine: (inout PretendedMachine) -> Void = { _ in }
    ) -> Trouble {
        Trouble("a device that is held by \(found)", serial, at: .devices, says: "held by \(found)", says, step: step) {
            $0.holders[DoctorSession.path] = [with(DeviceHolder(processID: 812, name: "gpsd"), change)]
            machine(&$0)
        }
    }

    /// The files of a USB device with its numbers.
    private static func usb(_ vendor: String, _ product: String) -> (inout PretendedMachine) -> Void {
        {
            $0.texts["/sys/class/tty/ttyACM0/device/../idVendor"] = "\(vendor)\n"
            $0.texts["/sys/class/tty/ttyACM0/device/../idProduct"] = "\(product)\n"
        }
    }

    private static let readers: [Trouble] = [
        held("another locwatch (process 811)", step: "end it: kill 811", says: "locwatch serve /dev/ttyACM0") {
            $0.owner = DeviceHolder.Owner(processID: 811, name: "locwatch")
        },
        held("anchorwatch (process 811)", step: "end it: kill 811") {
            $0.owner = DeviceHolder.Owner(processID: 811, name: "anchorwatch")
        },
        held("gpsd (process 812)", step: "use that one: locwatch") { $0.port = 2947 },
        held("gpsd at port 29471 (process 812)", step: "use that one: locwatch localhost:29471") { $0.port = 29471 },
        held(
            "ModemManager (process 812)",
            step:
                "echo 'ATTRS{idVendor}==\"1546\", ATTRS{idProduct}==\"01a8\", ENV{ID_MM_DEVICE_IGNORE}=\"1\"' | sudo tee "
                + "/etc/udev/rules.d/78-receiver.rules", says: "sudo udevadm control --reload && sudo udevadm trigger",
            { $0.name = "ModemManager" }, on: usb("1546", "01a8")),
        held(
            "ModemManager (process 812)", step: "mmcli -m any --location-enable-gps-unmanaged", says: "Quectel modem",
            { $0.name = "ModemManager" }, on: usb("2C7C", "0125")),
    ]

    @Test(arguments: systemd + daemons + ports + devices + confined + bytes + holders + readers + receivers)
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
        // That would cut the mobile data of the machine.
        #expect(!text.contains("disable --now ModemManager"))
    }

    /// A path in the report of a gpsd, which a shell would take for two commands.
    private static let evil = "/dev/tty x;reboot"

    @Test func `a path that a gpsd reported is quoted in each command to copy`() {
        let device = DeviceStatus(path: Self.evil, activity: .unopenable)
        let shapes: [(inout PretendedMachine) -> Void] = [
            { $0.files[Self.evil] = FileAccess(owner: "root", ownerID: 0, group: "root", mode: 0o600) },
            { $0.files[Self.evil] = FileAccess(owner: "root", ownerID: 0, group: "a b;reboot", mode: 0o660) },
            {
                $0.texts["/sys/module/apparmor/parameters/enabled"] = "Y\n"
                $0.texts[AppArmorProfile.path] = "/usr/sbin/gpsd {\n}\n"
            },
            { $0.holders[Self.evil] = [DeviceHolder(processID: 812, name: "agetty")] },
            {
                $0.holders[Self.evil] = [
                    with(DeviceHolder(processID: 812, name: "gpsd")) { $0.owner = .init(processID: 1, name: "x") }
                ]
            },
        ]
        var findings = shapes.compactMap { change in
            let machine = with(PretendedMachine()) {
                $0.files[Self.evil] = .line
                $0.daemons[0].account = $0.user
                change(&$0)
            }
            return DeviceObstacle.find(at: Self.evil, for: machine.user, machine)
        }
        #expect(findings.count == shapes.count)
        for activity in [DeviceStatus.Activity.silent, .babbling] {
            let status = with(device) { $0.activity = activity }
            let machine = with(PretendedMachine()) { $0.files[Self.evil] = .line }
            findings.append(BytesCheck.examine(Self.told(.device(status)), machine))
        }
        for step in findings.flatMap(\.remedy) {
            #expect(
                !step.split(separator: "'", omittingEmptySubsequences: false).enumerated()
                    .contains { $0.offset.isMultiple(of: 2) && $0.element.contains(";reboot") }, "\(step)")
        }
    }
}
