import LocationCore
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchSession
@testable import LocwatchTerminal

@Suite(.serialized, .withClocks) struct RateCommandTests {
    private func run(
        _ line: String, machine: PretendedMachine = PretendedMachine(),
        _ change: (inout PretendedReceiver.Nature) -> Void = { _ in }
    ) async throws -> (result: CommandTrial.Result, cycles: [Duration]) {
        let provider = PretendedReceiverProvider(change)
        let result = try await CommandTrial(provider: provider, machine: machine).run("devices \(line)")
        return (result, provider.cycles)
    }

    // MARK: Changes

    @Test func `a receiver that obeys has the new rate, and the way back is said`() async throws {
        let (result, cycles) = try await run("--rate 5")
        #expect(result.code == .done, "\(result)")
        #expect(
            result.output == "/dev/ttyUSB0 (u-blox): 5 Hz, before 1 Hz; up to 40 Hz by its driver; "
                + "28.8 Hz by its line: 400 bytes an epoch at 115200 bit/s\n")
        #expect(result.errors.contains("until it loses its power, which is also the way back"), "\(result.errors)")
        #expect(result.errors.contains("'locwatch devices --rate 1'"), "\(result.errors)")
        #expect(cycles == [.milliseconds(200)])
    }

    @Test(arguments: [("0.5", Duration.seconds(2)), ("3", .microseconds(333_333)), ("20Hz", .milliseconds(50))])
    func `slow, odd and fast rates are taken`(rate: String, cycle: Duration) async throws {
        let (result, cycles) = try await run("--rate \(rate)")
        #expect(result.code == .done && cycles == [cycle], "\(result)")
    }

    @Test func `a receiver that has the rate is not asked for it`() async throws {
        let (result, cycles) = try await run("--rate 5") { $0.cycle = .milliseconds(200) }
        #expect(result.code == .done && cycles.isEmpty, "\(result)")
        #expect(result.errors.contains("nothing was changed: the receiver has that rate"), "\(result.errors)")
    }

    /// gpsd notes a second until it has set something, whatever the receiver does.
    @Test func `a receiver with another rate than gpsd has noted is asked for that one`() async throws {
        let (result, cycles) = try await run("--rate 1") {
            ($0.driver, $0.minimumCycle, $0.cycle) = ("MTK-3301", .milliseconds(100), .milliseconds(200))
        }
        #expect(result.code == .done && cycles == [.seconds(1)], "\(result)")
        #expect(result.errors.contains("sets a MediaTek receiver to 1 Hz again"), "\(result.errors)")
    }

    @Test(
        arguments: [
            (.pretends, "it has 1 Hz; it has 1 Hz again"), (.refuses, "it says that it has 1 Hz; it has 1 Hz again"),
            (.fallsSilent, "no position arrives any more; it has 1 Hz again"),
            (.dies, "no position arrives any more; it was asked for 1 Hz again, but that was not measured"),
            (.loses, "did not arrive in time; it has 1 Hz again"),
        ] as [(PretendedReceiver.Manner, String)])
    func `a receiver that does not obey is asked for the rate before, and the exit code says so`(
        manner: PretendedReceiver.Manner, words: String
    ) async throws {
        let (result, cycles) = try await run("--rate 5") { $0.manner = manner }
        #expect(result.code == .negative && result.output.isEmpty, "\(result)")
        #expect(result.errors.contains("/dev/ttyUSB0 has not taken 5 Hz: "), "\(result.errors)")
        #expect(result.errors.contains(words), "\(result.errors)")
        #expect(cycles == [.milliseconds(200), .seconds(1)])
    }

    @Test func `the rate before is the measured one`() async throws {
        let (result, cycles) = try await run("--rate 5") {
            ($0.manner, $0.cycle) = (.pretends, .milliseconds(125))
        }
        #expect(result.code == .negative && cycles.last == .milliseconds(125), "\(result)")
    }

    // MARK: Refusals

    @Test(
        arguments: [
            (
                "--rate 50", nature { $0.speed = nil }, .usage,
                "50 Hz is too fast for gpsd's driver of the receiver, which sets up to 40 Hz"
            ),
            (
                "--rate 5", nature { $0.speed = 9600 }, .unavailable,
                "5 Hz is too fast for the line, which carries 2.4 Hz: 400 bytes an epoch"
            ),
            (
                "--rate 5", nature { ($0.driver, $0.minimumCycle) = ("NMEA0183", nil) }, .unavailable,
                "gpsd cannot change the rate of /dev/ttyUSB0, whose driver is NMEA0183"
            ),
            (
                "--rate 5", nature { ($0.driver, $0.minimumCycle) = (nil, nil) }, .unavailable,
                "has sent nothing that gpsd understands"
            ),
            ("--rate 5", nature { $0.isReadOnly = true }, .denied, "gpsd was started with -b"),
            (
                "--rate 5", nature { $0.hasFix = false }, .noFix,
                "no position, without which its rate cannot be measured"
            ),
            (
                "--rate 5", nature { $0.others = ["/dev/ttyUSB1"] }, .usage,
                "there are 2 receivers; choose one with --device: /dev/ttyUSB0 or /dev/ttyUSB1"
            ),
            (
                "--rate 5", nature { ($0.path, $0.hasFix) = ("/dev/\u{1B}[2J", false) }, .noFix,
                "no position, without which its rate cannot be measured"
            ),
        ] as [(String, PretendedReceiver.Nature, ExitCode, String)])
    func `a rate that cannot be is refused, and nothing is changed`(
        line: String, nature: PretendedReceiver.Nature, code: ExitCode, words: String
    ) async throws {
        let (result, cycles) = try await run(line) { $0 = nature }
        #expect(result.code == code && result.output.isEmpty && cycles.isEmpty, "\(result)")
        #expect(result.errors.contains(words), "\(result.errors)")
        #expect(!result.errors.contains("\u{1B}"))
    }

    /// gpsd 3.22 does not tell that it only reads, but its command line does.
    @Test func `a gpsd of the system that was started with -b is refused`() async throws {
        let machine = with(PretendedMachine()) {
            $0.daemons[0].arguments = GPSDArguments(commandLine: "gpsd\0-n\0-b\0")
        }
        let (result, cycles) = try await run("--rate 5", machine: machine)
        #expect(result.code == .denied && cycles.isEmpty, "\(result)")
    }

    @Test func `a receiver that is chosen among several is changed`() async throws {
        let (result, cycles) = try await run("--rate 5 --device /dev/ttyUSB0") { $0.others = ["/dev/ttyUSB1"] }
        #expect(result.code == .done && cycles.count == 1, "\(result)")
        #expect(result.errors.contains("'locwatch devices --device /dev/ttyUSB0 --rate 1'"), "\(result.errors)")
    }

    @Test(arguments: ["/dev/ttyACM0", "/dev/pts/7", "sim:ublox"])
    func `a line without a speed carries any rate`(path: String) async throws {
        let (result, _) = try await run("--rate 10") { ($0.path, $0.speed) = (path, 9600) }
        #expect(result.code == .done && !result.output.contains("line"), "\(result)")
    }

    // MARK: A look

    @Test(
        arguments: [
            (nature { $0.speed = nil }, "/dev/ttyUSB0 (u-blox): 1 Hz; up to 40 Hz by its driver\n"),
            (
                nature { ($0.driver, $0.minimumCycle, $0.speed) = ("MTK-3301", .milliseconds(100), 9600) },
                "/dev/ttyUSB0 (MTK-3301): 1 Hz; up to 10 Hz by its driver; 2.4 Hz by its line: 400 bytes an epoch at 9600 bit/s\n"
            ),
            (
                nature { ($0.driver, $0.minimumCycle) = ("NMEA0183", nil) },
                "/dev/ttyUSB0 (NMEA0183): 1 Hz; gpsd cannot change it\n"
            ),
            (
                nature { ($0.hasFix, $0.speed) = (false, nil) },
                "/dev/ttyUSB0 (u-blox): no positions, so its rate is not known; up to 40 Hz by its driver\n"
            ),
        ] as [(PretendedReceiver.Nature, String)])
    func `a look shows the rate and what is possible`(
        nature: PretendedReceiver.Nature, text: String
    ) async throws {
        let (result, cycles) = try await run("--rate show") { $0 = nature }
        #expect(result.code == .done && cycles.isEmpty && result.output == text, "\(result)")
    }

    @Test func `each step is said with --verbose`() async throws {
        let (result, _) = try await run("--rate 5 -v") { $0.manner = .pretends }
        let steps = ["asking for 5 Hz", "measuring 5 Hz", "going back to 1 Hz"]
        let said = steps.compactMap { result.errors.firstRange(of: "locwatch: \($0)\n")?.lowerBound }
        #expect(said.count == 3 && said == said.sorted(), "\(result.errors)")
    }

    // MARK: JSON

    @Test(
        arguments: [
            (
                .obeys,
                #""result":"changed","driver":"u-blox","rate":5,"wish":5,"before":1,"driverRate":40,"lineRate":28.8}"#
            ),
            (
                .pretends,
                #""result":"undone","driver":"u-blox","rate":1,"wish":5,"before":1,"driverRate":40,"lineRate":28.8}"#
            ),
        ] as [(PretendedReceiver.Manner, String)])
    func `JSON has the result`(manner: PretendedReceiver.Manner, text: String) async throws {
        let (result, _) = try await run("--rate 5 -j") { $0.manner = manner }
        let line = try #require(result.lines(with: #""event":"rate""#).first)
        #expect(line.hasSuffix(text), "\(line)")
        #expect(result.lines.count == 3, "with a first and a last line: \(result)")
    }

    // MARK: Words

    @Test(
        arguments: [
            ("--rate 0", "from 0.1 to 100"), ("--rate 1e3", "from 0.1 to 100"), ("--rate -5", "from 0.1 to 100"),
            ("--rate nan", "from 0.1 to 100"), ("--rate", "needs a value"), ("--rate 5 --follow", "takes no --follow"),
            ("--rate 5 pi.local", "on pi.local: locwatch devices --rate HERTZ"),
            ("--rate 5 tcp://pi.local:5000", "is for the receiver of a gpsd or of a serial line"),
            ("--rate show mqtt://pi.local", "is for the receiver of a gpsd or of a serial line"),
        ])
    func `a wrong rate, or one for another source, is a mistake`(line: String, words: String) async throws {
        let result = try await CommandTrial().run("devices \(line)")
        #expect(result.code == .usage && result.errors.contains(words), "\(result)")
    }
}

/// Returns a receiver with changes.
private func nature(_ change: (inout PretendedReceiver.Nature) -> Void) -> PretendedReceiver.Nature {
    with(PretendedReceiver.Nature(), change)
}
