import Foundation
import LocationRecordings
import LocationTesting
import LocationCore
import TestSupport
import Testing

@testable import LocwatchTerminal

/// `record` over scripted sources.
@Suite(.serialized, .alone) struct RecordCommandTests {
    @Test func `record writes the lines of a recorded answer so that they replay`() async throws {
        let scratch = try Scratch()
        let path = scratch.url.appending(path: "out.json").path
        let result = try await CommandTrial.run(
            "record \(path) x", [.replay(RecordedAnswer(.path(ExportCommandTests.fixture("walk")))), .end])
        #expect(result.code == .done, "\(result.errors)")
        #expect(result.errors.contains("saved "))
        func positions(_ path: String) async throws -> [Coordinate] {
            var positions: [Coordinate] = []
            for try await update in ReplayProvider(.path(path), pace: .max).updates(for: .everything) {
                if case .location(let location) = update.event { positions.append(location.coordinate) }
            }
            return positions
        }
        let recorded = try await positions(path)
        #expect(recorded.count == 40)
        #expect(try await positions(ExportCommandTests.fixture("walk")) == recorded)
    }

    @Test func `record keeps an existing file without --force, with the message of export`() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("precious", to: "old.json")
        let result = try await CommandTrial.run("record \(file.path) x", [.location(45, 7), .end])
        #expect(result.errors == "locwatch: \(file.path) already exists; to overwrite it, add --force\n")
        #expect(result.code == .cannotCreate)
        #expect(try String(contentsOf: file, encoding: .utf8) == "precious")
    }

    @Test func `record --force keeps the old recording until the new one has a line`() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("precious", to: "old.json")
        let link = scratch.url.appending(path: "link.json")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        let refused = LocationError.unreachable(host: "x", port: 2947, cause: "refused")
        for path in [file.path, link.path] {
            let failed = try await CommandTrial.run("record --force \(path) x", [.endThrowing(refused)])
            #expect(failed.code == .unavailable)
            #expect(try String(contentsOf: file, encoding: .utf8) == "precious")
        }
        let made = try await CommandTrial.run(
            "record --force \(link.path) x", [.replay(RecordedAnswer(.path(ExportCommandTests.fixture("walk")))), .end])
        #expect(made.code == .done, "\(made.errors)")
        #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix(#"{"class":"LOCWATCH""#))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path, "the link stays")
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)) == ["old.json", "link.json"])
    }

    @Test(arguments: ["record --force", "export json -o"])
    func `a recording is never overwritten while it is read`(command: String) async throws {
        let scratch = try Scratch()
        let text = try String(contentsOfFile: ExportCommandTests.fixture("walk"), encoding: .utf8)
        let file = try scratch.write(text, to: "drive.json")
        let result = try await CommandTrial.run("\(command) \(file.path) \(file.path) --force", [.end])
        #expect(result.code == .usage)
        #expect(result.errors.contains("cannot be both the recording to read and the file to write"))
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test func `a file that does not exist is not both the recording and the file to write`() async throws {
        let scratch = try Scratch()
        let path = scratch.url.appending(path: "new.json").path
        let result = try await CommandTrial.run("record \(path) \(path)", [.end])
        #expect(result.code == .usage)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `record encodes the positions of a provider without lines`() async throws {
        let scratch = try Scratch()
        let path = scratch.url.appending(path: "out.json").path
        let sky = SkyView(satellites: nil, seen: 12, used: 7, device: "/dev/gps0")
        let script: [ScriptStep] = [
            .satellites(sky), .location(ScriptedSession.gate), .wait(.seconds(2)),
            .searching(.noFix(seen: 0, used: 0, best: nil), device: "/dev/gps0"),
            .wait(.seconds(1)), .end,
        ]
        let result = try await CommandTrial.run("record \(path) x", script)
        #expect(result.code == .done, "\(result.errors)")
        var events: [LocationEvent] = []
        for try await update in ReplayProvider(.path(path), pace: .max).updates(for: .everything) {
            events.append(update.event)
        }
        let location = try #require(
            events.compactMap { if case .location(let location) = $0 { location } else { nil } }.first)
        #expect(location.coordinate == ScriptedSession.gate.coordinate && location.horizontalAccuracy == 5)
        #expect(
            events.contains { if case .satellites(let sky) = $0 { sky.seen == 12 && sky.used == 7 } else { false } })
        #expect(
            events.contains { event in
                if case .searching(.noFix, "/dev/gps0") = event { true } else { false }
            })
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
