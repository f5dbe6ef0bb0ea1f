import LocwatchPlatform
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchSession

@Suite struct HookOutputTests {
    private var output = HookOutput()

    /// Returns the lines that output completes.
    private mutating func lines(of bytes: some Sequence<UInt8>) -> [String] {
        var lines: [String] = []
        output.append(Array(bytes)) { lines.append($0) }
        return lines
    }

    /// Returns the lines that the end of the output completes.
    private mutating func rest() -> [String] {
        var lines: [String] = []
        output.finish { lines.append($0) }
        return lines
    }

    @Test mutating func `output becomes lines, however it is cut`() {
        let cut = "one\r\ntwo\n\nthree".utf8.flatMap { lines(of: [$0]) }
        #expect(cut == ["one", "two", ""])
        #expect(rest() == ["three"])
        #expect(rest() == [])
    }

    @Test mutating func `escapes and invalid bytes are made visible`() {
        #expect(lines(of: "\u{1B}[2J\u{202E}a\u{7}\n".utf8) == [#"\x1b[2J\u{202e}a\x07"#])
        #expect(lines(of: [0xFF, 0x00, 0x41, 0x0A]) == ["\u{FFFD}\\x00A"])
    }

    @Test mutating func `a line without an end is divided`() {
        #expect(lines(of: [UInt8](repeating: 0x41, count: 3000)).map(\.count) == [1024, 1024])
        #expect(rest().map(\.count) == [952])
    }

    @Test mutating func `output without an end is shown up to a limit`() {
        let shown = (0..<100_000).flatMap { _ in lines(of: "y\n".utf8) }
        #expect(output.isExceeded)
        #expect(shown.count == HookOutput.limit / 2 + 1)
        #expect(shown.last == "(the rest of its output is not shown)")
        #expect(rest() == [])
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
