import Foundation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchTerminal

@Suite(.serialized, .withClocks) struct WatchCommandTests {
    @Test func `the search begins with the session, however late its line is known`() async throws {
        var status = DeviceStatus(path: "/dev/ttyACM0", activity: .reporting)
        let connected = ScriptStep.searching(.connected(release: "3.25"))
        status.driver = "u-blox"
        let late = try await CommandTrial.run(
            "watch x", [connected, .wait(.seconds(3)), .device(status), .wait(.seconds(1)), .end])
        #expect(late.lines.dropFirst().first?.hasPrefix("00:00:00  searching  gpsd 3.25") == true, "\(late.output)")
        // After another line the time does not go back.
        let retried = try await CommandTrial.run(
            "watch x",
            [.notice(.message("hello")), .wait(.seconds(3)), connected, .device(status), .wait(.seconds(1)), .end])
        let line = retried.lines.first { $0.contains("searching") }
        #expect(line?.hasPrefix("00:00:03") == true, "\(retried.output)")
    }

    @Test(arguments: ["watch", "watch -j", "record -", "stats", "time"])
    func `a limit does not hide a failure without which there would have been positions`(command: String) async throws {
        let status = DeviceStatus(path: "/dev/ttyACM0", activity: .idle)
        let denied = LocationError.denied(what: "the watch of x", cause: "gpsd: not for you")
        let line = "\(command) -x 5s x"
        let result = try await CommandTrial.run(line, [.device(status), .error(denied), .hang])
        #expect(result.code == .denied, "\(result.output) \(result.errors)")
        let found = try await CommandTrial.run(
            line, [.device(status), .location(ScriptedSession.gate), .error(denied), .hang])
        #expect(found.code == (command == "time" ? .noFix : .done), "\(found.output) \(found.errors)")
    }

    @Test func `a session that ends before a receiver is recognized has the line of its search`() async throws {
        let result = try await CommandTrial().run("-x 2s --pace max $FIXTURES/no-fix/session.json")
        #expect(result.lines.count == 2, "\(result.output)")
        let line = try #require(result.lines.last)
        #expect(line.contains(#/^09:00:0[0-2]  searching  .*gpsd 3\.22, \/tmp\/.*$/#), "\(line)")
    }

    @Test func `the end event has the time of the session's end, not of the data read ahead`() async throws {
        // The first epoch began 3.982942 s after the start of the recording at nine o'clock, and waited for further reports.
        let result = try await CommandTrial().run("-j --pace max -n 1 $FIXTURES/walk/session.json")
        let end = #"{"event":"end","time":"2026-11-20T09:00:04.282Z","reason":"count","locations":1,"#
        #expect(result.lines.last?.hasPrefix(end) == true)
    }

    @Test(arguments: ["", "--csv", "-f %{lat}"])
    func `a position that arrives right before the end of a session is not lost`(format: String) async throws {
        let script: [ScriptStep] = [
            .wait(.milliseconds(900)), .location(ScriptedSession.gate), .wait(.seconds(5)), .end,
        ]
        let result = try await CommandTrial.run("watch -x 1s \(format) x", script)
        #expect(result.lines.filter { $0.contains("52.5163") }.count == 1, "\(result.output)")
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test(arguments: ["", "--csv", "-x 2s"])
    func `a session whose positions are all too inaccurate says so at its end`(options: String) async throws {
        let script: [ScriptStep] = [
            .location(45, 7, accuracy: 8), .wait(.seconds(1)), .location(45, 7, accuracy: 7), .end,
        ]
        let reason = "locwatch: no position accurate to 5 m; the best is accurate to 7 m\n"
        let result = try await CommandTrial.run("watch -a 5 \(options) x", script)
        #expect(result.code == .noFix && result.errors.contains(reason), "\(result.errors)")
        let enough = try await CommandTrial.run("watch -a 7 \(options) x", script)
        #expect(enough.status == 0 && enough.errors.isEmpty, "\(enough.errors)")
        let quiet = try await CommandTrial.run("watch -q -a 5 \(options) x", script)
        #expect(quiet == result, "\(quiet.errors)")
        let limited = try await CommandTrial.run("watch -t 9s -a 5 \(options) x", script)
        #expect(limited.errors.components(separatedBy: "no position accurate").count == 2, "\(limited.errors)")
    }

    @Test(arguments: ["-j -s", "-s", "-s --csv"])
    func `a number of positions ends a session that shows only states`(format: String) async throws {
        let script: [ScriptStep] = [
            .location(ScriptedSession.gate), .wait(.seconds(1)), .location(ScriptedSession.gate), .wait(.seconds(5)),
            .end,
        ]
        let result = try await CommandTrial.run("watch \(format) -n 1 x", script)
        #expect(result.status == 0, "\(result.errors)")
        // A change of state has its position in CSV.
        #expect(format.contains("csv") || !result.output.contains("52.5163"), "\(result.output)")
        if format.contains("-j") {
            #expect(result.output.contains(#""reason":"count","locations":0,"#), "\(result.output)")
        }
    }

    @Test func `without positions the line of a fix is the same as with them`() async throws {
        let line = "--pace max $FIXTURES/two-devices/session.json"
        let all = try await CommandTrial().run("watch \(line)").lines(with: " found ")
        #expect(!all.isEmpty)
        #expect(try await CommandTrial().run("watch -s \(line)").lines(with: " found ") == all)
    }

    @Test func `a change of state has one time, whether the format waits for whole epochs or not`() async throws {
        let line = "--pace max $FIXTURES/fix-lost-and-found/session.json"
        let states = try await CommandTrial().run("-j \(line)").objects("state").filter {
            $0["to"] as? String == "found" || $0["from"] as? String == "found"
        }
        let rows = try await CommandTrial().run("-s --csv \(line)").lines(with: "found,")
        #expect(states.count == 3 && rows.count == 3)
        for (state, row) in zip(states, rows) {
            let cells = row.split(separator: ",", omittingEmptySubsequences: false)
            #expect(state["time"] as? String == String(cells[0]))
            #expect(state["after"] as? Double == Double(cells[4]))
        }
    }

    @Test func `watch prints positions and changes of state of a script`() async throws {
        let script: [ScriptStep] = [
            .searching(.connected(release: "3.25")), .wait(.seconds(2)), .location(ScriptedSession.gate),
            .wait(.seconds(10)), .end,
        ]
        let result = try await CommandTrial.run("watch -j x", script)
        #expect(result.code == .done && result.errors == "")
        #expect(
            try result.words() == ["start", "state connected", "state fix", "location", "state silent", "end ended"])
        #expect(try result.objects("state").map { $0["after"] as? Double } == [0, 2, 3])
    }

    @Test func `watch prints failures with the next attempt, and continues`() async throws {
        let refused = LocationError.unreachable(host: "x", port: 2947, cause: "refused")
        let source = ScriptedLocationSource()
        source.forceEvent(.failure(refused, retry: .milliseconds(500)))
        source.end()
        let result = try await CommandTrial(provider: source).run("watch -j x")
        #expect(try result.words() == ["start", "state unreachable", "error unreachable", "end ended"])
        #expect(try result.objects()[2]["retry"] as? Double == 0.5)
    }

    @Test func `an error that ends the session is in the output, on standard error and in the exit code`() async throws
    {
        let lost = LocationError.connectionLost(host: "x", port: 1, cause: "reset")
        let result = try await CommandTrial.run("watch -j x", [.location(ScriptedSession.gate), .endThrowing(lost)])
        #expect(result.code == .unavailable)
        #expect(
            try result.words()
                == ["start", "state fix", "location", "state connectionLost", "error connectionLost", "end failed"])
        #expect(result.errors.contains("reset"))
    }

    @Test func `a source that cannot be opened is also an error in JSON`() async throws {
        let missing = LocationError.unreadable(path: "x.json", cause: "No such file or directory")
        let trial = CommandTrial(provider: ScriptedLocationSource(), openingFailure: missing)
        let json = try await trial.run("watch -j x")
        #expect(json.code == .noInput)
        #expect(try json.words() == ["start", "error unreadable", "end failed"])
        let text = try await trial.run("watch x")
        #expect(text.code == .noInput)
        #expect(text.output == "")
    }
}
