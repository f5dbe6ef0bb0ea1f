import Foundation
import TestSupport
import Testing

/// The effects of options of `watch` and `once` on a recorded walk of forty seconds at 1.2 m/s.
@Suite(.serialized, .alone) struct OptionTests {
    private func locations(_ options: String, _ source: String = "$FIXTURES/walk/session.json") async throws -> [String]
    {
        let run = try await Locwatch.run("$LW -j --pace max \(options) \(source)")
        #expect(run.code == 0, "\(run.errors)")
        return run.output.split(separator: "\n").map(String.init).filter { $0.contains(#""event":"location""#) }
    }

    /// The options, and the number of positions that they leave.
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
}
