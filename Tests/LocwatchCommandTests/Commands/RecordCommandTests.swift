import Foundation
import LocationCore
import LocationRecordings
import LocationRecordingsTesting
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchTerminal

@Suite(.serialized, .alone) struct RecordCommandTests {
    private static let walk: [ScriptStep] = [.replay(RecordedAnswer(.path(ExportCommandTests.fixture("walk")))), .end]

    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func events(_ path: String) async throws -> [LocationEvent] {
        var events: [LocationEvent] = []
        for try await update in ReplayProvider(.path(path), pace: .max).updates(for: .everything) {
            events.append(update.event)
        }
        return events
    }

    @Test func `record writes the lines of a recorded answer so that they replay`() async throws {
        let path = scratch.path("out.json")
        let result = try await CommandTrial.run("record \(path) x", Self.walk)
        #expect(result.code == .done, "\(result.errors)")
        #expect(result.errors.contains("saved "))
        let recorded = try await events(path).compactMap(\.location?.coordinate)
        #expect(recorded.count == 40)
        #expect(try await events(ExportCommandTests.fixture("walk")).compactMap(\.location?.coordinate) == recorded)
    }

    @Test func `record --force keeps the old recording until the new one has a line`() async throws {
        let file = try scratch.write("precious", to: "old.json")
        let link = scratch.url.appending(path: "link.json")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        let refused = LocationError.unreachable(host: "x", port: 2947, cause: "refused")
        for path in [file.path, link.path] {
            let failed = try await CommandTrial.run("record --force \(path) x", [.endThrowing(refused)])
            #expect(failed.code == .unavailable)
            #expect(try scratch.text("old.json") == "precious")
        }
        let made = try await CommandTrial.run("record --force \(link.path) x", Self.walk)
        #expect(made.code == .done, "\(made.errors)")
        #expect(try scratch.text("old.json").hasPrefix(#"{"class":"LOCWATCH""#))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path, "the link stays")
        #expect(scratch.names == ["link.json", "old.json"])
    }

    @Test(arguments: ["record --force", "export json -o"])
    func `a recording is never overwritten while it is read`(command: String) async throws {
        let text = RecordedDrive.text(points: 3)
        let file = try scratch.write(text, to: "drive.json")
        let result = try await CommandTrial.run("\(command) \(file.path) \(file.path) --force", [.end])
        #expect(result.code == .usage)
        #expect(result.errors.contains("cannot be both the recording to read and the file to write"))
        #expect(try scratch.text("drive.json") == text)
    }

    @Test func `a file that does not exist yet cannot be both either, and is not made`() async throws {
        let path = scratch.path("new.json")
        let result = try await CommandTrial.run("record \(path) \(path)", [.end])
        #expect(result.code == .usage && result.errors.contains("cannot be both"), "\(result)")
        #expect(scratch.names == [])
    }

    @Test func `record encodes the positions of a provider without lines`() async throws {
        let path = scratch.path("out.json")
        let sky = SkyView(satellites: nil, seen: 12, used: 7, device: "/dev/gps0")
        let script: [ScriptStep] = [
            .satellites(sky), .location(ScriptedSession.gate), .wait(.seconds(2)),
            .searching(.noFix(seen: 0, used: 0, best: nil), device: "/dev/gps0"), .wait(.seconds(1)), .end,
        ]
        let result = try await CommandTrial.run("record \(path) x", script)
        #expect(result.code == .done, "\(result.errors)")
        let events = try await events(path)
        let location = try #require(events.compactMap(\.location).first)
        #expect(location.coordinate == ScriptedSession.gate.coordinate && location.horizontalAccuracy == 5)
        #expect(
            events.contains { if case .satellites(let sky) = $0 { sky.seen == 12 && sky.used == 7 } else { false } })
        #expect(events.contains { if case .searching(.noFix, "/dev/gps0") = $0 { true } else { false } })
    }

    @Test func `record to standard output contains every line of the source`() async throws {
        let answer = RecordedAnswer(lines: [
            #"{"class":"VERSION","release":"3.22"}"#, "no report",
            #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-01-01T00:00:01Z","lat":1,"lon":2}"#,
        ])
        let result = try await CommandTrial.run("record - x", [.replay(answer), .end])
        let own = result.lines.filter { !$0.hasPrefix(#"{"class":"LOCWATCH""#) }
        #expect(own.count == 3)
        #expect(own[1] == "no report")
        #expect(result.lines.first?.contains(#""format":1"#) == true)
    }
}
