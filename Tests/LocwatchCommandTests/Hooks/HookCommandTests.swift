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
        let paced = try await CommandTrial().run(["--pace", "max", "--on", "found=exit 3", drive.path])
        #expect(paced.errors == "locwatch: on found: exit code 3\n")
        let quiet = try await CommandTrial().run(["-q", "export", "csv", "--on", "found=x", drive.path])
        #expect(quiet.errors == "")
    }

    @Test func `a program that does not exist is reported once, and ends nothing`() async throws {
        let script: [ScriptStep] = [.location(45, 7), .wait(.seconds(1)), .location(45, 7), .end]
        let result = try await CommandTrial.run("--on every=no-such-program --csv x", script)
        #expect(result.code == .done)
        #expect(result.lines.count == 3)
        let lines = result.errors.split(separator: "\n")
        #expect(lines.count { $0.hasSuffix("no-such-program: not found") } == 2, "\(result.errors)")
        #expect(lines.count { $0 == "locwatch: on every: exit code 127" } == 1)
        #expect(lines.last == "locwatch: on every: failed 2 of 2 times")
    }
}
