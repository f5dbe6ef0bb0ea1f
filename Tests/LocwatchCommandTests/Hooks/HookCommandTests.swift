import Foundation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchTerminal

/// Hooks of a command that runs in memory; only what a recording needs, as processes belong to the end-to-end tests.
@Suite(.serialized, .alone) struct HookCommandTests {
    @Test func `a recording runs hooks only at a pace that is given`() async throws {
        let drive = RecordedDrive.text(points: 3)
        let result = try await CommandTrial.run("export csv --on found=/nonexistent/program @", reading: drive)
        #expect(result.code == .done)
        let rule = "locwatch: hooks run over a recording only at a pace that is given, as in --pace recorded\n"
        #expect(result.errors == rule)
        #expect(try await CommandTrial.run("-q export csv --on found=x @", reading: drive).errors == "")
        // Quiet leaves out what a hook prints, and says why it fails.
        let scratch = try Scratch()
        let file = try scratch.write(drive, to: "drive.json").path
        let failing = ["-q", "--csv", "--pace", "max", "--on", "found=echo words; exit 3", file]
        #expect(try await CommandTrial().run(failing).errors == "locwatch: on found: exit code 3\n")
    }
}
