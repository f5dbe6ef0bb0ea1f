import TestSupport
import Testing

/// The plain behaviours of the command, each script one subject.
@Suite(.withFew) struct ScriptTests {
    @Test(arguments: Script.all) func `a script does what it says`(script: Script) async throws {
        do { try await ScriptRun.run(script) } catch let failure as ScriptFailure {
            Issue.record("\(failure)", sourceLocation: script.location(of: failure.line.number))
        }
    }

    @Test(arguments: [
        "exec false", "! exec true", "exec (exit 3)\nexit 3", "! exec (exit 3)\nexit 4",
        "exec echo one\nstdout two", "exec echo one\n! stdout one", "exec echo one\nstdout -count=2 one",
        "exec echo one >&2\nstdout one", "exec echo one\ncmp stdout file", "start true\nuntil stdout never",
        "start true\nexit 0\ninterrupt", "start trap 'exit 5' INT; echo begun; sleep 60\nuntil stdout begun\ninterrupt",
        "option json\nexec locwatch once $FIXTURES/walk/session.json", "argument json\nexec locwatch version @ | head",
        "option no-such-option\nexec locwatch version @", "each one | two\nexec echo @\nstdout one", "say one",
    ]) func `a script fails at the line that does not do what it says`(text: String) async throws {
        let script = Script(name: "a script", text: "exec true\n\n\(text)\n\n-- file --\ntwo\n")
        let failure = await #expect(throws: ScriptFailure.self) { try await ScriptRun.run(script) }
        #expect((3...).contains(failure?.line.number ?? 0))
    }

    @Test func `a script runs each example of the help`() throws {
        let lines = try DocumentedCommands.ofHelp()
        #expect(lines.count > 50)
        #expect(lines.subtracting(Script.commandLines) == [])
    }

    @Test func `a script runs each command of the README, but for the blocks that a check of the release runs`() throws
    {
        let (lines, blocks) = try DocumentedCommands.ofReadme()
        #expect(lines.count > 20 && blocks.count >= 5)
        #expect(lines.subtracting(Script.commandLines) == [])
        for block in blocks {
            switch block.comment {
            case "<!-- run one by one -->": #expect(Set(block.lines).subtracting(Script.commandLines) == [])
            case "<!-- run by make check-release -->", "<!-- run by make check-dist -->": break
            default: Issue.record("no comment says what runs:\n\(block.lines)")
            }
        }
    }

    @Test func `a script shows the effect of every option`() async throws {
        let completions = try await Locwatch.run(
            "for c in $($LW __complete bash 'locwatch help '); do $LW __complete bash \"locwatch $c -\" -; done"
        ).output
        let options = completions.split(separator: "\n").filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
        #expect(Set(Script.options) == Set(options))
    }
}
