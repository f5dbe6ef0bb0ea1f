import LocationCore
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession

@Suite(.serialized, .alone) struct TimeServiceCheckTests {
    private static let path = "/dev/ttyS0"
    private static let socket = "/run/chrony.ttyS0.sock"

    private func observation(
        _ source: SourceWord = .standard, driver: String = "u-blox", pulse: Int64? = nil, message: Int64? = nil
    ) -> Observation {
        var device = DeviceStatus(path: Self.path, activity: .reporting)
        device.driver = driver
        var events: [LocationEvent] = [.device(device)]
        for second in 0..<5 {
            if let pulse { events.append(.clock(ClockSession.sample(.pulse, second: second, offset: pulse))) }
            if let message { events.append(.clock(ClockSession.sample(.message, second: second, offset: message))) }
        }
        return .of(source, telling: events)
    }

    private func finding(_ observation: Observation, _ machine: PretendedMachine) throws -> Finding {
        let finding = TimeServiceCheck.examine(observation, machine)
        if finding == .moot || finding == .wait { throw Missing() }
        return finding
    }

    private struct Missing: Error {}

    @Test func `without a comparison and a socket the check does not apply`() {
        #expect(TimeServiceCheck.examine(observation(), PretendedMachine()) == .moot)
        var machine = PretendedMachine()
        machine.clockIsSynchronized = false
        #expect(TimeServiceCheck.examine(observation(), machine) == .moot)
    }

    @Test func `a synchronized clock with a pulse is ok`() throws {
        let finding = try finding(observation(pulse: 3_200_000, message: 146_000_000), PretendedMachine())
        #expect(finding.result == .ok)
        #expect(finding.found == "the system clock is 3.2 ms ahead, by the pulse of /dev/ttyS0")
    }

    @Test func `a clock that nothing disciplines gives a remark`() throws {
        var machine = PretendedMachine()
        machine.clockIsSynchronized = false
        let finding = try finding(observation(message: 146_000_000), machine)
        #expect(finding.result == .remark)
        #expect(finding.remedy.first?.contains("locwatch time") == true)
    }

    @Test func `a receiver at a pseudo terminal gives no time, whatever its path`() throws {
        var machine = PretendedMachine()
        machine.clockIsSynchronized = false
        machine.links = [Self.path: "/dev/pts/7"]
        #expect(try finding(observation(message: 146_000_000), machine).result == .ok)
    }

    @Test func `a MediaTek receiver that is half a second late gives a remark`() throws {
        let late = observation(driver: "MTK-3301", pulse: 0, message: 503_000_000)
        #expect(try finding(late, PretendedMachine()).found.contains("503 ms late"))
        #expect(try finding(observation(pulse: 0, message: 503_000_000), PretendedMachine()).result == .ok)
        let usual = observation(driver: "MTK-3301", pulse: 0, message: 143_000_000)
        #expect(try finding(usual, PretendedMachine()).result == .ok)
    }

    private func machine(chronyd: UInt64?, bound: Bool = true) -> PretendedMachine {
        var machine = PretendedMachine()
        machine.files[Self.socket] = FileAccess(owner: "root", ownerID: 0, group: "root", mode: 0o755, isDevice: false)
        machine.starts["gpsd"] = 500
        machine.starts["chronyd"] = chronyd
        machine.texts["/proc/net/unix"] = "Num RefCount\n" + (bound ? "0: 2 0 0 2 1 99 \(Self.socket)\n" : "")
        return machine
    }

    @Test func `a chronyd that was started after gpsd gives a remark`() throws {
        let finding = try finding(observation(pulse: 0), machine(chronyd: 600))
        #expect(finding.found.hasPrefix("chronyd was started after gpsd"))
        #expect(finding.remedy == ["sudo systemctl restart gpsd"])
    }

    @Test func `a chronyd that was started before gpsd is ok`() throws {
        #expect(try finding(observation(pulse: 0), machine(chronyd: 400)).result == .ok)
        #expect(TimeServiceCheck.examine(observation(), machine(chronyd: 400)) == .moot)
    }

    @Test func `a socket in the configuration counts even if its file is missing`() throws {
        var machine = machine(chronyd: 600)
        machine.files[Self.socket] = nil
        #expect(try finding(observation(pulse: 0), machine).result == .ok)
        machine.texts["/etc/chrony/chrony.conf"] = "# a comment\nrefclock SOCK \(Self.socket):x refid PPS\n"
        #expect(try finding(observation(pulse: 0), machine).found.contains(Self.socket))
    }

    @Test func `a socket without a reader gives a remark`() throws {
        let gone = try finding(observation(), machine(chronyd: nil))
        #expect(gone.found == "nothing reads the socket \(Self.socket)")
        #expect(gone.remedy.first == "sudo systemctl enable --now chrony")
        let stale = try finding(observation(), machine(chronyd: 400, bound: false))
        #expect(stale.result == .remark && stale.why?.contains("an earlier chronyd") == true)
    }

    @Test func `a list of sockets that is cut off proves nothing`() {
        var machine = machine(chronyd: 400, bound: false)
        machine.texts["/proc/net/unix"] = String(repeating: "x", count: 65_536)
        #expect(TimeServiceCheck.examine(observation(), machine) == .moot)
    }

    @Test func `a private gpsd serves no clock`() {
        for source in [
            SourceWord.serial(path: Self.path, speed: nil), SourceWord(.simulated(SimulatedSource(name: "walk"))),
        ] {
            #expect(TimeServiceCheck.examine(observation(source, pulse: 0), machine(chronyd: 600)) == .moot)
        }
    }

    @Test func `another machine's clock is not examined`() throws {
        let remote = try SourceWord("pi.local", exists: { _ in false })
        #expect(TimeServiceCheck.examine(observation(remote, pulse: 0), machine(chronyd: 600)) == .moot)
    }

    @Test func `the start of a process is read behind any name`() {
        let fields = (3...30).map(String.init).joined(separator: " ")
        #expect(ThisMachine.start(inStat: "42 (a) b (c) \(fields)\n") == 22)
        #expect(ThisMachine.start(inStat: "42 (a) S 1") == nil)
        #expect(ThisMachine.start(inStat: "") == nil)
    }
}
