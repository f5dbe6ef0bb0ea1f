import Foundation
import LocationCore
import GPSDProtocol
import LocationRecordingsTesting
import LocationTesting
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocwatchTerminal

/// Lines of a source, one each second, which are much longer than those of gpsd.
private struct LongLines: ScriptedAnswer {
    static let length = 4 << 20
    let count: Int

    struct Arrivals: ScriptedArrivals {
        var seconds: Range<Int>

        mutating func next() -> [(event: LocationEvent, due: Duration)]? {
            seconds.popFirst().map { second in
                [(.line(Array(repeating: UInt8(ascii: "x"), count: LongLines.length)), .seconds(second))]
            }
        }
    }

    func open(includesLines: Bool) -> any ScriptedArrivals { Arrivals(seconds: 0..<count) }
}

/// The reader of a named pipe, which begins to read when a script comes to it.
private struct LateReader: ScriptedAnswer {
    struct Nothing: ScriptedArrivals {
        func next() -> [(event: LocationEvent, due: Duration)]? { nil }
    }

    private let descriptor: Int32
    private let path: String
    let lines: AsyncStream<Int>
    private let found: AsyncStream<Int>.Continuation

    init(_ path: String) throws {
        self.path = path
        (lines, found) = AsyncStream.makeStream()
        try #require(mkfifo(path, 0o600) == 0)
        // Without O_NONBLOCK this would wait for the writer.
        descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(descriptor >= 0 && fcntl(descriptor, F_SETFL, 0) == 0)
    }

    static func == (left: LateReader, right: LateReader) -> Bool { left.path == right.path }

    func hash(into hasher: inout Hasher) { hasher.combine(path) }

    /// Counts the long lines until the writer has closed the pipe.
    func open(includesLines: Bool) -> any ScriptedArrivals {
        do {
            try NativeThread.start { [descriptor, found] in
                var (bytes, length) = ([UInt8](repeating: 0, count: 1 << 20), 0)
                while true {
                    let count = read(descriptor, &bytes, bytes.count)
                    guard count > 0 else { break }
                    for byte in bytes.prefix(count) {
                        length = byte == UInt8(ascii: "x") ? length + 1 : 0
                        if length == LongLines.length { found.yield(1) }
                    }
                }
                close(descriptor)
                found.finish()
            }
        } catch {
            Issue.record(error)
        }
        return Nothing()
    }
}

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

    @Test func `a recording of a running session whose output takes nothing ends with 74 and says what it lost`()
        async throws
    {
        let reader = try LateReader(scratch.path("pipe"))
        let script: [ScriptStep] = [
            .place(Coordinate(latitude: 48, longitude: 16), accuracy: 5), .wait(.seconds(1)),
            .play(ScriptedPlayback(LongLines(count: 8))), .wait(.seconds(10)), .play(ScriptedPlayback(reader)), .end,
        ]
        let result = try await CommandTrial.run("record --force \(scratch.path("pipe")) x", script)
        // The pipe takes a part of the first line, and four of 4 MiB wait.
        #expect(result.code == .writingFailed)
        #expect(
            result.errors.contains("locwatch: the output takes nothing, so that lines are left out until it does\n"))
        #expect(result.errors.contains("locwatch: the output was too slow: left out 3 lines\n"), "\(result.errors)")
        #expect(await reader.lines.reduce(0, +) == 5)
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

    @Test(arguments: ["record --force", "export gpsd -o"])
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
