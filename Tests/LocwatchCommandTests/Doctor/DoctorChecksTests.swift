import GPSDReports
import LocationCore
import LocationGPSD
import LocwatchPlatform
import Testing

@testable import LocwatchArguments
@testable import LocwatchDoctor
@testable import LocwatchSession
@testable import LocwatchTerminal

/// Tests of faults that cannot be produced for real, with a simulated machine and session.
struct DoctorChecksTests {
    private static let refused = LocationError.unreachable(host: "localhost", port: "2947", cause: "Connection refused")
    private static let greeted = LocationEvent.searching(.connected(release: "3.22"))
    private static let path = "/dev/ttyACM0"

    private static func device(_ activity: DeviceStatus.Activity) -> LocationEvent {
        .device(DeviceStatus(path: path, activity: activity))
    }

    private static func positions(_ change: (Int, inout Location) -> Void = { _, _ in }) -> [LocationEvent] {
        (0..<5).map { index in
            // The first position is the fourth event.
            var location = ScriptedSession.location(Double(index + 4) - 0.2)
            location.speed = 0
            change(index, &location)
            return .location(location)
        }
    }

    private static func healthy(_ change: (Int, inout Location) -> Void = { _, _ in }) -> Observation {
        let sky = SkyView(
            satellites: (0..<8).map { Satellite(signal: 38 + Double($0), isUsed: true) }, device: path)
        var observation = Observation.of(telling: [greeted, device(.reporting), .satellites(sky)] + positions(change))
        observation.hear(path)
        return observation
    }

    /// Returns the name and the finding of the first check that is not ok; fails if all are ok.
    private func first(
        _ observation: Observation, _ machine: PretendedMachine = PretendedMachine()
    ) throws -> (name: CheckName, finding: Finding) {
        try #require(observation.findings(machine).first { $0.finding.result != .ok })
    }

    @Test func `a healthy system has no warnings`() {
        let findings = Self.healthy().findings(PretendedMachine())
        #expect(findings.map(\.name) == [.programs, .daemon, .greeting, .devices, .bytes, .sky, .fix, .clock, .safety])
        // The release of gpsd has public bugs, like every one so far.
        let others = findings.filter { $0.name != .safety }
        #expect(others.allSatisfy { $0.finding.result == .ok }, "\(findings)")
        let diagnosis = Diagnosis(others)
        #expect(diagnosis.code == .done)
        #expect(diagnosis.verdict == "all is well: 3D fix, accurate to 5.4 m")
    }

    @Test func `the satellites are those of the report with most of them`() throws {
        let parts = [(12, 8), (38, 29), (12, 8)].map { seen, used in
            var sky = SkyView(satellites: nil, device: Self.path)
            (sky.seen, sky.used) = (seen, used)
            return LocationEvent.satellites(sky)
        }
        let positions = [1.0, 2.0].map { LocationEvent.location(ScriptedSession.location($0)) }
        let findings = Observation.of(telling: [Self.greeted, Self.device(.reporting)] + positions + parts)
            .findings(PretendedMachine())
        let finding = try #require(findings.first { $0.name == .sky }).finding
        #expect(finding.found == "38 satellites seen, 29 used")
    }

    @Test func `a position that is not to be believed is a fault`() throws {
        let positions = (0..<15).map { index in
            var location = ScriptedSession.location(Double(index + 3) - 0.2)
            location.speed = 0
            if index > 12 { location.coordinate = Coordinate(latitude: 46, longitude: 8) }
            return LocationEvent.location(location)
        }
        var observation = Observation.of(telling: [Self.greeted, Self.device(.reporting)] + positions)
        observation.hear(Self.path)
        let findings = observation.findings(PretendedMachine())
        let finding = try #require(findings.first { $0.name == .fix }).finding
        #expect(finding.result == .fault && finding.found.contains(", but alarm: jump: moved "))
        #expect(finding.remedy.first == "see INTEGRITY in the manual: man locwatch")
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
        let (name, finding) = try first(.of(failure: Self.refused), machine)
        #expect(name == .daemon)
        #expect(finding.code == .unavailable)
        #expect(finding.remedy.first?.contains(step) == true, "\(finding)")
    }

    @Test func `without systemd and a running gpsd the remedy starts one for the connected receiver`() throws {
        var machine = PretendedMachine()
        machine.daemon = nil
        machine.candidates = ["/dev/serial/by-id/usb-gps"]
        let (name, finding) = try first(.of(failure: Self.refused), machine)
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
        let (name, finding) = try first(.of(failure: Self.refused), machine)
        #expect(name == .daemon)
        #expect(finding.why == "gpsd.socket cannot listen at [::1], because IPv6 is disabled here")
        #expect(finding.remedy.first?.contains("ListenStream=127.0.0.1:2947") == true, "\(finding)")
    }

    @Test func `the check of the programs claims nothing about a host that was not reached`() throws {
        let remote = SourceWord.gpsd(GPSDEndpoint(host: "nosuch.invalid"))
        var machine = PretendedMachine()
        machine.gpsd = nil
        let unknown = Observation.of(
            remote, failure: .unresolvable(host: "nosuch.invalid", port: "2947", cause: "there is no such host"))
        #expect(unknown.findings(machine).first?.finding.found == "libgps 3.22; gpsd is needed on nosuch.invalid only")
        let other = Observation.of(failure: .notGPSD(host: "localhost", port: "2947", answer: "SSH-2.0"))
        #expect(other.findings(machine).first?.finding.found == "libgps 3.22; gpsd is not installed here")
        #expect(
            Self.healthy().findings(machine).first?.finding.found
                == "libgps 3.22; gpsd is not installed here, but one answers at localhost:2947")
    }

    @Test func `without an answer and an installed gpsd the remedy installs one`() throws {
        var machine = PretendedMachine()
        machine.gpsd = nil
        let (name, finding) = try first(.of(failure: Self.refused), machine)
        #expect(name == .programs)
        #expect(finding.remedy == ["sudo apt install gpsd"])
        #expect(finding.code == .unavailable)
    }

    @Test func `a gpsd that answers does not have to be installed`() throws {
        var machine = PretendedMachine()
        machine.gpsd = nil
        let findings = Self.healthy().findings(machine)
        #expect(findings.first?.name == .programs)
        #expect(findings.allSatisfy { $0.finding.result == .ok })
    }

    @Test func `different releases of libgps and gpsd give a remark`() throws {
        var machine = PretendedMachine()
        machine.libgps = "3.25"
        let (name, finding) = try first(Self.healthy(), machine)
        #expect(name == .programs)
        #expect(finding.result == .remark)
    }

    @Test func `a built-in libgps can have any release`() throws {
        var machine = PretendedMachine()
        machine.libgps = "3.25"
        machine.libgpsIsBuiltIn = true
        #expect(Self.healthy().findings(machine).allSatisfy { $0.finding.result == .ok || $0.name == .safety })
    }

    @Test func `an old gpsd that still runs after an upgrade gives a remark to restart it`() throws {
        var machine = PretendedMachine()
        machine.gpsd?.release = "3.25"
        machine.libgps = "3.25"
        let (name, finding) = try first(Self.healthy(), machine)
        #expect(name == .greeting)
        #expect(finding.remedy == ["sudo systemctl restart gpsd.service"])
    }

    @Test func `the remedy for a remote gpsd that refuses configures both gpsd and its socket`() throws {
        let source = SourceWord.gpsd(GPSDEndpoint(host: "pi.local"))
        let error = LocationError.unreachable(host: "pi.local", port: "2947", cause: "Connection refused")
        let (name, finding) = try first(.of(source, failure: error))
        #expect(name == .daemon)
        #expect(finding.remedy.contains { $0.contains("GPSD_OPTIONS=\"-G\"") })
        #expect(finding.remedy.contains { $0.contains("ListenStream=0.0.0.0:2947") })
    }

    @Test func `a remote machine that does not answer is off or has a firewall`() throws {
        let source = SourceWord.gpsd(GPSDEndpoint(host: "pi.local"))
        let error = LocationError.unreachable(host: "pi.local", port: "2947", cause: "Connection timed out")
        let (name, finding) = try first(.of(source, failure: error))
        #expect(name == .daemon)
        #expect(finding.why?.contains("firewall") == true)
    }

    @Test func `a socket whose gpsd does not start is a fault of the service`() throws {
        var machine = PretendedMachine()
        machine.units = ["gpsd.socket": UnitState(active: "active"), "gpsd.service": UnitState(active: "failed")]
        let error = LocationError.connectionLost(
            host: "localhost", port: "2947", cause: "the daemon closed the connection before it had greeted")
        let (name, finding) = try first(.of(failure: error), machine)
        #expect(name == .greeting)
        #expect(finding.code == .unavailable)
        #expect(finding.remedy.first?.contains("journalctl -u gpsd.service") == true)
    }

    @Test func `the remedy without a configured receiver names the one that is plugged in`() throws {
        var machine = PretendedMachine()
        machine.candidates = ["/dev/serial/by-id/usb-gps", "/dev/ttyUSB0"]
        let (name, finding) = try first(.of(telling: [Self.greeted, .searching(.noDevice)]), machine)
        #expect(name == .devices)
        #expect(finding.remedy.first == "until gpsd is restarted: sudo gpsdctl add /dev/serial/by-id/usb-gps")
    }

    @Test func `the remedy for a configured path that disappeared names the stable path`() throws {
        var machine = PretendedMachine()
        machine.files = [:]
        machine.candidates = ["/dev/serial/by-id/usb-gps"]
        let (name, finding) = try first(.of(telling: [Self.greeted, Self.device(.unopenable)]), machine)
        #expect(name == .devices)
        #expect(finding.code == .noInput)
        #expect(finding.remedy.first?.contains("/dev/serial/by-id/usb-gps") == true)
    }

    @Test(arguments: [("[::1]:30831", "'[::1]'"), ("pi.local:30831", "pi.local")])
    func `the advice to try the usual port is a command that works`(word: String, advised: String) throws {
        let source = try SourceWord(word) { _ in false }
        let answer = LocationError.notGPSD(host: source.endpoint?.host ?? "", port: "30831", answer: "SSH-2.0")
        let (name, finding) = try first(.of(source, failure: answer))
        #expect(name == .greeting)
        #expect(finding.remedy == ["try the usual port of gpsd: locwatch doctor \(advised)"])
    }

    @Test func `a gpsd that has not listed its receivers is not said to have none`() throws {
        let (name, finding) = try first(.of(telling: [Self.greeted]))
        #expect(name == .devices && finding.code == .unavailable)
        #expect(finding.found.hasPrefix("gpsd did not list its receivers within"), "\(finding)")
        #expect(finding.remedy == ["wait longer: locwatch doctor -t 30s"])
    }

    @Test func `a listed path that is not on this machine can belong to the machine of a forwarded gpsd`() throws {
        var machine = PretendedMachine()
        machine.files = [:]
        let source = try SourceWord("localhost:21801") { _ in false }
        let (name, finding) = try first(.of(source, telling: [Self.greeted, Self.device(.idle)]), machine)
        #expect(name == .devices && finding.code == .noInput)
        #expect(finding.found == "/dev/ttyACM0 does not exist on this machine")
        #expect(finding.why?.contains("the gpsd at localhost:21801 is that of another machine or a container") == true)
        #expect(finding.remedy.last == "on the machine or in the container of that gpsd: locwatch doctor")
    }

    @Test func `the finding for a device that gpsd cannot open has its owner and the group to join`() throws {
        var machine = PretendedMachine()
        machine.daemon?.groups = ["nogroup"]
        let (name, finding) = try first(.of(telling: [Self.greeted, Self.device(.unopenable)]), machine)
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
        machine.holders[Self.path] = [DeviceHolder(processID: 812, name: program)]
        for observation in [
            Observation.of(telling: [Self.greeted, Self.device(.unopenable)]),
            .of(.serial(path: Self.path, speed: nil)),
        ] {
            let (name, finding) = try first(observation, machine)
            #expect(name == .devices)
            #expect(finding.found == "/dev/ttyACM0 is held by \(program) (process 812)")
            #expect(finding.remedy.first?.contains(step) == true, "\(finding)")
        }
    }

    @Test func `a silent device that a second gpsd reads is not said to have no power`() throws {
        var machine = PretendedMachine()
        let observation = Observation.of(telling: [Self.greeted, Self.device(.silent)])
        // The gpsd that is asked has the device open.
        machine.holders[Self.path] = [DeviceHolder(processID: 812, name: "gpsd")]
        #expect(try first(observation, machine).finding.why?.contains("no power") == true)
        machine.holders[Self.path]?.append(DeviceHolder(processID: 934, name: "gpsd"))
        let (name, finding) = try first(observation, machine)
        #expect(name == .bytes)
        #expect(finding.found == "/dev/ttyACM0 is read by gpsd (process 812) and gpsd (process 934) at once")
        #expect(finding.why?.contains("another gpsd reads it") == true)
        #expect(finding.remedy.first == "see what they are: ps -o pid,user,args -p 812,934")
        machine.holders[Self.path] = [
            DeviceHolder(processID: 700, name: "minicom"), DeviceHolder(processID: 812, name: "gpsd"),
        ]
        #expect(try first(observation, machine).finding.found == "/dev/ttyACM0 is held by minicom (process 700)")
    }

    @Test func `the remedy for a path that AppArmor blocks names the resolved path`() throws {
        var machine = PretendedMachine()
        machine.links[Self.path] = "/dev/pts/3"
        machine.texts["/sys/module/apparmor/parameters/enabled"] = "Y\n"
        machine.texts[AppArmorProfile.path] = "/usr/sbin/gpsd {\n  /dev/ttyACM[0-9]* rw,\n}\n"
        let observation = Observation.of(telling: [Self.greeted, Self.device(.unopenable)])
        let (name, finding) = try first(observation, machine)
        #expect(name == .devices)
        #expect(finding.remedy.first?.contains("/dev/pts/3 rw,") == true)
        machine.texts[AppArmorProfile.localPath] = "/dev/pts/* rw,\n"
        #expect(try first(observation, machine).finding.found == "gpsd cannot open /dev/ttyACM0")
    }

    @Test func `the remedy for a missing group is to join it, or to log in again after joining`() throws {
        var machine = PretendedMachine()
        machine.user.groups = ["ada"]
        let observation = Observation.of(.serial(path: Self.path, speed: nil))
        let (name, finding) = try first(observation, machine)
        #expect(name == .user)
        #expect(finding.code == .denied)
        #expect(finding.remedy.first == "sudo usermod -aG dialout ada")
        machine.user.futureGroups = ["dialout"]
        #expect(
            try first(observation, machine).finding.why == "the membership of dialout takes effect at the next login")
    }

    @Test func `a remedy never opens a device to all users`() throws {
        var machine = PretendedMachine()
        machine.files[Self.path] = FileAccess(owner: "root", ownerID: 0, group: "root", mode: 0o600)
        let (_, finding) = try first(.of(.serial(path: Self.path, speed: nil)), machine)
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
            .serial(path: Self.path, speed: nil), telling: [Self.greeted, Self.device(activity)])
        let finding = BytesCheck.examine(serial, machine)
        guard case .found(let found) = finding else {
            Issue.record("\(finding)")
            return
        }
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
        let observation = Observation.of(.standard, telling: [Self.greeted, .device(device)])
        guard case .found(let finding) = BytesCheck.examine(observation, PretendedMachine()) else {
            Issue.record("no finding")
            return
        }
        #expect(finding.why?.contains(why) == true, "\(finding)")
        #expect(finding.remedy == ["look at the datagrams: sudo tcpdump -n -A -c 5 udp port 3111"])
    }

    @Test func `a gpsd that was ready shortly before the end says nothing about its receiver`() throws {
        let source = SourceWord.serial(path: Self.path, speed: nil)
        var observation = Observation.of(source, telling: [Self.greeted])
        observation.passTime(to: ScriptedSession.moment(1.6))
        let (name, finding) = try first(observation)
        #expect(name == .bytes && finding.code == .noFix)
        #expect(finding.found == "no report from the receiver in 0.6 s")
        #expect(finding.remedy == ["wait longer: locwatch doctor -t 15s serial:/dev/ttyACM0"])
        // A device that is gone is gone at once, and silence counts after a while.
        var machine = PretendedMachine()
        machine.files = [:]
        var gone = Observation.of(source, telling: [Self.greeted, Self.device(.idle)])
        #expect(BytesCheck.examine(gone, machine).isFound("is gone"))
        gone.passTime(to: ScriptedSession.moment(9))
        #expect(BytesCheck.examine(gone, PretendedMachine()).isFound("sends no readable data"))
        // Nothing is known of the receiver if gpsd was not ready at all.
        var early = Observation.of(source)
        early.passTime(to: ScriptedSession.moment(0.3))
        let late = try first(early)
        #expect(late.name == .daemon)
        #expect(late.finding.remedy.first == "wait longer: locwatch doctor -t 15s serial:/dev/ttyACM0")
    }

    @Test(arguments: [true, false])
    func `a private gpsd that other users can reach gives a remark`(takesSockets: Bool) throws {
        var machine = PretendedMachine()
        machine.gpsd?.takesSockets = takesSockets
        let observation = Observation.of(
            .serial(path: Self.path, speed: nil), telling: [.searching(.connected(release: "3.22"))])
        let finding = try #require(observation.findings(machine).first { $0.name == .daemon }?.finding)
        #expect(finding.result == (takesSockets ? .ok : .remark))
        #expect(finding.found.contains("other users") == !takesSockets)
    }

    @Test(
        arguments: [
            ([], "no satellite seen", "no view of the sky"), ([nil, nil], "none is received", "no view of the sky"),
            ([12, 25, 33], "no fix in", "a roof, a wall"), ([35, 36, 37, 38, 20], "no fix in", "strong enough"),
        ] as [([Double?], String, String)])
    func `the sky check explains a missing fix`(signals: [Double?], found: String, why: String) throws {
        let sky = SkyView(satellites: signals.map { Satellite(signal: $0) }, device: Self.path)
        var observation = Observation.of(telling: [Self.greeted, Self.device(.reporting), .satellites(sky)])
        observation.hear(Self.path)
        let (name, finding) = try first(observation)
        #expect(name == .sky)
        #expect(finding.code == .noFix)
        #expect(finding.found.contains(found), "\(finding)")
        #expect(finding.why?.contains(why) == true, "\(finding)")
    }

    @Test(arguments: [(2, "not connected"), (3, "short circuit")])
    func `an antenna fault that the receiver reports is the cause`(status: Int, words: String) throws {
        let report = ReceiverReport(device: Self.path, antennaStatus: status)
        let observation = Observation.of(telling: [Self.greeted, Self.device(.reporting), .receiver(report)])
        let (name, finding) = try first(observation)
        #expect(name == .sky)
        #expect(finding.why?.contains(words) == true)
    }

    @Test func `a time that is stuck is a fault`() throws {
        let (name, finding) = try first(Self.healthy { $1.timestamp = ScriptedSession.time(3) })
        #expect(name == .fix)
        #expect(finding.result == .fault)
        #expect(finding.code == .noFix)
    }

    enum PoorFix: String, CaseIterable, Sendable {
        case flat = "without altitude"
        case jump = "jumped by"
        case drift = "drifted by"
        case coarse = "accurate to 80.0 m"

        func spoil(_ location: inout Location, _ index: Int) {
            let place = location.coordinate
            switch self {
            case .flat: location.fix = .twoD
            case .jump: if index == 3 { location.coordinate = Coordinate(latitude: 45.08, longitude: 7.68) }
            case .drift:
                location.coordinate = Coordinate(
                    latitude: place.latitude + Double(index) * 0.00008, longitude: place.longitude)
            case .coarse: location.horizontalAccuracy = 80
            }
        }
    }

    @Test(arguments: PoorFix.allCases)
    func `a poor fix gives a remark`(poor: PoorFix) throws {
        let (name, finding) = try first(Self.healthy { poor.spoil(&$1, $0) })
        #expect(name == .fix)
        #expect(finding.result == .remark)
        #expect(finding.found.contains(poor.rawValue), "\(finding)")
    }

    @Test(
        arguments: [
            (1024.0 * 7 * 86_400, "off by 1024 weeks: it says 2046-07-06 instead of 2026-11-20", "firmware"),
            (-2048.0 * 7 * 86_400, "off by 2048 weeks", "firmware"), (18, "18 s ahead", "leap seconds"),
            (3, "3 s ahead", "old table"), (-300, "5 min behind", "is synchronized"),
        ] as [(Double, String, String)])
    func `the clock check explains an offset between the clocks`(seconds: Double, found: String, why: String) throws {
        let observation = Self.healthy { $1.timestamp = $1.timestamp?.advanced(by: .seconds(seconds)) }
        let (name, finding) = try first(observation)
        #expect(name == .clock)
        #expect(finding.result == .remark)
        #expect(finding.found.contains(found), "\(finding)")
        #expect(finding.why?.contains(why) == true, "\(finding)")
    }

    @Test func `the remedy for a host clock that was never set is a time server`() throws {
        var observation = Observation(.standard, at: Moment(elapsed: .zero, wall: .init(nanosecondsSince1970: 0)))
        observation.process(
            LocationUpdate(
                .location(ScriptedSession.location(1)),
                at: Moment(elapsed: .seconds(1), wall: .init(nanosecondsSince1970: 1_000_000_000))), SessionView())
        guard case .found(let finding) = ClockCheck.examine(observation, PretendedMachine()) else {
            Issue.record("nothing found")
            return
        }
        #expect(finding.remedy.first == "sudo timedatectl set-ntp true")
    }

    @Test(arguments: [
        ("3.22", 2), ("3.25~dev", 2), ("3.27.1", 1), ("3.27.5", 1), ("3.27.6", 0), ("4.0", 0), ("new", 0),
    ])
    func `a release of gpsd with public bugs gives a remark with their sources`(release: String, count: Int) throws {
        #expect(GPSDAdvisory.all(for: release).count == count)
        var machine = PretendedMachine()
        machine.gpsd?.release = release
        let finding = try safety(machine)
        #expect(finding.result == (count == 0 ? .ok : .remark))
        #expect(finding.why?.contains("CVE-2025-67268") ?? false == (count == 2))
        #expect(finding.why?.contains("work item 397") ?? false == (count > 0))
        #expect(finding.found.hasSuffix("confined: files, device commands, TCP ports, signals, system calls"))
    }

    @Test func `what the kernel cannot confine gives a remark`() throws {
        var machine = PretendedMachine()
        machine.gpsd = nil
        machine.confinement = [.files, .calls]
        let finding = try safety(machine)
        #expect(finding.result == .remark)
        #expect(finding.found == "decoders and private daemons are confined: files, system calls")
        let missing = "device commands (Linux 6.10), TCP ports (Linux 6.7), signals (Linux 6.12)"
        #expect(finding.why == "this kernel cannot confine \(missing)")
        machine.confinement = []
        #expect(try safety(machine).found == "decoders and private daemons run with all of your rights")
        machine.confinement = .all
        #expect(try safety(machine).result == .ok)
    }

    private func safety(_ machine: PretendedMachine) throws -> Finding {
        guard case .found(let finding) = SafetyCheck.examine(.of(), machine) else {
            throw LocationError.cancelled
        }
        return finding
    }

    @Test func `without --corrections there is nothing to say about them`() {
        #expect(CorrectionsCheck.examine(Self.healthy(), PretendedMachine()) == .moot)
    }

    @Test(
        arguments: [
            (.unresolvable, .unavailable, "getent hosts caster.example"), (.password, .denied, "--password-file"),
            (.mountpoint, .noInput, "curl -s --http0.9 http://caster.example:2101/"),
            (.answer, .notGPSD, "check the URL"), (.content, .notGPSD, "RTCM 3"),
            (.silent, .unavailable, "wait for a fix"), (.unreachable, .unavailable, "nc -vz caster.example 2101"),
            (.closed, .unavailable, "nc -vz caster.example 2101"), (.pipe, .noInput, "mkfifo"),
        ] as [(CorrectionsStatus.Fault, ExitCode, String)])
    func `each fault of the corrections has its code and its remedy`(
        fault: CorrectionsStatus.Fault, code: ExitCode, step: String
    ) throws {
        let finding = try corrections(
            [.notice(.corrections(CorrectionsStatus(source: "ntrip://caster\u{7}", fault: fault, cause: "it is so")))])
        #expect(finding.result == .fault && finding.code == code && finding.why == "it is so")
        #expect(finding.remedy.joined(separator: " ").contains(step), "\(finding.remedy)")
        #expect(!finding.found.contains("\u{7}"))
    }

    @Test func `corrections that arrive are in use, or are not`() throws {
        let arriving = LocationEvent.notice(.corrections(CorrectionsStatus(source: "ntrip://caster")))
        let used = try corrections(
            [arriving]
                + Self.positions { _, location in
                    location.quality = .rtkFixed
                    location.details = LocationDetails()
                    location.details?.dgpsAge = 1.5
                    location.details?.dgpsStation = 77
                })
        #expect(
            used
                == .ok(
                    "corrections arrive from ntrip://caster; the receiver uses them: RTK fixed, 1.5 s old, station 77"))
        let unused = try corrections([arriving] + Self.positions())
        #expect(unused.result == .remark && unused.found.contains("but the receiver does not use them"))
        #expect(unused.remedy.first?.contains("--corrections ntrip://joe@caster.example:2101/M") == true)
        #expect(try corrections([]).result == .fault, "nothing is known of the caster")
    }

    private func corrections(_ events: [LocationEvent]) throws -> Finding {
        var observation = Observation.of(.serial(path: Self.path, speed: nil), telling: events)
        observation.corrections = CorrectionsSource(
            StreamAddress(.ntrip, host: "caster.example", user: "joe", mountpoint: "M"))
        guard case .found(let finding) = CorrectionsCheck.examine(observation, PretendedMachine()) else {
            throw LocationError.cancelled
        }
        return finding
    }

    @Test func `no check waits once the session is over`() {
        for source in [
            SourceWord.standard, .serial(path: Self.path, speed: nil), SourceWord(SimulatedSource(name: "walk")),
        ] {
            for name in CheckName.allCases {
                var observation = Observation.of(source)
                #expect(name.check.examine(observation, PretendedMachine()) != .wait, "\(name)")
                observation.corrections = CorrectionsSource(pipe: "./rtcm")
                #expect(name.check.examine(observation, PretendedMachine()) != .wait, "\(name)")
            }
        }
    }
}

extension Observation {
    /// Adds a report of the receiver.
    fileprivate mutating func hear(_ path: String) {
        process(LocationUpdate(.receiver(ReceiverReport(device: path)), at: now), view)
    }
}

extension CheckAnswer {
    fileprivate func isFound(_ words: String) -> Bool {
        if case .found(let finding) = self { finding.found.contains(words) } else { false }
    }
}
