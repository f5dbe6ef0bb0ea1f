import LocationCore
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchPlatform
@testable import LocwatchSession

/// The checks of what comes over a serial line: nothing, bytes at another speed, too many bytes, or those of a console.
@Suite struct LineChecksTests {
    private static let path = "/dev/ttyUSB0"
    private static let sentence = Array("$GPGLL,4916.45,N,12311.12,W,225444,A*31\r\n".utf8)
    private static let message: [UInt8] = [0xB5, 0x62, 0x05, 0x01, 0x02, 0x00, 0x06, 0x01, 0x0F, 0x38]

    /// Returns the finding about a line of which gpsd 3.22 says that it is silent, given what it sends at each speed.
    private func finding(_ lines: [Int: [UInt8]]?, at speed: Int? = nil) -> Finding {
        let source = SourceWord.of("serial:\(Self.path)" + (speed.map { "?speed=\($0)" } ?? ""))
        let device = DeviceStatus(path: Self.path, activity: .silent)
        var observation = Observation.of(source, isOver: false, telling: [DoctorSession.greeted, .device(device)])
        observation.mayListen = true
        let machine = with(PretendedMachine()) {
            $0.files[Self.path] = .line
            $0.lines[Self.path] = lines
        }
        // gpsd has the line open.
        #expect(BytesCheck.examine(observation, machine) == .wait)
        #expect(BytesCheck.needsLine(observation))
        observation.isOver = true
        return BytesCheck.examine(observation, machine)
    }

    @Test
    func `a line at a wrong speed is read at others until packets come, and the speed that failed is not advised`() {
        let garbage: [UInt8] = [0x80, 0xFE, 0x24]
        let found = finding([9600: garbage, 115_200: garbage, 38_400: garbage + Self.sentence], at: 9600)
        #expect(found.found == "/dev/ttyUSB0 sends NMEA at 38400 bit/s, and not at 9600")
        #expect(found.why == "the line speed is wrong")
        #expect(found.remedy.first == "use that speed: locwatch 'serial:/dev/ttyUSB0?speed=38400'")
        let binary = finding([0: garbage, 9600: garbage, 115_200: [0xB5] + Self.message])
        #expect(binary.found == "/dev/ttyUSB0 sends UBX at 115200 bit/s")
    }

    @Test func `a line that is silent and one that sends garbage have different verdicts`() {
        let silent = finding([:], at: 9600)
        #expect(
            silent.found == "/dev/ttyUSB0 is open, but sends nothing" && silent.why?.contains("no byte arrives") == true
        )
        #expect(!silent.remedy.joined().contains("speed"))
        let noise = finding([9600: [1, 2, 3]], at: 9600)
        #expect(noise.found == "/dev/ttyUSB0 sends bytes that no protocol explains")
        #expect(noise.why?.contains("no packet at 9600, 115200, 38400, 4800,") == true, "\(noise)")
    }

    @Test func `a line that cannot be read directly has advice to try a speed that has not failed`() throws {
        let step = try #require(finding(nil, at: 9600).remedy.first { $0.contains("speed=") })
        #expect(
            step
                == "try a speed such as 115200, 38400, 4800 or 57600: locwatch doctor 'serial:/dev/ttyUSB0?speed=115200'"
        )
        let device = with(DeviceStatus(path: Self.path, activity: .babbling)) { $0.speed = 4800 }
        let garbage = BytesCheck.examine(
            .of(telling: [DoctorSession.greeted, .device(device)]),
            with(PretendedMachine()) { $0.files[Self.path] = .line })
        #expect(garbage.why?.contains("bytes arrive that no protocol explains") == true)
        #expect(garbage.remedy.contains { $0.contains("9600, 115200, 38400 or 57600") })
    }

    @Test(
        arguments: [
            (LineChecksTests.sentence, "NMEA"), (LineChecksTests.message, "UBX"),
            (Array("$GPGLL,4916.45,N,12311.12,W,225444,A*32\r\n".utf8), nil), (Array("$GPGLL,4916.45,N*".utf8), nil),
            (Array("$GPGLL,4916.45,N*3".utf8), nil), (Array(message.dropLast()), nil), ([0xB5], nil), ([], nil),
            ([0xB5, 0x62, 5, 1, 0xFF, 0xFF, 0, 0], nil),
        ] as [([UInt8], String?)])
    func `packets are known by their checksums`(bytes: [UInt8], name: String?) {
        #expect(ReceiverPackets.name(in: [0x80, 0x24, 0xB5] + bytes) == name)
    }

    // MARK: Two receivers

    private func second(_ activity: DeviceStatus.Activity, isOver: Bool = true) -> Finding {
        let other = DeviceStatus(path: Self.path, activity: activity)
        var observation = DoctorSession.reporting([.device(other)])
        observation.isOver = isOver
        return BytesCheck.examine(observation, PretendedMachine())
    }

    @Test func `one receiver of two that is silent is not all well`() {
        let finding = second(.silent, isOver: false)
        #expect(finding.result == .remark)
        #expect(finding.found.hasSuffix("but /dev/ttyUSB0 sends no readable data"), "\(finding)")
        #expect(finding.remedy == ["examine it: locwatch doctor --device /dev/ttyUSB0"])
        #expect(second(.unopenable).found.hasSuffix("but /dev/ttyUSB0 cannot be opened"))
        #expect(second(.idle, isOver: false) == .wait)
        #expect(second(.idle).result == .ok && second(.reporting, isOver: false).result == .ok)
    }

    // MARK: A full line

    /// Returns the finding about a line with a number of bytes a second.
    private func full(_ rate: Int, _ path: String = Self.path, of source: SourceWord = .standard) -> Finding {
        let device = with(DeviceStatus(path: path, activity: .reporting)) { $0.speed = 9600 }
        var observation = Observation.of(source, isOver: false, telling: [DoctorSession.greeted, .device(device)])
        observation.process(
            LocationUpdate(.receiver(ReceiverReport(device: path)), at: observation.now), observation.view)
        observation.mayListen = true
        let machine = with(PretendedMachine()) {
            $0.traffic[path] = rate
            $0.lines[path] = [9600: [UInt8](repeating: 0x24, count: rate * 3)]
        }
        let early = LineCheck.examine(observation, machine)
        observation.isOver = true
        let finding = LineCheck.examine(observation, machine)
        #expect(early == (path == Self.path ? .wait : .moot))
        return finding
    }

    @Test func `a line that carries no more bytes than it has is full`() {
        for source in [SourceWord.standard, .of("serial:\(Self.path)")] {
            let finding = full(955, of: source)
            #expect(finding.result == .remark)
            #expect(
                finding.found == "the line of /dev/ttyUSB0 is full: 955 of 960 bytes a second at 9600 bit/s")
            #expect(finding.remedy.first == "raise its speed: gpsctl -s 38400 /dev/ttyUSB0")
            #expect(full(700, of: source) == .moot)
        }
        #expect(full(955, "/dev/ttyACM0") == .moot, "a USB device has no speed of its own")
    }

    // MARK: Consoles

    private func console(_ path: String, _ change: (inout PretendedMachine) -> Void) -> Finding {
        let machine = with(PretendedMachine()) {
            $0.files["/dev/serial0"] = .line
            $0.links["/dev/serial0"] = "/dev/ttyS0"
            change(&$0)
        }
        return ConsoleCheck.examine(.of(.of("serial:\(path)")), machine)
    }

    @Test func `a console of the kernel on the line of a receiver has the word to remove and its file`() {
        let pi = console("/dev/ttyS0") {
            $0.texts["/proc/cmdline"] = "console=ttyS0,115200 console=tty1 root=PARTUUID=1 rootwait\n"
            $0.texts["/boot/firmware/cmdline.txt"] = "console=serial0,115200 console=tty1 rootwait\n"
        }
        #expect(pi.result == .remark && pi.found == "the kernel's console is on /dev/ttyS0")
        #expect(
            pi.remedy == [
                "remove console=serial0,115200 from /boot/firmware/cmdline.txt, and restart the machine",
                "use /dev/serial0, the name of this line on every Raspberry Pi: locwatch /dev/serial0",
            ])
        let other = console("/dev/ttyS1") { $0.texts["/proc/cmdline"] = "console=ttyS1 quiet" }
        #expect(
            other.remedy == [
                "remove console=ttyS1 from /etc/default/grub, then: sudo update-grub, and restart the machine"
            ])
        #expect(console("/dev/ttyS1") { $0.texts["/proc/cmdline"] = "console=ttyS0 quiet" } == .moot)
    }

    @Test func `a login prompt that systemd runs on the line is a fault`() {
        let finding = console("/dev/serial0") { $0.units["serial-getty@ttyS0.service"] = UnitState(active: "active") }
        #expect(finding.result == .fault && finding.found == "a login prompt runs on /dev/serial0")
        #expect(finding.remedy == ["sudo systemctl disable --now serial-getty@ttyS0.service"])
    }

    @Test func `a silent line that is not that of the pins of a Raspberry Pi has the name of that`() {
        let machine = with(PretendedMachine()) {
            $0.files["/dev/serial0"] = .line
            $0.links["/dev/serial0"] = "/dev/ttyS0"
        }
        #expect(
            ConsoleCheck.pins(insteadOf: "/dev/ttyAMA0", machine)?.hasSuffix("locwatch doctor /dev/serial0") == true)
        #expect(ConsoleCheck.pins(insteadOf: "/dev/ttyS0", machine) == nil)
    }
}
