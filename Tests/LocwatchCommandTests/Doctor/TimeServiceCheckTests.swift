import LocationCore
import LocationGPSD
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession

@Suite struct TimeServiceCheckTests {
    private static let path = "/dev/ttyS0"
    private static let socket = "/run/chrony.ttyS0.sock"

    /// A session with a receiver, and the machine, of which the check finds something or does not apply.
    struct Situation: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let observation: Observation
        let machine: PretendedMachine
        let result: Finding.Result
        /// Texts of the finding.
        let says: [String]

        init(
            _ name: String, _ observation: Observation, on machine: PretendedMachine = PretendedMachine(),
            is result: Finding.Result, says: String...
        ) {
            (testDescription, self.observation, self.machine) = (name, observation, machine)
            (self.result, self.says) = (result, says)
        }
    }

    /// Returns a session with comparisons of the offsets in nanoseconds.
    private static func told(
        _ source: SourceWord = .standard, driver: String = "u-blox", pulse: Int64? = nil, message: Int64? = nil
    ) -> Observation {
        let device = with(DeviceStatus(path: path, activity: .reporting)) { $0.driver = driver }
        var events: [LocationEvent] = [.device(device)]
        for second in 0..<5 {
            if let pulse { events.append(.clock(ClockSession.sample(.pulse, second: second, offset: pulse))) }
            if let message { events.append(.clock(ClockSession.sample(.message, second: second, offset: message))) }
        }
        return .of(source, telling: events)
    }

    /// Returns a machine with the socket of chrony, whose chronyd was started at a time; gpsd was at 500.
    private static func chrony(
        _ started: UInt64?, isBound: Bool = true, _ change: (inout PretendedMachine) -> Void = { _ in }
    ) -> PretendedMachine {
        with(PretendedMachine()) {
            $0.files[socket] = FileAccess(owner: "root", ownerID: 0, group: "root", mode: 0o755, isDevice: false)
            ($0.starts["gpsd"], $0.starts["chronyd"]) = (500, started)
            $0.texts["/proc/net/unix"] = "Num RefCount\n" + (isBound ? "0: 2 0 0 2 1 99 \(socket)\n" : "")
            change(&$0)
        }
    }

    private static let undisciplined = with(PretendedMachine()) { $0.clockIsSynchronized = false }
    private static let terminal = with(undisciplined) { $0.links = [path: "/dev/pts/7"] }

    private static let clocks = [
        Situation("no comparison and no socket", told(), is: .moot),
        Situation("no comparison, and a clock that nothing disciplines", told(), on: undisciplined, is: .moot),
        Situation(
            "a synchronized clock with a pulse", told(pulse: 3_200_000, message: 146_000_000), is: .ok,
            says: "the system clock is 3.2 ms ahead, by the pulse of /dev/ttyS0"),
        Situation(
            "a clock that nothing disciplines", told(message: 146_000_000), on: undisciplined, is: .remark,
            says: "locwatch time"),
        Situation("a pseudo terminal, which gives no time", told(message: 146_000_000), on: terminal, is: .ok),
        Situation(
            "a MediaTek receiver that is half a second late",
            told(driver: "MTK-3301", pulse: 0, message: 503_000_000), is: .remark, says: "503 ms late"),
        Situation("another receiver that is half a second late", told(pulse: 0, message: 503_000_000), is: .ok),
        Situation("a usual MediaTek receiver", told(driver: "MTK-3301", pulse: 0, message: 143_000_000), is: .ok),
        Situation(
            "the clock of another machine", told(.gpsd(GPSDEndpoint(host: "pi.local")), pulse: 0), on: chrony(600),
            is: .moot),
        Situation(
            "a private gpsd, which serves no clock", told(.of("serial:\(path)"), pulse: 0), on: chrony(600), is: .moot),
        Situation("a simulated receiver", told(.of("sim:walk"), pulse: 0), on: chrony(600), is: .moot),
    ]

    private static let sockets = [
        Situation(
            "a chronyd that was started after gpsd", told(pulse: 0), on: chrony(600), is: .remark,
            says: "chronyd was started after gpsd", "sudo systemctl restart gpsd"),
        Situation("a chronyd that was started before gpsd", told(pulse: 0), on: chrony(400), is: .ok),
        Situation("a chronyd that was started before gpsd, without a pulse", told(), on: chrony(400), is: .moot),
        Situation(
            "a socket whose file is missing", told(pulse: 0), on: chrony(600) { $0.files[socket] = nil }, is: .ok),
        Situation(
            "a socket in the configuration whose file is missing", told(pulse: 0),
            on: chrony(600) {
                $0.files[socket] = nil
                $0.texts["/etc/chrony/chrony.conf"] = "# a comment\nrefclock SOCK \(socket):x refid PPS\n"
            }, is: .remark, says: socket),
        Situation(
            "a socket without a reader", told(), on: chrony(nil), is: .remark,
            says: "nothing reads the socket \(socket)", "sudo systemctl enable --now chrony"),
        Situation(
            "a socket of another chronyd", told(), on: chrony(400, isBound: false), is: .remark,
            says: "an earlier chronyd"),
        Situation(
            "a list of sockets that is cut off, which proves nothing", told(),
            on: chrony(400) { $0.texts["/proc/net/unix"] = String(repeating: "x", count: 65_536) }, is: .moot),
    ]

    /// Returns a machine whose time service has a line for a receiver, with a gpsd that was started with some arguments.
    private static func service(
        _ program: String, _ arguments: String, _ line: String, in file: String
    ) -> PretendedMachine {
        with(PretendedMachine()) {
            ($0.starts["gpsd"], $0.starts[program]) = (500, 400)
            $0.daemons[0].arguments = GPSDArguments(commandLine: "/usr/sbin/gpsd\0\(arguments)\0")
            $0.texts[file] = "# a comment\n\(line)\n"
        }
    }

    private static let pauses = [
        Situation(
            "chrony with shared memory in a folder, and a gpsd without -n", told(),
            on: service("chronyd", "-F\0/run/gpsd.sock", "refclock SHM 0 refid GPS", in: "/etc/chrony/conf.d/gps.conf"),
            is: .remark, says: "gpsd runs without -n",
            "chrony has a reference clock of gpsd (in /etc/chrony/conf.d/gps.conf)",
            "GPSD_OPTIONS=\"-n\""),
        Situation(
            "chrony with a socket in a folder, and a gpsd without -n", told(),
            on: service("chronyd", "-N", "refclock SOCK /run/chrony.ttyS9.sock", in: "/etc/chrony/conf.d/gps.conf"),
            is: .remark),
        Situation(
            "a gpsd with -n among other options", told(),
            on: service("chronyd", "-Nn\0/dev/ttyS0", "refclock SHM 0", in: "/etc/chrony/chrony.conf"), is: .moot),
        Situation(
            "ntpsec", told(), on: service("ntpd", "-N", "refclock shm unit 0 refid GPS", in: "/etc/ntpsec/ntp.conf"),
            is: .remark, says: "ntpd has a reference clock"),
        Situation(
            "ntpd in its older form", told(), on: service("ntpd", "-N", "server 127.127.28.0", in: "/etc/ntp.conf"),
            is: .remark),
        Situation(
            "a reference clock that is a client of gpsd", told(),
            on: service("ntpd", "-N", "refclock gpsd unit 0", in: "/etc/ntpsec/ntp.conf"), is: .moot),
        Situation(
            "a time service that does not run", told(),
            on: with(service("chronyd", "-N", "refclock SHM 0", in: "/etc/chrony/chrony.conf")) {
                $0.starts["chronyd"] = nil
            },
            is: .moot),
        Situation(
            "another gpsd than the one that is asked", told(.gpsd(GPSDEndpoint(host: "localhost", port: "2950"))),
            on: service("chronyd", "-N", "refclock SHM 0", in: "/etc/chrony/chrony.conf"), is: .moot),
        Situation(
            "the gpsd that is asked, after another one with -n",
            told(.gpsd(GPSDEndpoint(host: "localhost", port: "2950"))),
            on: with(service("chronyd", "-n", "refclock SHM 0", in: "/etc/chrony/chrony.conf")) {
                $0.daemons.append(
                    RunningGPSD(
                        account: $0.user, arguments: GPSDArguments(commandLine: "gpsd\0-S\u{0}2950\0")))
            },
            is: .remark, says: "gpsd runs without -n"),
    ]

    @Test(arguments: clocks + sockets + pauses)
    func `the check of the clock finds what keeps the time service from the receiver's time`(situation: Situation) {
        let finding = TimeServiceCheck.examine(situation.observation, situation.machine)
        #expect(finding.result == situation.result, "\(finding)")
        let text = ([finding.found, finding.why ?? ""] + finding.remedy).joined(separator: "\n")
        for words in situation.says { #expect(text.contains(words), "\(text)") }
    }
}
