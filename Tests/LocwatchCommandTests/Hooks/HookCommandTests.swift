import Foundation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchTerminal

/// Hooks of a command that runs in memory; only what a recording needs, as processes belong to the end-to-end tests.
struct HookCommandTests {
    @Test func `a recording runs no hooks unless they are asked for`() async throws {
        let scratch = try Scratch()
        let drive = try scratch.write(RecordedDrive.text(points: 3), to: "drive.json")
        let result = try await CommandTrial().run(["--pace", "max", "--on", "found=/nonexistent/program", drive.path])
        #expect(result.code == .done)
        #expect(result.errors == "locwatch: hooks do not run over a recording; --on-replay runs them\n")
        let quiet = try await CommandTrial().run(["-q", "--pace", "max", "--on", "found=/nonexistent", drive.path])
        #expect(quiet.errors == "")
    }

    @Test func `a program that does not exist is reported once, before it is needed, and ends nothing`() async throws {
        let script: [ScriptStep] = [.location(45, 7), .wait(.seconds(1)), .location(45, 7), .end]
        let result = try await CommandTrial.run("--on every=no-such-program --csv x", script)
        #expect(result.code == .done)
        #expect(result.lines.count == 3)
        #expect(
            result.errors == """
                locwatch: on every: there is no program no-such-program
                locwatch: on every: failed 2 of 2 times

                """)
    }
}
