import Foundation
import LocationCore
import LocationPublishing
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchTerminal

/// Tests of InfluxDB's lines and of text targets in the commands.
@Suite(.serialized, .withClocks) struct InfluxOutputTests {
    private func points(_ text: String) throws -> [[String: Any]] {
        let script = Golden.package.appending(path: "Tests/Oracles/influx_lines.py").path
        let tool = try Tool("python3", [script], input: text)
        try #require(tool.status == 0, "\(tool.errors)")
        return try tool.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test func `watch, once and export print the same points as lines`() async throws {
        let drive = RecordedDrive.text(points: 3)
        let watched = try await CommandTrial.run("watch --pace max -f influx @", reading: drive)
        let points = try points(watched.output)
        #expect(watched.code == .done && points.count == 3)
        #expect(points.map { $0["time"] as? Int } == [0, 1, 2].map { (1_794_268_800 + $0) * 1_000_000_000 })
        #expect(points.map { $0["tags"] as? [String: String] }.allSatisfy { $0 == ["device": "/dev/ttyACM0"] })
        let fields = try #require(points[2]["fields"] as? [String: Any])
        #expect(fields["lat"] as? Double == 45.100002 && fields["mode"] as? Int == 3 && fields["eph"] as? Double == 5.1)
        let exported = try await CommandTrial.run("export influx @", reading: drive)
        let once = try await CommandTrial.run("once -f influx --precision 4 @", reading: drive)
        #expect(try self.points(exported.output).map { $0["time"] as? Int } == points.map { $0["time"] as? Int })
        #expect(once.output.contains(" lat=45.1,lon=7.5,") && once.lines.count == 1)
        // A looked-up point says that it is one.
        let between = try await CommandTrial.run("where -f influx @ 2026-11-10T00:00:00.5Z", reading: drive)
        #expect(try (self.points(between.output)[0]["fields"] as? [String: Any])?["interpolated"] as? Double == 1)
    }

    @Test(arguments: [
        ("publish udp+text://h:1", "the text is missing: give a template with --body"),
        ("publish --body %{lat udp+text://h:1", "expected a } after every %{"),
        ("publish --body influx udp://h:1", "a body was given, and no target can use it"),
        ("publish --body influx udp+text://h", "the port is missing, as in udp+text://HOST:49002"),
    ])
    func `a text target needs a text and a port`(line: String, part: String) async throws {
        let result = try await CommandTrial().run(line + " --check")
        #expect(result.code == .usage && result.errors.contains(part), "\(result.errors)")
    }

    @Test func `publish --check tells what a text target gets`() async throws {
        let words = "publish --check --body %{lat} udp+text://h:1 --to tcp+text://h:2?newest --to tcp+text://h:3"
        let result = try await CommandTrial(environment: ["HOME": "/nonexistent"]).run(words)
        #expect(result.code == .done, "\(result.errors)")
        let text = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("each position is sent once, and nothing acknowledges it"))
        #expect(text.contains("the program gets only the positions that are sent while it is connected"))
        #expect(text.contains("after an outage every position in the order of time"))
    }

    @Test func `doctor tries the connection of a text target, without a text`() async throws {
        let peer = LoopbackPeer()
        let refused = try await CommandTrial().run("doctor tcp+text://127.0.0.1:\(peer.port)")
        #expect(refused.code == .unavailable && refused.output.contains("cannot connect to 127.0.0.1"))
        peer.listen()
        let accepted = try await CommandTrial().run("doctor tcp+text://127.0.0.1:\(peer.port)")
        #expect(accepted.code == .done && accepted.output.contains("a program accepts connections"))
        let datagrams = try await CommandTrial().run("doctor udp+text://127.0.0.1:\(peer.port)")
        #expect(datagrams.output.contains("UDP has no acknowledgements"))
    }
}
