import Glibc
import LocationCore
import LocwatchPlatform
import TestSupport
import Testing

@testable import GPSDSimulation

struct StandInScriptTests {
    @Test(arguments: [
        ("at 10s lose\njmp 3", 2, 1, #"unknown word "jmp"; the words are lose, restore, move"#),
        ("at 1e999 lose", 1, 4, "expected a time such as 10s after at"),
        ("at -1s lose", 1, 4, "expected a time such as 10s after at"),
        ("at 10s", 1, 7, "expected a word: lose"),
        ("\n# x\n  jump -3", 3, 8, "expected a length in metres"),
        ("jump 1e400", 1, 6, "expected a length in metres"),
        ("jump 30000km", 1, 6, "at most 20000km"),
        ("move 91,0", 1, 6, "a latitude from -90 to 90"),
        ("move 1", 1, 6, "expected LAT,LON"),
        ("fault", 1, 6, "expected a fault: lose, unplug"),
        ("fault x", 1, 7, "unknown fault \"x\"; the faults are lose, unplug"),
        ("fault cut=0", 1, 7, "a whole number from 1 to 65536"),
        ("fault cut=99999999999999999999", 1, 7, "a whole number from 1 to 65536"),
        ("fault lose=", 1, 7, "lose=DURATION"),
        ("fault delay", 1, 7, "delay=DURATION"),
        ("fault hangup=1", 1, 7, "hangup without a value"),
        ("fault cut@x", 1, 7, "after @"),
        ("fault cut/0s", 1, 7, "after /"),
        ("fault cut~-1", 1, 7, "after ~"),
        ("fault version=a\"b", 1, 7, "a release such as 3.25"),
        ("lose now", 1, 6, "expected the end after lose"),
        ("step 1h", 1, 1, "expected a word for scripts"),
        ("wait read", 1, 1, "expected a word for scripts"),
        ("\u{1B}[2J", 1, 1, "unknown word"),
    ])
    func `a line that cannot be parsed is named with its column and the reason`(
        text: String, line: Int, column: Int, reason: String
    ) throws {
        let error = try #require(throws: SimulationError.self) { try StandInScript(text) }
        #expect(error.line == line && error.column == column, "\(error)")
        #expect(error.reason.contains(reason), "\(error)")
        #expect(!error.description.contains("\u{1B}"))
    }

    @Test(arguments: [
        "step -1s", "step 1e999", "step 32d", "step", "wait", "wait clients", "wait clients -1", "wait clients 1 x",
        "wait all", "at 5s status", "", "   ", "fault cut extra",
    ])
    func `a command that cannot be parsed is an error`(command: String) {
        #expect(throws: SimulationError.self) { try StandInStep(command: command) }
    }

    @Test func `a script with too many faults that repeat is an error with its line`() throws {
        let line = "at 1s fault slow/1s\n"
        #expect(try StandInScript(String(repeating: line, count: 256)).steps.count == 256)
        let error = try #require(throws: SimulationError.self) {
            try StandInScript(String(repeating: line, count: 257))
        }
        #expect(error.line == 257 && error.reason == "at most 256 faults repeat")
    }

    @Test func `a long line is made when it is sent, so that many in a script take no memory`() throws {
        let script = try StandInScript(String(repeating: "fault long=1048576\n", count: 5000))
        let long = StandInCommand.fault(StandInFault(.long(bytes: 1_048_576), .beforeNext), name: "long")
        #expect(script.steps.count == 5000 && script.steps.allSatisfy { $0.command == long })
        var state = StandInState([])
        let fault = StandInFault(.long(bytes: 300), .beforeNext)
        for _ in 0..<2 { state.begin(fault, named: "long", seed: 1, at: .zero) }
        let sent = state.steps(for: [1], number: 1, armed: state.takeArmed(), at: .zero)
        #expect(sent.map { if case .bytes(let bytes) = $0 { bytes.count } else { 0 } } == [302, 302, 1])
    }

    @Test func `a line of more bytes than one can have is an error`() throws {
        let words = String(repeating: "a ", count: StandInScript.lineByteLimit / 2)
        #expect(try #require(throws: SimulationError.self) { try StandInScript(words) }.reason.contains("unknown"))
        let error = try #require(throws: SimulationError.self) { try StandInScript("lose\n#" + words) }
        #expect(error.line == 2 && error.reason == "a line has at most 8192 bytes")
    }

    @Test func `no step is added while too many wait, and there is room again after one`() {
        var steps = ScheduledSteps([])
        var step = StandInStep(.clear)
        // The next step is found at once if the earliest one is added last.
        for second in (0..<ScheduledSteps.waitingLimit).reversed() {
            step.time = .seconds(second)
            #expect(steps.add(step) == nil)
        }
        #expect(steps.add(step) == "more than 10000 steps wait")
        #expect(steps.next(at: .zero)?.time == .zero)
        #expect(steps.add(step) == nil)
    }

    @Test func `a script may begin with a byte order mark`() throws {
        let script = try StandInScript("\u{FEFF}at 1s lose\nrestore\n")
        #expect(script.steps.map(\.text) == ["at 1s lose", "restore"])
        let error = #expect(throws: SimulationError.self) { try StandInScript("\u{FEFF}jmp") }
        #expect(error?.column == 1)
    }

    private func namedPipe(in folder: Scratch) throws -> String {
        let path = folder.path("script")
        try #require(mkfifo(path, 0o600) == 0)
        return path
    }

    @Test func `a script is read from a named pipe`() throws {
        let folder = try Scratch()
        defer { withExtendedLifetime(folder) {} }
        let (path, stop) = (try namedPipe(in: folder), try Event())
        let thread = try NativeThread {
            let writer = open(path, O_WRONLY)
            _ = write(writer, "lose\n", 5)
            // The second half is written once the first one has been read.
            var unread: Int32 = 1
            while unread > 0, ioctl(writer, UInt(FIONREAD), &unread) == 0 { sched_yield() }
            _ = write(writer, "restore\n", 8)
            close(writer)
        }
        #expect(try StandInScript(path: path, until: stop).steps.count == 2)
        thread.join {}
    }

    @Test func `an event ends the wait for the writer of a script`() throws {
        let folder = try Scratch()
        defer { withExtendedLifetime(folder) {} }
        let (path, stop, isDone) = (try namedPipe(in: folder), try Event(), try Event())
        stop.happen()
        try NativeThread.start {
            #expect(throws: LocationError.cancelled) { try StandInScript(path: path, until: stop) }
            isDone.happen()
        }
        // Opening a pipe without a writer can wait for ever.
        try #require(isDone.happens(within: .seconds(300)))
    }

    @Test func `a script has steps with their times, comments and text`() throws {
        let script = try StandInScript("# a drive\n\nlose\r\n  at 1m30s   jump 3km\nat 2s fault garbage=20@1s/5s~7\n")
        #expect(script.steps.map(\.line) == [3, 4, 5])
        #expect(script.steps.map(\.time) == [.zero, .seconds(90), .seconds(3)])
        #expect(script.steps[1].command == .jump(metres: 3000))
        #expect(script.steps[1].description == "line 4: at 1m30s jump 3km")
        #expect(script.steps[2].interval == .seconds(5) && script.steps[2].seed == 7)
    }

    @Test func `every fault can be given alone or with its value, and names are unique`() throws {
        let values = ["DURATION": "5s", "BYTES": "300", "N": "3", "RELEASE": "3.25"]
        for fault in StandInWord.faults {
            // A delay says nothing without its time.
            #expect(((try? StandInStep(fault: fault.name)) == nil) == (fault.name == "delay"), "\(fault.name)")
            let placeholder = String(fault.usage.dropFirst(fault.name.count + 1))
            guard !placeholder.isEmpty else { continue }
            #expect(throws: Never.self) { try StandInStep(fault: "\(fault.name)=\(values[placeholder] ?? "")@1s") }
        }
        #expect(Set(StandInWord.faults.map(\.name)).count == StandInWord.faults.count)
        #expect(Set(StandInWord.all.map(\.name)).count == StandInWord.all.count)
    }

    @Test func `steps repeat at their rate, or at random times that the seed determines`() throws {
        func times(_ faults: String...) throws -> [Duration] {
            var steps = ScheduledSteps(try faults.map { try StandInStep(fault: $0) })
            var times: [Duration] = []
            while let due = steps.due, due <= .seconds(1000) {
                times.append(due)
                _ = steps.next(at: due)
            }
            return times
        }
        #expect(try times("cut/250s") == [.seconds(250), .seconds(500), .seconds(750), .seconds(1000)])
        #expect(try times("cut@10s/400s") == [.seconds(10), .seconds(410), .seconds(810)])
        #expect(try times("cut@3s", "lose@1s") == [.seconds(1), .seconds(3)])
        let random = try times("cut/5s~7")
        #expect(try random == times("cut/5s~7"))
        #expect(try random != times("cut/5s~8"))
        #expect(random.count == 195)
    }

    @Test func `a script has as many lines as it may, with and without a line end after the last`() throws {
        // A comment is a line too, and costs little.
        let lines = String(repeating: "#\n", count: StandInScript.lineLimit - 1) + "lose\n"
        #expect(try StandInScript(lines).steps.map(\.line) == [StandInScript.lineLimit])
        #expect(try StandInScript(String(lines.dropLast())).steps.map(\.line) == [StandInScript.lineLimit])
        let error = try #require(throws: SimulationError.self) { try StandInScript(lines + "lose\n") }
        #expect(error.line == 100_001 && error.reason == "a script has at most 100000 lines")
        #expect(throws: SimulationError.self) {
            try StandInScript(String(repeating: "#", count: StandInScript.byteLimit + 1))
        }
    }
}
