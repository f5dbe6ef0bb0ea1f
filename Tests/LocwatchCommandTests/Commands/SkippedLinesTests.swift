import Foundation
import TestSupport
import Testing

@testable import LocwatchTerminal

/// Tests of the message about the lines of a recording that could not be read.
@Suite(.serialized, .alone) struct SkippedLinesTests {
    private static let commands = [
        ["watch", "--pace", "max"], ["watch", "--csv", "--pace", "max"], ["stats"], ["export", "gpx"], ["record", "-"],
    ]

    /// Writes a drive with lines in the place of its last bytes; returns its path.
    private func drive(_ scratch: Scratch, ending: String) throws -> String {
        try scratch.write(Array((RecordedDrive.text(points: 20) + ending).utf8), to: "drive.json")
    }

    @Test(arguments: commands)
    func `every command counts the lines that were skipped, once`(words: [String]) async throws {
        let scratch = try Scratch()
        let path = try drive(
            scratch, ending: "noise\n{\"class\":\n" + RecordedDrive.text(points: 1) + "{\"class\":\"TP")
        let result = try await CommandTrial().run(words + [path])
        #expect(result.code == .done)
        let said = ": no JSON object at byte 0, and 3 lines were skipped in all\n"
        #expect(result.errors.components(separatedBy: said).count == 2, "\(result.errors)")
        #expect(result.errors.hasPrefix("locwatch: \(path): line "), "\(result.errors)")
        #expect(try await CommandTrial().run(words + ["-q", path]).errors == "")
    }

    @Test func `a torn last line is said, and a whole recording says nothing`() async throws {
        let scratch = try Scratch()
        let torn = try drive(scratch, ending: "{\"class\":\"TP")
        let result = try await CommandTrial().run(["stats", torn])
        #expect(
            result.errors
                == "locwatch: \(torn): the recording ends with an incomplete line of 12 bytes, and 1 line was skipped in all\n"
        )
        #expect(try await CommandTrial().run(["stats", try drive(scratch, ending: "")]).errors == "")
        // JSON has the notices themselves.
        #expect(try await CommandTrial().run(["watch", "-j", "--pace", "max", torn]).errors == "")
    }
}
