import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession
@testable import LocwatchTerminal

@Suite(.serialized, .withClocks) struct HookOptionTests {
    private static let fence = "--fence home=45,7,100"

    @Test func `a hook has an event, the name of a fence and a command`() throws {
        let words = ["--fence", "home=45,7,100", "--on", "found=a b", "--on", "enter:home=x=y", "--on", "every/2s=z"]
        let reactions = try Invocation.parse(words, exists: { _ in false }).settings.reactions
        #expect(reactions.hooks.map(\.trigger.spelling) == ["found", "enter:home", "every/2s"])
        #expect(reactions.hooks.map(\.command) == ["a b", "x=y", "z"])
        #expect(reactions.hooks.map(\.trigger.interval) == [nil, nil, .seconds(2)])
        #expect(reactions.hookLimit == .seconds(30))
        #expect(try Invocation.of("--hook-limit 5m --on found=a").settings.reactions.hookLimit == .seconds(300))
        #expect(!reactions.runsHooksOnReplay)
        #expect(try Invocation.of("--on found=a --pace max").settings.reactions.runsHooksOnReplay)
    }

    @Test(
        arguments: [
            ("found", "expected EVENT=COMMAND"), ("fond=x", "did you mean found?"),
            ("found:home=x", "found without a name"), ("enter:=x", "the name of a fence after enter:"),
            ("found=", "a command after found="), ("found= \t\n", "a command after found="),
            ("=x", "one of the events found, lost"), ("found=a\u{0}b", "a command without a zero byte"),
            ("every/0s=x", "an interval such as 10s after every/"), ("every/=x", "an interval such as 10s"),
            ("every/x=x", "an interval such as 10s"), ("every/2s=", "a command after every/2s="),
            ("lost/5m=x", "lost without a /TIME; --hook-limit TIME is"), ("found/x=x", "--hook-limit TIME"),
            ("enter/5m=x", "--hook-limit TIME"),
            ("enter:home=x", "--on enter:home needs a --fence"), ("enter=x", "--on enter needs a --fence"),
            ("\u{1B}[2J=x", #""\x1b[2J=x""#), ("enter:\u{1B}=x", #"--on enter:\x1b needs"#),
        ])
    func `a wrong hook is a usage error that says what is expected`(hook: String, expected: String) throws {
        let error = #expect(throws: UsageError.self) { try Invocation.parse(["--on", hook], exists: { _ in false }) }
        #expect(error?.message.contains(expected) == true && error?.message.utf8.contains(0x1B) == false)
    }

    @Test func `a misspelt fence is named, and a fleet may have fences of its own`() throws {
        let message = UsageError.message("\(Self.fence) --on enter:hone=x")
        #expect(message?.contains("no fence of this name (did you mean home?)") == true, "\(message ?? "")")
        #expect(try Invocation.of("--on enter:harbour=x mqtt://pi").settings.reactions.hooks.count == 1)
    }

    @Test func `the name of a fence can have a slash, and a time after it limits nothing`() throws {
        let hooks = try Invocation.of("--fence a/5m=45,7,100 --on enter:a/5m=x").settings.reactions.hooks
        #expect(hooks.map(\.trigger.fence) == ["a/5m"])
        let message = UsageError.message("\(Self.fence) --on exit:home/5m=x")
        #expect(message?.contains("--on exit:home/5m: there is no fence of this name") == true, "\(message ?? "")")
        #expect(message?.contains("--hook-limit") == true, "\(message ?? "")")
    }

    @Test(arguments: ["record f", "export gpx"])
    func `commands that report no fences take them for hooks only`(command: String) {
        #expect(UsageError.message("\(command) \(Self.fence)")?.contains("only for hooks") == true)
        #expect(UsageError.message("\(command) \(Self.fence) --on found=true") == nil)
    }

    /// Only what needs no other program: those belong to the end-to-end tests.
    @Test func `a recording runs hooks only at a pace that is given`() async throws {
        let drive = RecordedDrive.text(points: 3)
        let result = try await CommandTrial.run("export csv --on found=/nonexistent/program @", reading: drive)
        #expect(result.code == .done)
        let rule = "locwatch: hooks run over a recording only at a pace that is given, as in --pace recorded\n"
        #expect(result.errors == rule)
        #expect(try await CommandTrial.run("-q export csv --on found=x @", reading: drive).errors == "")
        // Quiet leaves out what a hook prints, and says why it fails.
        let scratch = try Scratch()
        try scratch.write(drive, to: "drive.json")
        let failing = ["-q", "--csv", "--pace", "max", "--on", "found=echo words; exit 3", scratch.path("drive.json")]
        #expect(try await CommandTrial().run(failing).errors == "locwatch: on found: exit code 3\n")
    }
}
