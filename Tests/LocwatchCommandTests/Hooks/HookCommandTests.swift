import Foundation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchTerminal

/// Hooks of a command that runs in memory; only what a recording needs, as processes belong to the end-to-end tests.
@Suite(.serialized, .alone) struct HookCommandTests {
    @Test func `a recording runs hooks only at a pace that is given`() async throws {
        let scratch = try Scratch()
        let drive = try scratch.write(RecordedDrive.text(points: 3), to: "drive.json")
        let result = try await CommandTrial().run(["export", "csv", "--on", "found=/nonexistent/program", drive.path])
        #expect(result.code == .done)
        let rule = "locwatch: hooks run over a recording only at a pace that is given, as in --pace recorded\n"
        #expect(result.errors == rule)
        // Quiet leaves out what a hook prints, and says why it fails.
        let failing = ["-q", "--csv", "--pace", "max", "--on", "found=echo words; exit 3"]
        #expect(try await CommandTrial().run(failing + [drive.path]).errors == "locwatch: on found: exit code 3\n")
        let quiet = try await CommandTrial().run(["-q", "export", "csv", "--on", "found=x", drive.path])
        #expect(quiet.errors == "")
    }
}
