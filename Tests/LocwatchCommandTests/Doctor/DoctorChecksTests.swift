import LocationCore
import LocationGPSD
import LocationRecordings
import LocwatchPlatform
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession
@testable import LocwatchTerminal

/// Tests of faults of the machine and its gpsd that cannot be produced for real.
struct DoctorChecksTests {
    @Test func `a healthy system has no warnings`() {
        let findings = DoctorSession.healthy().findings(PretendedMachine())
        #expect(findings.map(\.name) == [.programs, .daemon, .greeting, .devices, .bytes, .sky, .fix, .clock, .safety])
        #expect(findings.allSatisfy { $0.finding.result == .ok }, "\(findings)")
        let diagnosis = Diagnosis(findings)
        #expect(diagnosis.code == .done)
        #expect(diagnosis.verdict == "all is well: 3D fix, accurate to 5.4 m")
    }

    @Test(
        arguments: [
            (UnitState(active: "inactive"), nil, "sudo systemctl enable --now gpsd.socket"),
            (UnitState(load: "masked"), nil, "sudo systemctl unmask gpsd.socket"),
            (UnitState(active: "failed"), nil, "journalctl -u gpsd.socket"),
            (UnitState(active: "active"), nil, "systemctl cat gpsd.socket"),
            (UnitState(active: "active"), UnitState(active: "failed"), "journalctl -u gpsd.service"),
            (nil, nil, "sudo ss -ltnp | grep gpsd"),
        ] as [(UnitState?, UnitState?, String)])
    func `the state of systemd explains a refused connection`(
        socket: UnitState?, service: UnitState?, step: String
    ) throws {
        var machine = PretendedMachine()
        machine.units["gpsd.socket"] = socket
        machine.units["gpsd.service"] = service
        let (name, finding) = try DoctorSession.first(.of(failure: DoctorSession.refused), machine)
        #expect(name == .daemon)
        #expect(finding.code == .unavailable)
        #expect(finding.remedy.first?.contains(step) == true, "\(finding)")
    }

    @Test func `without systemd and a running gpsd the remedy starts one for the connected receiver`() throws {
        var machine = PretendedMachine()
        machine.daemon = nil
        machine.candidates = ["/dev/serial/by-id/usb-gps"]
        let (name, finding) = try DoctorSession.first(.of(failure: DoctorSession.refused), machine)
        #expect(name == .daemon)
        #expect(finding.remedy == ["sudo gpsd -n /dev/serial/by-id/usb-gps"])
    }

    @Test(arguments: ["inactive", "failed"], [nil, "fe8000000000000000fc00fffe000001 04 40 20 80     eth0\n"])
    func `without IPv6 the socket of Debian's gpsd needs another list of addresses`(
        active: String, addresses: String?
    ) throws {
        var machine = PretendedMachine()
        machine.units["gpsd.socket"] = UnitState(active: active)
        machine.texts["/proc/net/if_inet6"] = addresses
        let (name, finding) = try DoctorSession.first(.of(failure: DoctorSession.refused), machine)
        #expect(name == .daemon)
        #expect(finding.why == "gpsd.socket cannot listen at [::1], because IPv6 is disabled here")
        #expect(finding.remedy.first?.contains("ListenStream=127.0.0.1:2947") == true, "\(finding)")
    }

    @Test func `the check of the programs claims nothing about a host that was not reached`() throws {
        let remote = SourceWord.gpsd(GPSDEndpoint(host: "nosuch.invalid"))
        var machine = PretendedMachine()
        machine.gpsd = nil
        let unknown = Observation.of(
            remote, failure: .unresolvable(host: "nosuch.invalid", port: 2947, cause: "there is no such host"))
        #expect(unknown.findings(machine).first?.finding.found == "libgps 3.22; gpsd is needed on nosuch.invalid only")
        let other = Observation.of(failure: .notGPSD(host: "localhost", port: "2947", answer: "SSH-2.0"))
        #expect(other.findings(machine).first?.finding.found == "libgps 3.22; gpsd is not installed here")
        #expect(
            DoctorSession.healthy().findings(machine).first?.finding.found
                == "libgps 3.22; gpsd is not installed here, but one answers at localhost:2947")
    }

    @Test func `without an answer and an installed gpsd the remedy installs one`() throws {
        var machine = PretendedMachine()
        machine.gpsd = nil
        let (name, finding) = try DoctorSession.first(.of(failure: DoctorSession.refused), machine)
        #expect(name == .programs)
        #expect(finding.remedy == ["sudo apt install gpsd"])
        #expect(finding.code == .unavailable)
    }

    @Test func `a gpsd that answers does not have to be installed`() throws {
        var machine = PretendedMachine()
        machine.gpsd = nil
        let findings = DoctorSession.healthy().findings(machine)
        #expect(findings.first?.name == .programs)
        #expect(findings.allSatisfy { $0.finding.result == .ok })
    }

    @Test func `different releases of libgps and gpsd give a remark`() throws {
        var machine = PretendedMachine()
        machine.libgps = "3.25"
        let (name, finding) = try DoctorSession.first(DoctorSession.healthy(), machine)
        #expect(name == .programs)
        #expect(finding.result == .remark)
    }

    @Test func `a built-in libgps can have any release`() throws {
        var machine = PretendedMachine()
        machine.libgps = "3.25"
        machine.libgpsIsBuiltIn = true
        #expect(DoctorSession.healthy().findings(machine).allSatisfy { $0.finding.result == .ok || $0.name == .safety })
    }

    @Test func `an old gpsd that still runs after an upgrade gives a remark to restart it`() throws {
        var machine = PretendedMachine()
        machine.gpsd?.release = "3.25"
        machine.libgps = "3.25"
        let (name, finding) = try DoctorSession.first(DoctorSession.healthy(), machine)
        #expect(name == .greeting)
        #expect(finding.remedy == ["sudo systemctl restart gpsd.service"])
    }

    @Test func `the remedy for a remote gpsd that refuses configures both gpsd and its socket`() throws {
        let source = SourceWord.gpsd(GPSDEndpoint(host: "pi.local"))
        let error = LocationError.unreachable(host: "pi.local", port: 2947, cause: "Connection refused")
        let (name, finding) = try DoctorSession.first(.of(source, failure: error))
        #expect(name == .daemon)
        #expect(finding.remedy.contains { $0.contains("GPSD_OPTIONS=\"-G\"") })
        #expect(finding.remedy.contains { $0.contains("ListenStream=0.0.0.0:2947") })
    }

    @Test func `a remote machine that does not answer is off or has a firewall`() throws {
        let source = SourceWord.gpsd(GPSDEndpoint(host: "pi.local"))
        let error = LocationError.unreachable(host: "pi.local", port: 2947, cause: "Connection timed out")
        let (name, finding) = try DoctorSession.first(.of(source, failure: error))
        #expect(name == .daemon)
        #expect(finding.why?.contains("firewall") == true)
    }

    @Test func `a socket whose gpsd does not start is a fault of the service`() throws {
        var machine = PretendedMachine()
        machine.units = ["gpsd.socket": UnitState(active: "active"), "gpsd.service": UnitState(active: "failed")]
        let error = LocationError.connectionLost(
            host: "localhost", port: 2947, cause: "the daemon closed the connection before it had greeted")
        let (name, finding) = try DoctorSession.first(.of(failure: error), machine)
        #expect(name == .greeting)
        #expect(finding.code == .unavailable)
        #expect(finding.remedy.first?.contains("journalctl -u gpsd.service") == true)
    }

    @Test func `the remedy without a configured receiver names the one that is plugged in`() throws {
        var machine = PretendedMachine()
        machine.candidates = ["/dev/serial/by-id/usb-gps", "/dev/ttyUSB0"]
        let (name, finding) = try DoctorSession.first(
            .of(telling: [DoctorSession.greeted, .searching(.noDevice)]), machine)
        #expect(name == .devices)
        #expect(finding.remedy.first == "until gpsd is restarted: sudo gpsdctl add /dev/serial/by-id/usb-gps")
    }

    @Test func `the remedy for a configured path that disappeared names the stable path`() throws {
        var machine = PretendedMachine()
        machine.files = [:]
        machine.candidates = ["/dev/serial/by-id/usb-gps"]
        let (name, finding) = try DoctorSession.first(
            .of(telling: [DoctorSession.greeted, DoctorSession.device(.unopenable)]), machine)
        #expect(name == .devices)
        #expect(finding.code == .noInput)
        #expect(finding.remedy.first?.contains("/dev/serial/by-id/usb-gps") == true)
    }

    @Test(arguments: [("[::1]:30831", "'[::1]'"), ("pi.local:30831", "pi.local")])
    func `the advice to try the usual port is a command that works`(word: String, advised: String) throws {
        let source = try SourceWord(word) { _ in false }
        let answer = LocationError.notGPSD(host: source.endpoint?.host ?? "", port: "30831", answer: "SSH-2.0")
        let (name, finding) = try DoctorSession.first(.of(source, failure: answer))
        #expect(name == .greeting)
        #expect(finding.remedy == ["try the usual port of gpsd: locwatch doctor \(advised)"])
    }

    @Test func `a gpsd that has not listed its receivers is not said to have none`() throws {
        let (name, finding) = try DoctorSession.first(.of(telling: [DoctorSession.greeted]))
        #expect(name == .devices && finding.code == .unavailable)
        #expect(finding.found.hasPrefix("gpsd did not list its receivers within"), "\(finding)")
        #expect(finding.remedy == ["wait longer: locwatch doctor -t 30s"])
    }

    @Test func `a listed path that is not on this machine can belong to the machine of a forwarded gpsd`() throws {
        var machine = PretendedMachine()
        machine.files = [:]
        let source = try SourceWord("localhost:21801") { _ in false }
        let (name, finding) = try DoctorSession.first(
            .of(source, telling: [DoctorSession.greeted, DoctorSession.device(.idle)]), machine)
        #expect(name == .devices && finding.code == .noInput)
        #expect(finding.found == "/dev/ttyACM0 does not exist on this machine")
        #expect(finding.why?.contains("the gpsd at localhost:21801 is that of another machine or a container") == true)
        #expect(finding.remedy.last == "on the machine or in the container of that gpsd: locwatch doctor")
    }

    @Test func `the finding for a device that gpsd cannot open has its owner and the group to join`() throws {
        var machine = PretendedMachine()
        machine.daemon?.groups = ["nogroup"]
        let (name, finding) = try DoctorSession.first(
            .of(telling: [DoctorSession.greeted, DoctorSession.device(.unopenable)]), machine)
        #expect(name == .devices)
        #expect(finding.code == .denied)
        #expect(finding.found.contains("root:dialout, mode 660"))
        #expect(finding.remedy.first == "sudo usermod -aG dialout gpsd")
    }

    @Test(arguments: [
        ("ModemManager", "sudo systemctl disable --now ModemManager"), ("agetty", "serial-getty@ttyACM0.service"),
        ("brltty", "brltty"), ("gpsd", "locwatch doctor localhost"), ("minicom", "sudo kill 812"),
    ])
    func `the finding for a device in use names the program and how to stop it`(program: String, step: String) throws {
        var machine = PretendedMachine()
        machine.holders[DoctorSession.path] = [DeviceHolder(processID: 812, name: program)]
        for observation in [
            Observation.of(telling: [DoctorSession.greeted, DoctorSession.device(.unopenable)]),
            .of(.serial(path: DoctorSession.path, speed: nil)),
        ] {
            let (name, finding) = try DoctorSession.first(observation, machine)
            #expect(name == .devices)
            #expect(finding.found == "/dev/ttyACM0 is held by \(program) (process 812)")
            #expect(finding.remedy.first?.contains(step) == true, "\(finding)")
        }
    }

    @Test func `a silent device that a second gpsd reads is not said to have no power`() throws {
        var machine = PretendedMachine()
        let observation = Observation.of(telling: [DoctorSession.greeted, DoctorSession.device(.silent)])
        // The gpsd that is asked has the device open.
        machine.holders[DoctorSession.path] = [DeviceHolder(processID: 812, name: "gpsd")]
        #expect(try DoctorSession.first(observation, machine).finding.why?.contains("no power") == true)
        machine.holders[DoctorSession.path]?.append(DeviceHolder(processID: 934, name: "gpsd"))
        let (name, finding) = try DoctorSession.first(observation, machine)
        #expect(name == .bytes)
        #expect(finding.found == "/dev/ttyACM0 is read by gpsd (process 812) and gpsd (process 934) at once")
        #expect(finding.why?.contains("another gpsd reads it") == true)
        #expect(finding.remedy.first == "see what they are: ps -o pid,user,args -p 812,934")
        machine.holders[DoctorSession.path] = [
            DeviceHolder(processID: 700, name: "minicom"), DeviceHolder(processID: 812, name: "gpsd"),
        ]
        #expect(
            try DoctorSession.first(observation, machine).finding.found
                == "/dev/ttyACM0 is held by minicom (process 700)")
    }

    @Test func `the remedy for a path that AppArmor blocks names the resolved path`() throws {
        var machine = PretendedMachine()
        machine.links[DoctorSession.path] = "/dev/pts/3"
        machine.texts["/sys/module/apparmor/parameters/enabled"] = "Y\n"
        machine.texts[AppArmorProfile.path] = "/usr/sbin/gpsd {\n  /dev/ttyACM[0-9]* rw,\n}\n"
        let observation = Observation.of(telling: [DoctorSession.greeted, DoctorSession.device(.unopenable)])
        let (name, finding) = try DoctorSession.first(observation, machine)
        #expect(name == .devices)
        #expect(finding.remedy.first?.contains("/dev/pts/3 rw,") == true)
        machine.texts[AppArmorProfile.localPath] = "/dev/pts/* rw,\n"
        #expect(try DoctorSession.first(observation, machine).finding.found == "gpsd cannot open /dev/ttyACM0")
    }

    @Test func `the remedy for a missing group is to join it, or to log in again after joining`() throws {
        var machine = PretendedMachine()
        machine.user.groups = ["ada"]
        let observation = Observation.of(.serial(path: DoctorSession.path, speed: nil))
        let (name, finding) = try DoctorSession.first(observation, machine)
        #expect(name == .user)
        #expect(finding.code == .denied)
        #expect(finding.remedy.first == "sudo usermod -aG dialout ada")
        machine.user.futureGroups = ["dialout"]
        #expect(
            try DoctorSession.first(observation, machine).finding.why
                == "the membership of dialout takes effect at the next login")
    }

    @Test func `a remedy never opens a device to all users`() throws {
        var machine = PretendedMachine()
        machine.files[DoctorSession.path] = FileAccess(owner: "root", ownerID: 0, group: "root", mode: 0o600)
        let (_, finding) = try DoctorSession.first(.of(.serial(path: DoctorSession.path, speed: nil)), machine)
        let steps = finding.remedy.joined(separator: "\n")
        #expect(finding.code == .denied && !steps.contains("666"), "\(steps)")
        #expect(steps.contains("chgrp dialout /dev/ttyACM0") && steps.contains("KERNEL==\"ttyACM0\""), "\(steps)")
    }

    @Test(
        arguments: [
            (DeviceStatus.Activity.silent, ExitCode.noFix, "sends no readable data"),
            (.babbling, .noFix, "sends unrecognized data"), (.gone, .noInput, "is gone"),
        ])
    func `the bytes check distinguishes silence, a wrong speed and a lost device`(
        activity: DeviceStatus.Activity, code: ExitCode, words: String
    ) throws {
        var machine = PretendedMachine()
        if activity == .gone { machine.files = [:] }
        let serial = Observation.of(
            .serial(path: DoctorSession.path, speed: nil),
            telling: [DoctorSession.greeted, DoctorSession.device(activity)])
        let found = BytesCheck.examine(serial, machine)
        #expect(found.result == .fault)
        #expect(found.code == code)
        #expect(found.found.contains(words), "\(found)")
    }

    @Test(arguments: [
        (DeviceStatus.Activity.silent, "no datagrams with a receiver's data come to port 3111 of this machine"),
        (.babbling, "it is not the data of a receiver"),
    ])
    func `the advice about datagrams that gpsd reads speaks of no serial line`(
        activity: DeviceStatus.Activity, why: String
    ) throws {
        let device = DeviceStatus(path: "udp://127.0.0.1:3111", activity: activity)
        let observation = Observation.of(.standard, telling: [DoctorSession.greeted, .device(device)])
        let finding = BytesCheck.examine(observation, PretendedMachine())
        #expect(finding.why?.contains(why) == true, "\(finding)")
        #expect(finding.remedy == ["look at the datagrams: sudo tcpdump -n -A -c 5 udp port 3111"])
    }

    @Test func `a gpsd that was ready shortly before the end says nothing about its receiver`() throws {
        let source = SourceWord.serial(path: DoctorSession.path, speed: nil)
        var observation = Observation.of(source, telling: [DoctorSession.greeted])
        observation.passTime(to: ScriptedSession.moment(1.6))
        let (name, finding) = try DoctorSession.first(observation)
        #expect(name == .bytes && finding.code == .noFix)
        #expect(finding.found == "no report from the receiver in 0.6 s")
        #expect(finding.remedy == ["wait longer: locwatch doctor -t 15s serial:/dev/ttyACM0"])
        // A device that is gone is gone at once, and silence counts after a while.
        var machine = PretendedMachine()
        machine.files = [:]
        var gone = Observation.of(source, telling: [DoctorSession.greeted, DoctorSession.device(.idle)])
        #expect(BytesCheck.examine(gone, machine).found.contains("is gone"))
        gone.passTime(to: ScriptedSession.moment(9))
        #expect(BytesCheck.examine(gone, PretendedMachine()).found.contains("sends no readable data"))
        // Nothing is known of the receiver if gpsd was not ready at all.
        var early = Observation.of(source)
        early.passTime(to: ScriptedSession.moment(0.3))
        let late = try DoctorSession.first(early)
        #expect(late.name == .daemon)
        #expect(late.finding.remedy.first == "wait longer: locwatch doctor -t 15s serial:/dev/ttyACM0")
    }

    @Test(arguments: [true, false])
    func `a private gpsd that other users can reach gives a remark`(takesSockets: Bool) throws {
        var machine = PretendedMachine()
        machine.gpsd?.takesSockets = takesSockets
        let observation = Observation.of(
            .serial(path: DoctorSession.path, speed: nil), telling: [.searching(.connected(release: "3.22"))])
        let finding = try #require(observation.findings(machine).first { $0.name == .daemon }?.finding)
        #expect(finding.result == (takesSockets ? .ok : .remark))
        #expect(finding.found.contains("other users") == !takesSockets)
    }

    @Test func `what the kernel of Debian 12 cannot confine gives no remark, because no action clears it`() {
        var machine = PretendedMachine()
        machine.confinement = [.files, .calls]
        let finding = SafetyCheck.examine(.of(), machine)
        let missing = "device commands (Linux 6.10), TCP ports (Linux 6.7), signals (Linux 6.12)"
        #expect(
            finding
                == .ok(
                    "decoders and private daemons are confined: files, system calls; this kernel cannot confine \(missing)"
                ))
        machine.confinement = .all
        let all = "decoders and private daemons are confined: files, device commands, TCP ports, signals, system calls"
        #expect(SafetyCheck.examine(.of(), machine) == .ok(all))
        let findings = DoctorSession.healthy().findings(machine)
        #expect(Diagnosis(findings).verdict.hasPrefix("all is well"))
    }

    @Test func `a kernel that confines nothing gives a remark`() {
        var machine = PretendedMachine()
        machine.confinement = []
        let finding = SafetyCheck.examine(.of(), machine)
        #expect(finding.result == .remark)
        #expect(finding.found == "decoders and private daemons run with all of your rights")
        #expect(finding.why?.hasPrefix("this kernel cannot confine files") == true, "\(finding)")
    }

    @Test func `no check waits once the session is over`() {
        for source in [
            SourceWord.standard, .serial(path: DoctorSession.path, speed: nil),
            SourceWord(.simulated(SimulatedSource(name: "walk"))),
            .serial(path: DoctorSession.path, corrections: "./rtcm"),
        ] {
            for check in Check.all(for: source) {
                #expect(check.examine(Observation.of(source), PretendedMachine()) != .wait, "\(check.name)")
            }
        }
    }
}
