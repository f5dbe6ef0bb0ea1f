import Foundation
import GPSDSimulation
import LocationCore
import LocationTesting
import LocationTracks
import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchTerminal

@Suite(.serialized, .withClocks) struct TimeCommandTests {
    private static let fixture = SampleRecording.fixture("clock")

    private static let receiver = ScriptStep.device(DeviceStatus(path: "/dev/ttyACM0"))
    private static let sky = ScriptStep.satellites(SkyView(satellites: nil, seen: 9, used: 4))

    @Test func `the fixture is the scenario's recording`() throws {
        let file = try Data(contentsOf: URL(filePath: Self.fixture))
        #expect(file == Data(ClockScenario().recording()))
    }

    @Test func `the figures of a recording agree with numpy to the nanosecond`() async throws {
        let script = Golden.package.appending(path: "Tests/Oracles/clock_figures.py").path
        let tool = try Tool("/usr/bin/python3", [script, Self.fixture])
        try #require(tool.status == 0, "\(tool.errors)")
        let read = try JSONSerialization.jsonObject(with: Data(tool.output.utf8))
        let expected = try #require(read as? [String: [String: Double]])
        let result = try await CommandTrial().run(["time", "-j", Self.fixture])
        #expect(result.code == .done && expected.count == 2)
        for (signal, values) in expected {
            let figures = try result.objects("clockFigures").first
            var given = try #require(figures?[signal] as? [String: Any])
            let deviations = try #require(given["allan"] as? [[String: Double]])
            for row in deviations { given["allan \(Int(row["interval"] ?? 0))"] = row["deviation"] }
            #expect(deviations.count == 3 && values.count == 10)
            for (name, number) in values {
                // The median of an even number can lie between two nanoseconds.
                let bound = ["jitter": 1e-11, "drift": 1e-8][name] ?? (name.contains("allan") ? number * 1e-9 : 0.6e-9)
                #expect(abs((given[name] as? Double ?? .nan) - number) < bound, "\(signal).\(name)")
            }
        }
    }

    @Test func `a recording gives the figures, the lost pulse and the lines`() async throws {
        let result = try await CommandTrial().run(["time", Self.fixture])
        #expect(result.code == .done && result.errors == "")
        for figure in [
            "the system clock is 5.14 ms ahead, by the pulse", "pulse of /dev/ttyS0 seen\n",
            "lost: no pulse for 3 s, although the receiver has a fix", "pulse of /dev/ttyS0 seen again after 11 s",
            "12.5 ppm: the system clock gains 1.08 s a day", "\nrefclock SHM 0 refid GPS offset 0.142 delay 0.0",
            "\nrefclock SHM 1 refid PPS delay ", "18 between UTC and GPS time",
        ] { #expect(result.output.contains(figure), "\(result.output)") }
    }

    @Test func `a pace gives the same events as reading at once`() async throws {
        let result = try await CommandTrial().run(["time", "-j", "--pace", "1000x", Self.fixture])
        let all = try await CommandTrial().run(["time", "-j", Self.fixture])
        #expect(result.lines.dropFirst() == all.lines.dropFirst())
        #expect(try result.objects("clock").count == 590)
        let changes = try result.objects("pulse")
        #expect(changes.map { $0["change"] as? String } == ["seen", "lost", "seen"])
        #expect(changes[1]["reason"] as? String == "silent")
    }

    @Test func `a live session ends after five minutes and prints the line`() async throws {
        let result = try await CommandTrial.run("time localhost", ClockSession.script(seconds: 400, pulses: 0..<400))
        #expect(result.code == .done, "\(result.errors)")
        #expect(result.output.contains("300 comparisons"), "\(result.output)")
        #expect(result.output.contains("refclock SHM 0 refid GPS offset 0.143 "))
    }

    @Test(arguments: [1024, -1024, 2048], [0..<0, 0..<30])
    func `a receiver whose date is 1,024 weeks off has no line, and the exit code says so`(
        weeks: Int, pulses: Range<Int>
    ) async throws {
        let script = ClockSession.script(seconds: 30, pulses: pulses).map { step in
            guard case .clock(var sample) = step else { return step }
            sample.receiverTime = sample.receiverTime.advanced(by: .seconds(weeks * 604_800))
            return .clock(sample)
        }
        let text = try await CommandTrial.run("time -x 20s localhost", script)
        #expect(text.code == .noFix && !text.output.contains("refclock"), "\(text.output)")
        #expect(text.unwrapped.contains("off by \(abs(weeks)) weeks: it says "), "\(text.output)")
        #expect(text.errors.contains("the receiver's date is off by \(abs(weeks)) weeks"), "\(text.errors)")
        let json = try await CommandTrial.run("time -j -x 20s localhost", script)
        let figures = try #require(try json.objects("clockFigures").first)
        #expect(figures["wrongDate"] as? String == "rollover" && figures["chrony"] == nil && figures["ntpsec"] == nil)
    }

    @Test func `a receiver with a wrong date is not the reference of another one, which has its line`() async throws {
        let right = ClockSession.script(seconds: 30, pulses: 0..<30, device: "/dev/ttyS1")
        let wrong = ClockSession.script(seconds: 30, pulses: 0..<30).map { step in
            guard case .clock(var sample) = step else { return step }
            sample.receiverTime = sample.receiverTime.advanced(by: .seconds(1024 * 604_800))
            return .clock(sample)
        }
        let both = zip(wrong, right).flatMap { if case .clock = $0 { [$0, $1] } else { [$1] } }
        let result = try await CommandTrial.run("time -x 20s localhost", both)
        #expect(result.code == .done && result.output.contains("refid GPS2 offset 0.143 "), "\(result.output)")
        #expect(!result.output.contains("refid GPS "))
    }

    @Test func `the duration can be chosen, and a pulse that stops is reported`() async throws {
        let result = try await CommandTrial.run(
            "time -x 30s localhost", ClockSession.script(seconds: 60, pulses: 0..<12))
        #expect(result.output.contains("12 comparisons"), "\(result.output)")
        #expect(result.output.contains("lost: no pulse for 3 s"))
        #expect(result.output.contains("Pulse         lost, lost once"))
    }

    @Test func `the system clock is the reference only on the machine with gpsd`() async throws {
        for (host, isKnown) in [("localhost", true), ("pi.local", false)] {
            let result = try await CommandTrial.run(
                "time -x 20s \(host)", ClockSession.script(seconds: 30, pulses: 0..<0))
            #expect(result.output.contains("offset 0.146 ") == isKnown, "\(result.output)")
            #expect(result.output.contains("# UNKNOWN DELAY") == !isKnown)
        }
    }

    @Test(
        arguments: [
            ("-x 1s localhost", receiver, ["no report of a position within 1 s", "run longer"]),
            ("-x 30s localhost", receiver, ["no report of a position within 30 s", "doctor"]),
            ("-x 0.5s localhost", sky, ["no report of a position within 0.5 s", "run longer"]),
            ("-x 200ms localhost", .location(45, 7), ["none within 0.2 s", "run longer"]),
            ("-x 10s localhost", .location(45, 7), ["although the receiver has a fix", "gpspipe"]),
            ("localhost", .location(45, 7), ["although the receiver has a fix"]),
            ("localhost", .searching(.noFix(seen: 3, used: 0, best: 20), device: "/dev/ttyS0"), ["had no fix"]),
            ("localhost", .searching(.noDevice), ["gpsd has no receiver"]),
            ("sim:walk", .location(45, 7), ["although the receiver has a fix"]),
            ("/dev/ttyS0", .location(45, 7), ["although the receiver has a fix"]),
        ] as [(String, ScriptStep, [String])])
    func `without a comparison the reason is printed, and a session that was too short does not blame the receiver`(
        line: String, step: ScriptStep, reasons: [String]
    ) async throws {
        let result = try await CommandTrial.run("time \(line)", [step, .wait(.seconds(400))])
        #expect(result.code == .noFix && result.output == "")
        #expect(result.errors.contains("no comparison of the clocks"), "\(result.errors)")
        for reason in reasons { #expect(result.errors.contains(reason), "\(result.errors)") }
        #expect(result.errors.contains("the receiver had no fix") == reasons.contains("had no fix"))
    }

    @Test func `a recording without a comparison says so`() async throws {
        let result = try await CommandTrial().run(["time", ExportCommandTests.fixture("walk")])
        #expect(result.code == .noFix)
        #expect(result.errors.contains("the recording has none"))
    }

    @Test(arguments: [("sim:walk", "/tmp/receiver", true), ("pi", "/dev/pts/3", true), ("pi", "/dev/ttyACM0", false)])
    func `the lines of a receiver at a pseudo terminal say that they are of no use`(
        source: String, device: String, isOfNoUse: Bool
    ) async throws {
        let script = ClockSession.script(seconds: 30, pulses: 0..<0, device: device)
        let result = try await CommandTrial.run("time -x 20s \(source)", script)
        #expect(result.output.contains("refclock"))
        #expect(result.output.contains("# gpsd takes no time from a pseudo terminal") == isOfNoUse)
    }

    @Test func `the offset is plotted`() async throws {
        let scratch = try Scratch()
        let file = scratch.path("clock.svg")
        #expect(try await CommandTrial().run(["time", "--plot-file=\(file)", Self.fixture]).code == .done)
        #expect(try Tool("xmllint", ["--noout", file]).status == 0)
        let svg = try scratch.text("clock.svg")
        #expect(svg.contains("Offset by the pulse of /dev/ttyS0") && svg.contains("Offset by the messages"))
        // The pause without a pulse interrupts its line.
        #expect(svg.matches(of: /class="curve"/).count == 3)
        let drawn = try await CommandTrial().run(["time", "--plot", Self.fixture])
        #expect(drawn.output.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) })
    }

    @Test func `a hostile name reaches neither the terminal nor a picture unescaped`() async throws {
        let scratch = try Scratch()
        var scenario = ClockScenario()
        scenario.device = "/dev/\u{1B}[2J<x>\n"
        scenario.seconds = 20
        let (file, picture) = (try scratch.write(scenario.recording(), to: "evil.json"), scratch.path("evil.svg"))
        let result = try await CommandTrial().run(["time", "--plot-file=\(picture)", file])
        #expect(result.code == .done && !result.output.contains("\u{1B}"))
        #expect(try Tool("xmllint", ["--noout", picture]).status == 0)
    }

    @Test func `figures of nothing but extremes are printed`() throws {
        var clocks = ClockStatistics()
        for (second, time) in [Int64.min, -1, 0, .max].enumerated() {
            for host in [Int64.min, 0, .max] {
                clocks.process(
                    .clock(
                        ClockSample(
                            second % 2 == 0 ? .pulse : .message, device: nil,
                            receiverTime: Timestamp(nanosecondsSince1970: time),
                            hostTime: Timestamp(nanosecondsSince1970: host), precision: .max,
                            quantizationError: host == 0 ? .min : .max)), at: ScriptedSession.moment(Double(second)))
            }
        }
        let reports = ClockReport.all(clocks, isKept: true)
        #expect(!ClockText(style: TextStyle()).figures(reports).isEmpty)
        #expect(!ClockPlot(clocks, title: "x").svg().isEmpty)
        #expect(!ClockPlot(clocks, title: "x").terminal(columns: 80, colour: true).isEmpty)
        let plain = ClockPlot(clocks, title: "x").terminal(columns: 80, colour: true, isASCII: true)
        #expect(!plain.isEmpty && plain.utf8.allSatisfy { $0 < 0x80 }, "\(plain)")
    }
}
