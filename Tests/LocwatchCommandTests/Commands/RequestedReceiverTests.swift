import TestSupport
import Testing

@testable import LocwatchTerminal

/// Tests of `--device` with a recording.
@Suite(.serialized, .withClocks) struct RequestedReceiverTests {
    private static let drive = RecordedDrive.text(points: 100)

    @Test(
        arguments: [
            "watch --pace max", "watch -j --pace max", "once", "stats", "export csv", "record -",
            "publish udp://127.0.0.1:9 --queue memory",
        ], ["/dev/ttyUSB9", "ttyU*"])
    func `a receiver that a recording does not have is an error that names those that it has`(
        command: String, name: String
    ) async throws {
        let result = try await CommandTrial.run("\(command) --device \(name) @", reading: Self.drive)
        #expect(result.code == .unavailable)
        let said = result.errors + result.output
        #expect(said.contains("there is no receiver \(name), but /dev/ttyACM0"), "\(said)")
    }

    @Test(arguments: ["watch --csv --pace max", "export csv"], ["/dev/ttyACM0", "ttyACM0", "ttyACM*", "/dev/*"])
    func `a pattern selects the receivers of a recording`(command: String, name: String) async throws {
        let result = try await CommandTrial.run("\(command) --device \(name) @", reading: Self.drive)
        #expect(result.code == .done)
        #expect(result.lines.count == 101)
    }

    @Test(arguments: ["export csv", "watch --csv --pace max"])
    func `--device leaves out nothing of a track without receivers, in each command`(command: String) async throws {
        let text = "time,lat,lon\n" + (0..<9).map { "2026-01-01T00:00:0\($0)Z,45.00\($0),7\n" }.joined()
        let line = "\(command) --device /dev/ttyUSB0 @"
        #expect(try await CommandTrial.run(line, reading: text, as: "track.csv").lines.count == 10)
    }
}
