import LocwatchPlatform
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchSession

@Suite(.serialized, .alone) struct HookOutputTests {
    /// Returns the lines that output completes.
    private func append(_ bytes: [UInt8], to output: inout HookOutput) -> [String] {
        var lines: [String] = []
        output.append(bytes) { lines.append($0) }
        return lines
    }

    private func finish(_ output: inout HookOutput) -> [String] {
        var lines: [String] = []
        output.finish { lines.append($0) }
        return lines
    }

    @Test func `output becomes lines, however it is cut`() {
        var output = HookOutput()
        var lines: [String] = []
        for byte in Array("one\r\ntwo\n\nthree".utf8) { output.append([byte]) { lines.append($0) } }
        #expect(lines == ["one", "two", ""])
        #expect(finish(&output) == ["three"])
        #expect(finish(&output) == [])
    }

    @Test func `escapes and invalid bytes are made visible`() {
        var output = HookOutput()
        #expect(append(Array("\u{1B}[2J\u{202E}a\u{7}\n".utf8), to: &output) == [#"\x1b[2J\u{202e}a\x07"#])
        #expect(append([0xFF, 0x00, 0x41, 0x0A], to: &output) == ["\u{FFFD}\\x00A"])
    }

    @Test func `a line without an end is divided`() {
        var output = HookOutput()
        let lines = append([UInt8](repeating: 0x41, count: 3000), to: &output)
        #expect(lines.map(\.count) == [1024, 1024])
        #expect(finish(&output).map(\.count) == [952])
    }

    @Test func `output without an end is shown up to a limit`() {
        var output = HookOutput()
        var lines: [String] = []
        for _ in 0..<100_000 { output.append(Array("y\n".utf8)) { lines.append($0) } }
        #expect(output.isExceeded)
        #expect(lines.count == HookOutput.limit / 2 + 1)
        #expect(lines.last == "(the rest of its output is not shown)")
        #expect(finish(&output) == [])
    }

    @Test func `the first failure of each hook is reported, and all are counted`() {
        var failures = HookFailures([
            Hook(trigger: HookTrigger(.found), command: "a"),
            Hook(trigger: HookTrigger(.enter, fence: "a\u{7}"), command: "b"),
        ])
        #expect(failures.note(0, failure: nil) == nil)
        #expect(failures.note(0, failure: "exit code 3") == "on found: exit code 3")
        #expect(failures.note(0, failure: "exit code 4") == nil)
        #expect(failures.note(1, failure: "ended by signal 9") == #"on enter:a\x07: ended by signal 9"#)
        #expect(failures.summary == ["on found: failed 2 of 3 times"])
        #expect(ChildProcess.Ending.exited(0).hookFailure == nil)
        #expect(ChildProcess.Ending.exited(3).hookFailure == "exit code 3")
        #expect(ChildProcess.Ending.signalled(9).hookFailure == "ended by signal 9")
    }
}
