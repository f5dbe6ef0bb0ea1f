import TestSupport
import Testing

@testable import LocwatchTerminal

/// Tests of `--device` with a recording.
@Suite(.serialized, .alone) struct RequestedReceiverTests {
    private static let commands = [
        ["watch", "--pace", "max"], ["watch", "-j", "--pace", "max"], ["once"], ["stats"], ["export", "csv"],
        ["record", "-"],
        ["publish", "udp://127.0.0.1:9", "--queue", "memory"],
    ]

    @Test(arguments: commands)
    func `a receiver that a recording does not have is an error that names those that it has`(
        words: [String]
    ) async throws {
        let scratch = try Scratch()
        let drive = try scratch.write(Array(RecordedDrive.text(points: 100).utf8), to: "drive.json")
        for name in ["/dev/ttyUSB9", "ttyU*"] {
            let result = try await CommandTrial().run(words + ["--device", name, drive])
            #expect(result.code == .unavailable)
            let said = result.errors + result.output
            #expect(said.contains("there is no receiver \(name), but /dev/ttyACM0"), "\(said)")
        }
    }

    @Test(arguments: ["/dev/ttyACM0", "ttyACM0", "ttyACM*", "/dev/*"])
    func `a pattern selects the receivers of a recording for watch and export`(name: String) async throws {
        let scratch = try Scratch()
        let drive = try scratch.write(Array(RecordedDrive.text(points: 100).utf8), to: "drive.json")
        for words in [["watch", "--csv", "--pace", "max"], ["export", "csv"]] {
            let result = try await CommandTrial().run(words + ["--device", name, drive])
            #expect(result.code == .done)
            #expect(result.lines.count == 101)
        }
    }
}
