import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession

@Suite(.serialized, .alone) struct HookOptionTests {
    private static let fence = ["--fence", "home=45,7,100"]

    private func parse(_ arguments: [String]) throws -> Invocation {
        try Invocation.parse(arguments, exists: { _ in false })
    }

    private func message(_ arguments: [String]) -> String? {
        do {
            _ = try parse(arguments)
            return nil
        } catch {
            return (error as? UsageError)?.message
        }
    }

    @Test func `a hook has an event, the name of a fence and a command`() throws {
        let plan = try parse(
            Self.fence + ["--on", "found=a b", "--on", "enter:home=x=y", "--on", "exit/2s=z"]
        ).settings.plan
        #expect(plan.hooks.map(\.trigger.spelling) == ["found", "enter:home", "exit"])
        #expect(plan.hooks.map(\.command) == ["a b", "x=y", "z"])
        #expect(plan.hooks.map(\.limit) == [.seconds(30), .seconds(30), .seconds(2)])
        #expect(!plan.runsHooksOnReplay)
        #expect(try parse(["--on", "found=a", "--pace", "max"]).settings.plan.runsHooksOnReplay)
    }

    @Test(arguments: ["watch", "record f", "export gpx", "publish udp://127.0.0.1:10110"])
    func `every command with a running session takes hooks`(command: String) throws {
        let words = command.split(separator: " ").map(String.init)
        #expect(try parse(words + Self.fence + ["--on", "enter:home=true"]).settings.plan.hooks.count == 1)
    }

    @Test(
        arguments: [
            ("found", "expected EVENT=COMMAND"), ("fond=x", "did you mean found?"),
            ("found:home=x", "found without a name"), ("enter:=x", "the name of a fence after enter:"),
            ("found=", "a command after found="), ("found= \t\n", "a command after found="),
            ("=x", "one of the events found, lost"), ("found=a\u{0}b", "a command without a zero byte"),
            ("found/0s=x", "a limit of more than 0s"),
            ("enter:home=x", "--on enter:home needs a --fence"), ("enter=x", "--on enter needs a --fence"),
            ("\u{1B}[2J=x", #""\x1b[2J=x""#), ("enter:\u{1B}=x", #"--on enter:\x1b needs"#),
        ])
    func `a wrong hook is a usage error that says what is expected`(hook: String, expected: String) throws {
        let message = try #require(self.message(["--on", hook]))
        #expect(message.contains(expected), "\(message)")
        #expect(!message.unicodeScalars.contains("\u{1B}"))
    }

    @Test func `a misspelt fence is named, and a fleet may have fences of its own`() throws {
        let message = message(Self.fence + ["--on", "enter:hone=x"])
        #expect(message?.contains("no fence of this name (did you mean home?)") == true, "\(message ?? "")")
        #expect(try parse(["--on", "enter:harbour=x", "mqtt://pi"]).settings.plan.hooks.count == 1)
    }

    @Test func `only a time after the last slash is a limit`() throws {
        let fence = ["--fence", "a/b=45,7,100"]
        let hooks = try parse(fence + ["--on", "enter:a/b=x", "--on", "exit:a/b/5m=y"]).settings.plan.hooks
        #expect(hooks.map(\.trigger.fence) == ["a/b", "a/b"])
        #expect(hooks.map(\.limit) == [.seconds(30), .seconds(300)])
    }

    @Test func `commands that report no fences take them for hooks only`() {
        #expect(message(["record", "f"] + Self.fence)?.contains("only for hooks") == true)
        #expect(message(["export", "gpx"] + Self.fence)?.contains("only for hooks") == true)
        #expect(message(["record", "f"] + Self.fence + ["--on", "found=true"]) == nil)
    }
}
