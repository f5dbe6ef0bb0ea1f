import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchSession

/// The output of commands about a receiver that is attacked.
@Suite(.serialized, .withClocks) struct IntegrityCommandTests {
    private static let harbour = Coordinate(latitude: 54.1821, longitude: 7.8894)

    private func run(
        _ line: String, _ attack: AttackedReceiver.Attack = .spoofed, columns: Int? = nil
    ) async throws -> CommandTrial.Result {
        let receiver = AttackedReceiver(attack, at: Self.harbour, before: 70, during: 30, device: "/dev/ttyACM0")
        return try await CommandTrial.run(line, [.attacked(receiver), .end], columns: columns)
    }

    private static let event = #""event":"integrity""#

    @Test func `text has a line for each change and none while the receiver is nominal`() async throws {
        let shown = try await run("watch --utc x")
        let alarms = shown.lines(with: "  alarm ")
        #expect(alarms.count == 2, "\(shown.output.suffix(3000))")
        #expect(alarms.first?.contains("jump: moved ") == true)
        #expect(alarms.last?.contains("jump, uniform: its 10 signals in use differ by") == true)
        #expect(shown.lines(with: "suspect").isEmpty)
    }

    @Test(arguments: [48, 80, 120]) func `text marks each position of a receiver in alarm`(columns: Int) async throws {
        let positions = try await run("watch x", columns: columns).lines(with: "  54.")
        #expect(positions.count == 100 && positions.suffix(30).allSatisfy { $0.hasSuffix("  alarm") })
        #expect(positions.count { $0.contains("alarm") } == 30)
        #expect(positions.allSatisfy { $0.unicodeScalars.count <= columns })
    }

    @Test func `JSON has an event, and positions carry the verdict and the stillness`() async throws {
        let shown = try await run("watch --json x")
        let events = shown.lines(with: Self.event)
        let change = #""from":"nominal","to":"alarm","reasons":["jump"],"message":"moved "#
        #expect(events.count == 2 && events.first?.contains(#""device":"/dev/ttyACM0",\#(change)"#) == true)
        let positions = shown.lines(with: #""event":"location""#)
        #expect(positions.count == 100)
        #expect(positions.count { $0.contains(#""integrity":"alarm""#) } == 30)
        #expect(positions.count { $0.contains(#""stationary":true"#) } == 10)
        #expect(positions.prefix(60).allSatisfy { !$0.contains("integrity") && !$0.contains("stationary") })
    }

    @Test(arguments: ["watch --csv", "export csv"])
    func `a table has the verdict and the stillness as columns`(command: String) async throws {
        let rows = try await run("\(command) --columns time,integrity,stationary x").lines
        #expect(rows.contains { $0.hasSuffix("Z,,1") } && rows.contains { $0.hasSuffix("Z,alarm,") })
        #expect(rows[1].hasSuffix("Z,,"))
    }

    @Test func `templates have the verdict as a field`() async throws {
        let lines = try await run("watch --format %{integrity}/%{stationary} x").lines
        #expect(Set(lines) == ["-/-", "-/stationary", "alarm/-"])
    }

    @Test func `a jammed receiver is first suspect and then in alarm`() async throws {
        let events = try await run("watch --json x", .jammed).lines(with: Self.event)
        #expect(events.map { $0.contains(#""to":"suspect","reasons":["receiver"]"#) } == [true, false])
        #expect(events.last?.contains(#""from":"suspect","to":"alarm","reasons":["signal","receiver"]"#) == true)
    }

    @Test func `the statistics count the verdicts`() async throws {
        let row = "Integrity     suspect 0 times for 0 s, 1 alarm for 29 s: jump, uniform"
        #expect(try await run("stats x").lines(with: "Integrity") == [row])
        #expect(try await run("stats --json x").output.contains(#""alarms":1,"reasons":["jump","uniform"]"#))
    }

    @Test func `a rolled over date is suspect, with the likely date`() async throws {
        let events = try await run("watch --json x", .rolledOver).lines(with: Self.event)
        #expect(events.count == 1 && events.first?.contains(#""reasons":["rollover"]"#) == true)
    }
}
