import Foundation
import Testing

/// The effects of options of `watch` and `once` on a recorded walk of forty seconds at 1.2 m/s.
@Suite struct OptionTests {
    private func locations(_ options: String, _ source: String = "$FIXTURES/walk/session.json") async throws -> [String]
    {
        let run = try await Locwatch.run("$LW -j --pace max \(options) \(source)")
        #expect(run.code == 0, "\(run.errors)")
        return run.output.split(separator: "\n").map(String.init).filter { $0.contains(#""event":"location""#) }
    }

    /// The numbers of positions, counted by hand in the recording.
    @Test(arguments: [
        ("", 40), ("-n 5", 5), ("-a 1000", 40), ("-a 17", 40), ("-a 1", 0), ("-d 10", 6), ("-i 10s", 4), ("-x 10s", 12),
    ])
    func `positions are selected by count, accuracy, distance, interval and duration`(
        options: String, count: Int
    ) async throws {
        #expect(try await locations(options).count == count)
    }

    @Test func `the end event has the time of the session's end, not of the data read ahead`()
        async throws
    {
        // The first epoch began 3.982942 s after the start of the recording at nine o'clock, and waited for further reports.
        let run = try await Locwatch.run("$LW -j --pace max -n 1 $FIXTURES/walk/session.json")
        #expect(
            run.output.contains(#"{"event":"end","time":"2026-11-20T09:00:04.282Z","reason":"count","locations":1}"#))
    }

    @Test func `the output can be limited to states or include satellites`() async throws {
        #expect(try await locations("-s").isEmpty)
        let run = try await Locwatch.run("$LW -j --sky --pace max $FIXTURES/walk/session.json")
        #expect(run.output.contains(#""event":"sky""#))
    }

    @Test func `fences report inside, dwell and exit`() async throws {
        let program = try Locwatch("exec $LW -j --fence home=45,7,100,5s -", input: true)
        for second in 10..<30 {
            let latitude = second < 20 ? "45.0001" : "45.1001"
            program.type(
                #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2026-11-20T09:00:\#(second).000Z","#
                    + #""lat":\#(latitude),"lon":7.0,"eph":3.0}"# + "\r\n")
        }
        program.endInput()
        try await program.end()
        let events = program.output.matches(of: /"event":"fence".*?"(inside|enter|exit|dwell)"/).map { String($0.1) }
        #expect(events == ["inside", "dwell", "exit"], "\(program.output.suffix(400))")
    }

    @Test func `a receiver of a recording can be selected`() async throws {
        let device = "$(grep -om1 '/tmp/[^\"]*ttyUSB0' $FIXTURES/two-devices/session.json)"
        for command in ["once", "stats", "export csv"] {
            let json = command.hasPrefix("export") ? "" : "-j"
            let run = try await Locwatch.run(
                "$LW \(command) \(json) --device \(device) $FIXTURES/two-devices/session.json")
            #expect(run.code == 0, "\(run.errors)")
            #expect(!run.output.contains("ttyACM0"), "\(command)")
        }
        let run = try await Locwatch.run("$LW -j --pace max --device \(device) $FIXTURES/two-devices/session.json")
        #expect(try Events.of("location", in: run.output).count > 10)
    }

    @Test func `of two receivers the best one is printed, or the selected one`() async throws {
        let source = "$FIXTURES/two-devices/session.json"
        let devices = { (lines: [String]) in
            Set(lines.compactMap { $0.firstMatch(of: /ttyACM0|ttyUSB0/).map { String($0.0) } })
        }
        #expect(devices(try await locations("", source)) == ["ttyACM0"])
        let (server, port) = try await Locwatch.serving("--pace 10x --loop \(source)")
        let first = try #require(
            try String(
                contentsOf: Locwatch.package.appending(path: "Fixtures/two-devices/session.json"), encoding: .utf8
            )
            .firstMatch(of: /"path":"([^"]*ttyUSB0)"/)?.1)
        let one = try await Locwatch.run("$LW -j -n 5 -t 20s --device \(first) localhost:\(port)")
        #expect(one.code == 0, "\(one.errors)")
        #expect(
            devices(one.output.split(separator: "\n").map(String.init).filter { $0.contains(#""location""#) })
                == ["ttyUSB0"])
        try await server.stop()
    }

    /// The last position is 45.055181117, 7.686910567.
    ///
    /// 0.055181117 degrees are 3.31086702 minutes, and 0.31086702 minutes are 18.6520212 seconds.
    @Test(arguments: [
        ("--csv", "45.0551811"), ("-f '%{lat} %{lon}'", "45.0551811 7.6869106\n"), ("--units dm", "45d03.31087'N"),
        ("--units dms", "45d03'18.652\"N"), ("--units imperial", " ft"), ("--units nautical", " kn"),
        ("--precision 3", "45.055  "), ("-f text", "45.0551811"),
    ])
    func `positions have the requested format`(option: String, text: String) async throws {
        let run = try await Locwatch.run("$LW \(option) --pace max $FIXTURES/walk/session.json")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains(text), "\(run.output.suffix(200))")
    }

    @Test func `a recording is played at its own pace or faster`() async throws {
        let clock = ContinuousClock()
        let recorded = try await clock.measure { _ = try await Locwatch.run("$LW -x 2s $FIXTURES/walk/session.json") }
        #expect(recorded > .seconds(1.5))
        let faster = try await clock.measure {
            _ = try await Locwatch.run("$LW --pace 20x $FIXTURES/walk/session.json")
        }
        // The recording takes 40 s.
        #expect(faster > .seconds(0.8) && faster < .seconds(10))
    }

    @Test func `once can require a 3D fix`() async throws {
        let run = try await Locwatch.run("$LW once -j --fix 3d $FIXTURES/walk/session.json")
        #expect(run.output.matches(of: /"event":"location".*"mode":3/).count == 1, "\(run.output)")
    }
}
