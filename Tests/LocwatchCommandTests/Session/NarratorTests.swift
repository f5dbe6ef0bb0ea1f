import Foundation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchSession
@testable import LocwatchTerminal

/// Tests of the one voice on standard error.
@Suite(.serialized, .withClocks) struct NarratorTests {
    @Test(arguments: ["watch --csv", "record -", "export csv", "stats -x 30s", "time -x 30s", "devices --follow"])
    func `every command says a failure once, with advice, and counts its repetitions`(command: String) async throws {
        let refused = LocationError.unreachable(host: "x", port: 2947, cause: "refused")
        func session(_ options: String) async throws -> CommandTrial.Result {
            let failures = (1...3).flatMap { [ScriptStep.error(refused), .wait(.seconds($0))] }
            return try await CommandTrial.run("\(command) \(options) x", failures + [.location(52.5, 13.4), .end])
        }
        let lines = try await session("").errors.split(separator: "\n")
        #expect(lines.first == "locwatch: no gpsd at x:2947: refused")
        #expect(lines.dropFirst().first?.contains("gpsd accepts remote connections") == true, "\(lines)")
        #expect(lines.dropFirst(2).first == "locwatch: no gpsd at x:2947: refused: failed 3 times", "\(lines)")
        #expect(lines.count { $0.contains("refused") } == 2, "\(lines)")
        #expect(try await !session("-q").errors.contains("refused"))
        let log = try await session("-v").errors.split(separator: "\n")
        #expect(log.count { $0.contains("gpsd accepts remote connections") } == 1, "\(log)")
        #expect(!log.contains { $0.contains("failed 3 times") }, "the log has each: \(log)")
    }

    @Test(arguments: [
        ("record -q @.json @", true), ("export csv -q -o @.csv @", true), ("watch -q --pace max @", true),
        ("devices -q $FIXTURES/no-device/session.json", true), ("stats -q @", true),
        ("once -q $FIXTURES/no-fix/session.json", false), ("watch -q ./none", false),
    ])
    func `quiet prints nothing but the error that ends the program`(line: String, isDone: Bool) async throws {
        let result = try await CommandTrial.run(line, reading: RecordedDrive.text(points: 20))
        #expect((result.code == .done) == isDone)
        #expect(isDone ? result.errors == "" : result.errors.hasPrefix("locwatch: "), "\(result.errors)")
    }

    @Test(arguments: ["once -t 20s", "once -j -t 20s", "watch -x 20s", "export csv -x 20s"])
    func `the narrator says once, while they come, that positions are too inaccurate`(command: String) async throws {
        func errors(seconds: Int) async throws -> String {
            let second = [ScriptStep.location(52.5, 13.4, accuracy: 9), .wait(.seconds(1))]
            let steps = (0..<seconds).flatMap { _ in second }
            return try await CommandTrial.run("\(command) -a 5 x", steps + [.hang]).errors
        }
        let words = "locwatch: waiting: no position accurate to 5 m; the best is accurate to 9 m"
        #expect(try await errors(seconds: 8).components(separatedBy: words).count == 2)
        #expect(try await !errors(seconds: 4).contains(words), "the receiver may still improve")
    }

    @Test func `hidden characters reach no terminal`() async throws {
        let evil = LocationError.daemon(message: "\u{1B}[2Jgone\u{202E}")
        let result = try await CommandTrial.run("record - x", [.error(evil), .end])
        #expect(!result.errors.utf8.contains(0x1B) && !result.errors.unicodeScalars.contains("\u{202E}"))
    }

    @Test(arguments: ["watch --csv", "record -", "export csv"])
    func `a failure that was mended and then ends the session is said again`(command: String) async throws {
        let lost = LocationError.connectionLost(host: "x", port: 2947, cause: "reset")
        let mended = [ScriptStep.error(lost), .wait(.seconds(1)), .location(52.5, 13.4), .wait(.seconds(1))]
        let errors = try await CommandTrial.run("\(command) x", mended + [.endThrowing(lost)]).errors
        #expect(errors.components(separatedBy: "reset").count == 3, "\(errors)")
        let unmended = try await CommandTrial.run("\(command) x", [.error(lost), .endThrowing(lost)]).errors
        #expect(unmended.components(separatedBy: "reset").count == 2, "\(unmended)")
    }

    // MARK: --verbose

    @Test func `the log has all events but positions and satellites, and none twice`() {
        var log = VerboseLog()
        let updates = ScriptedSession.updates
        let told = updates.compactMap { log.words(for: $0) }
        let kinds = told.map { String($0.prefix { $0 != ":" }) }
        #expect(
            kinds == [
                "searching", "device", "searching", "found", "notice", "notice", "notice", "notice", "notice", "notice",
                "notice", "positions", "searching", "error",
            ], "\(told)")
        #expect(told[0] == "searching: connected to gpsd 3.22")
        #expect(told.last?.hasPrefix("error: no gpsd at localhost:2947") == true)
        #expect(told.allSatisfy { !$0.contains("\u{1B}") }, "hidden characters are made visible")
    }

    @Test func `the duration of the search does not include the time for which the position was held`() {
        let wall = Timestamp(secondsSince1970: 1_800_000_000)
        var location = Location(coordinate: Coordinate(latitude: 45, longitude: 7), fix: .threeD)
        location.received = wall.advanced(by: .milliseconds(20_000))
        let moment = Moment(elapsed: .milliseconds(20_300), wall: wall.advanced(by: .milliseconds(20_300)))
        var receiver = LocationTracker()
        let found = receiver.apply(.location(location), at: moment)[0]
        var log = VerboseLog()
        #expect(log.words(for: .transition(found))?.hasPrefix("found: 3D fix after 20 s: ") == true)
        var track = UpdateTracker()
        _ = track.results(of: LocationUpdate(.notice(.staleAfter(.seconds(86_400))), at: moment))
        log = VerboseLog()
        #expect(log.words(for: .transition(found), track.view)?.hasPrefix("found: 3D fix: ") == true)
    }

    @Test func `a continued search is logged only when its reason changes`() {
        var log = VerboseLog()
        func words(_ used: Int) -> String? {
            let reason = SearchReason.noFix(seen: 7, used: used, best: nil)
            return log.words(for: .update(LocationUpdate(.searching(reason, device: "/dev/x"), at: 0)))
        }
        #expect(words(0) == "searching: /dev/x: no fix, 7 satellites seen, 0 used")
        #expect(words(0) == nil)
        #expect(words(2) == "searching: /dev/x: no fix, 7 satellites seen, 2 used")
    }
}
