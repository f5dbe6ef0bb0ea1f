import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchSession

/// The output of commands about a receiver that is attacked.
@Suite(.serialized, .alone) struct IntegrityCommandTests {
    private static let harbour = Coordinate(latitude: 54.1821, longitude: 7.8894)

    private func run(_ line: String, _ attack: AttackedReceiver.Attack = .spoofed) async throws -> CommandTrial.Result {
        let receiver = AttackedReceiver(attack, at: Self.harbour, before: 70, during: 30, device: "/dev/ttyACM0")
        return try await CommandTrial.run(line, [.attacked(receiver), .end])
    }

    private func lines(_ text: String, with part: String) -> [String] {
        text.split(separator: "\n").map(String.init).filter { $0.contains(part) }
    }

    @Test func `text has a line for each change and none while the receiver is nominal`() async throws {
        let shown = try await run("watch --utc x")
        let alarms = lines(shown.output, with: "  alarm ")
        #expect(alarms.count == 2, "\(shown.output.suffix(3000))")
        #expect(alarms.first?.contains("jump: moved ") == true)
        #expect(alarms.last?.contains("jump, uniform: its 10 signals in use differ by") == true)
        #expect(lines(shown.output, with: "suspect").isEmpty)
    }

    @Test(arguments: [48, 80, 120]) func `text marks each position of a receiver in alarm`(columns: Int) async throws {
        let receiver = AttackedReceiver(.spoofed, at: Self.harbour, before: 70, during: 30, device: "/dev/ttyACM0")
        let shown = try await CommandTrial.run("watch x", [.attacked(receiver), .end], columns: columns)
        let positions = lines(shown.output, with: "  54.")
        #expect(positions.count == 100 && positions.suffix(30).allSatisfy { $0.hasSuffix("  alarm") })
        #expect(positions.count { $0.contains("alarm") } == 30)
        #expect(positions.allSatisfy { $0.unicodeScalars.count <= columns })
    }

    @Test func `JSON has an event, and positions carry the verdict and the stillness`() async throws {
        let shown = try await run("watch --json x")
        let events = lines(shown.output, with: #""event":"integrity""#)
        #expect(events.count == 2)
        #expect(
            events.first?.contains(
                #""device":"/dev/ttyACM0","from":"nominal","to":"alarm","reasons":["jump"],"message":"moved "#) == true
        )
        let positions = lines(shown.output, with: #""event":"location""#)
        #expect(positions.count == 100)
        #expect(positions.count { $0.contains(#""integrity":"alarm""#) } == 30)
        #expect(positions.count { $0.contains(#""stationary":true"#) } == 10)
        #expect(positions.prefix(60).allSatisfy { !$0.contains("integrity") && !$0.contains("stationary") })
    }

    @Test func `CSV and templates have the verdict as a field`() async throws {
        let table = try await run("watch --csv --columns time,integrity,stationary x")
        #expect(table.output.contains("Z,,1\r\n") && table.output.contains("Z,alarm,\r\n"))
        let template = try await run("watch --format %{integrity}/%{stationary} x")
        let words = Set(template.output.split(separator: "\n"))
        #expect(words == ["-/-", "-/stationary", "alarm/-"])
    }

    @Test func `a jammed receiver is first suspect and then in alarm`() async throws {
        let shown = try await run("watch --json x", .jammed)
        let events = lines(shown.output, with: #""event":"integrity""#)
        #expect(events.map { $0.contains(#""to":"suspect","reasons":["receiver"]"#) } == [true, false])
        #expect(events.last?.contains(#""from":"suspect","to":"alarm","reasons":["signal","receiver"]"#) == true)
    }

    @Test func `a bar has a class for an alarm, and its tooltip says why`() async throws {
        let shown = try await run("watch --format waybar x")
        let last = try #require(lines(shown.output, with: #""class":"alarm""#).last)
        #expect(last.contains("alarm: jump"))
        #expect(lines(shown.output, with: #""class":"found""#).allSatisfy { !$0.contains("jump") })
    }

    @Test func `the statistics count the verdicts`() async throws {
        let text = try await run("stats x")
        let row = "Integrity     suspect 0 times for 0 s, 1 alarm for 29 s: jump, uniform"
        #expect(lines(text.output, with: "Integrity") == [row])
        let json = try await run("stats --json x")
        #expect(json.output.contains(#""alarms":1,"reasons":["jump","uniform"]"#))
    }

    @Test func `a rolled over date is suspect, with the likely date`() async throws {
        let shown = try await run("watch --json x", .rolledOver)
        let events = lines(shown.output, with: #""event":"integrity""#)
        #expect(events.count == 1 && events.first?.contains(#""reasons":["rollover"]"#) == true)
    }

    @Test func `the columns of a track have the judgement and the stillness`() async throws {
        let output = try await run("export csv --columns time,stationary,integrity x").output
        let rows = output.split(whereSeparator: \.isNewline)
        #expect(rows.contains { $0.hasSuffix(",1,") }, "\(rows.suffix(3))")
        #expect(rows.contains { $0.hasSuffix(",alarm") }, "\(rows.suffix(3))")
        #expect(rows[1].hasSuffix("Z,,"))
    }
}
