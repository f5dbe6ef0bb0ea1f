import Foundation
import Testing

/// Options of `watch` and `once` in effect on a recorded walk of forty seconds at 1.2 m/s.
@Suite struct OptionTests {
    private func locations(_ options: String, _ source: String = "$FIXTURES/walk/session.json") async throws -> [String]
    {
        let run = try await Locwatch.run("$LW -j --pace max \(options) \(source)")
        #expect(run.code == 0, "\(run.errors)")
        return run.output.split(separator: "\n").map(String.init).filter { $0.contains(#""event":"location""#) }
    }

    @Test(arguments: [
        ("", 43), ("-n 5", 8), ("-a 1000", 42), ("-a 1", 0), ("-d 10", 9), ("-i 10s", 5), ("-x 10s", 15),
    ])
    func `positions are chosen`(options: String, count: Int) async throws {
        #expect(try await locations(options).count == count)
    }

    @Test func `as many instants are printed as are asked for, however often each is told of`() async throws {
        let run = try await Locwatch.run("$LW -j --pace max -n 2 $FIXTURES/walk/session.json")
        let times = run.output.matches(of: /"event":"location","time":"([^"]*)"/).map { String($0.1) }
        #expect(times == Array(repeating: "2026-11-20T09:00:00.000Z", count: 4) + ["2026-11-20T09:00:01.000Z"])
        #expect(run.output.contains(#""reason":"count","locations":2}"#), "\(run.output)")
    }

    @Test func `the end is told at the moment at which the session ended, and not at that of what was read ahead`()
        async throws
    {
        let run = try await Locwatch.run("$LW -j --pace max -n 1 $FIXTURES/walk/session.json")
        #expect(
            run.output.contains(#"{"event":"end","time":"2026-11-20T09:00:03.982Z","reason":"count","locations":1}"#))
    }

    @Test func `states only, and satellites too`() async throws {
        #expect(try await locations("-s").isEmpty)
        let run = try await Locwatch.run("$LW -j --sky --pace max $FIXTURES/walk/session.json")
        #expect(run.output.contains(#""event":"sky""#))
    }

    @Test func `fences tell of entering, leaving and staying`() async throws {
        let program = try Locwatch("exec $LW -j --dwell 5s --fence home=45,7,100 -", input: true)
        for second in 10..<30 {
            let latitude = second < 20 ? "45.0001" : "45.1001"
            program.type(
                #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2026-11-20T09:00:\#(second).000Z","#
                    + #""lat":\#(latitude),"lon":7.0,"eph":3.0}"# + "\r\n")
        }
        program.endInput()
        try await program.end()
        let events = program.output.matches(of: /"event":"fence".*?"(enter|exit|dwell)"/).map { String($0.1) }
        #expect(events == ["enter", "dwell", "exit"], "\(program.output.suffix(400))")
    }

    @Test func `of two receivers the best one is printed, or the one that is asked for`() async throws {
        let source = "$FIXTURES/two-devices/session.json"
        let devices = { (lines: [String]) in
            Set(lines.compactMap { $0.firstMatch(of: /ttyACM0|ttyUSB0/).map { String($0.0) } })
        }
        #expect(devices(try await locations("", source)) == ["ttyACM0"])
        let server = try Locwatch("exec $LW serve --pace 10x --loop \(source)")
        try await server.wait { $0.errors.contains("serving") }
        let port = try #require(server.errors.firstMatch(of: /localhost:(\d+)/)?.1)
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
        server.signal(SIGTERM)
        try await server.end()
    }

    @Test(arguments: [
        ("--csv", "45.0551811"), ("-f '%{lat} %{lon}'", "45.0551811 7.6869106\n"), ("--degrees dm", "45d03.31087'N"),
        ("--degrees dms", "45d03'18.652\"N"), ("--units imperial", " ft"), ("--units nautical", " kn"),
        ("--precision 3", "45.055  "), ("--text", "45.0551811"),
    ])
    func `positions have the form that is asked for`(option: String, text: String) async throws {
        let run = try await Locwatch.run("$LW \(option) --pace max $FIXTURES/walk/session.json")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains(text), "\(run.output.suffix(200))")
    }

    @Test func `a recording is played at its own pace, or faster`() async throws {
        let clock = ContinuousClock()
        let recorded = try await clock.measure { _ = try await Locwatch.run("$LW -x 2s $FIXTURES/walk/session.json") }
        #expect(recorded > .seconds(1.5))
        let faster = try await clock.measure {
            _ = try await Locwatch.run("$LW --pace 20x $FIXTURES/walk/session.json")
        }
        #expect(faster > .seconds(0.8))
    }

    @Test func `once can ask for a fix in three dimensions`() async throws {
        let run = try await Locwatch.run("$LW once -j --fix 3d $FIXTURES/walk/session.json")
        #expect(run.output.matches(of: /"event":"location".*"mode":3/).count == 1, "\(run.output)")
    }
}
