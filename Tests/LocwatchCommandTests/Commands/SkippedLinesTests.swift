import Foundation
import TestSupport
import Testing

@testable import LocwatchTerminal

/// Tests of the message about the lines of a recording that could not be read.
@Suite(.serialized, .alone) struct SkippedLinesTests {
    @Test(arguments: ["watch --pace max", "watch --csv --pace max", "stats", "export gpx", "record -"])
    func `every command counts the lines that were skipped, once`(command: String) async throws {
        let torn = "noise\n{\"class\":\n" + RecordedDrive.text(points: 1) + "{\"class\":\"TP"
        let text = RecordedDrive.text(points: 20) + torn
        let result = try await CommandTrial.run("\(command) @", reading: text)
        #expect(result.code == .done)
        let said = ": no JSON object at byte 0, and 3 lines were skipped in all\n"
        #expect(result.errors.components(separatedBy: said).count == 2, "\(result.errors)")
        #expect(result.errors.contains(#/^locwatch: .*/drive.json: line /#), "\(result.errors)")
        #expect(try await CommandTrial.run("\(command) -q @", reading: text).errors == "")
    }

    // JSON has the notices themselves.
    @Test(arguments: [("stats", true, 1), ("stats", false, 0), ("watch -j --pace max", true, 0)])
    func `a torn last line is said, and a whole recording says nothing`(
        command: String, isTorn: Bool, count: Int
    ) async throws {
        let text = RecordedDrive.text(points: 20) + (isTorn ? "{\"class\":\"TP" : "")
        let lines = try await CommandTrial.run("\(command) @", reading: text).errors.split(separator: "\n")
        let said = "drive.json: the recording ends with an incomplete line of 12 bytes, and 1 line was skipped in all"
        #expect(lines.count == count && lines.allSatisfy { $0.hasPrefix("locwatch: ") && $0.hasSuffix(said) })
    }
}
