import Foundation
import TestSupport
import Testing

/// The command `monitor` in a real terminal.
@Suite(.serialized, .withFew) struct MonitorTests {
    private static let walk = "$FIXTURES/walk/session.json"

    @Test func `the screen follows the size of the terminal`() async throws {
        let window = try TerminalWindow("exec $LW monitor --pace max \(Self.walk)")
        try await window.wait(for: "end at once")
        try window.resize(columns: 120, rows: 40)
        try await window.wait(for: "─ track ─")
        try window.resize(columns: 40, rows: 10)
        try await window.wait { !$0.contains("─ track ─") && $0.contains("45.0551811 N") }
        for step in 0..<100 { try window.resize(columns: 20 + step, rows: 4 + step % 40) }
        try window.resize(columns: 80, rows: 24)
        try await window.wait { $0.contains("signals dB-Hz") && $0.contains("q quit") }
    }

    @Test func `a live session can be frozen, and is saved and left by several keys at once`() async throws {
        let served = try await ServedSession(Locwatch.fixture("walk"), pace: "4x")
        let window = try TerminalWindow("$LW monitor \(served.source); echo code $?; sleep 60")
        try await window.wait(for: "FOUND")
        try window.press("Space")
        try await window.wait(for: "frozen at")
        // The first screen can be a part, so another one comes some positions later.
        try await served.wait(positions: 4)
        let frozen = try window.screen()
        try await served.wait(positions: 4)
        let later = try window.screen()
        #expect(later == frozen && frozen.contains("frozen at"))
        try window.press("Space", "w", "p", "q")
        try await window.wait(for: "code 0")
        let files = try FileManager.default.contentsOfDirectory(atPath: window.url.path)
        #expect(!files.contains { $0.hasSuffix(".locwatch") }, "\(files)")
        let recording = try #require(files.first { $0.hasSuffix(".json") })
        let replay = try await Locwatch.run("$LW --pace max \(recording)", folder: window.url)
        #expect(replay.code == 0 && replay.output.contains("45.05"))
        let picture = try #require(files.first { $0.hasSuffix(".svg") })
        #expect(try String(contentsOf: window.url.appending(path: picture), encoding: .utf8).hasPrefix("<svg"))
    }

    @Test func `a recording is saved too, into the current folder, also after it was played again`() async throws {
        let window = try TerminalWindow("$LW monitor \(Self.walk); echo code $?; sleep 60")
        try await window.wait(for: "FOUND")
        try window.press("w")
        try await window.wait { $0.contains("saved ") && $0.contains(".json") }
        try window.press("p")
        try await window.wait { $0.contains("saved ") && $0.contains(".svg") }
        // To the beginning, for which it is read again.
        try window.press("Left")
        try await window.wait(for: "SEARCHING")
        try await window.wait(for: "FOUND")
        try window.press("w")
        try await window.wait { $0.contains("saved ") && $0.contains(".json") }
        let endings = try FileManager.default.contentsOfDirectory(atPath: window.url.path).map { $0.suffix(5) }
        #expect(endings.contains(".json") && endings.contains { $0.hasSuffix(".svg") })
        try window.press("q")
        let screen = try await window.wait(for: "code 0")
        #expect(!screen.contains("system call"), "a session that is confined already was confined again")
    }

    @Test(arguments: [
        (SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130), (SIGABRT, 134), (SIGSEGV, 139), (SIGQUIT, 131),
    ])
    func `every way of ending restores the terminal`(signal: Int32, code: Int) async throws {
        let window = try TerminalWindow(
            "ulimit -c 0; stty -g >before; bash -c \"echo \\$\\$ >id; exec $LW monitor \(Self.walk)\"; "
                + "echo code $?; stty -g >after; sleep 60")
        let id = try #require(pid_t(try await window.file("id").trimmingCharacters(in: .newlines)))
        try await window.wait(for: "playing")
        #expect(try window.property("alternate_on") == "1")
        kill(id, signal)
        try await window.wait(for: "code \(code)")
        #expect(try await window.file("after") == window.file("before"))
        #expect(try window.property("alternate_on") == "0")
        #expect(try window.property("cursor_flag") == "1")
    }

    @Test func `Ctrl-Z gives the terminal back to the shell, and fg returns to the screen`() async throws {
        let window = try TerminalWindow("exec env PS1=\"shell> \" bash --norc --noprofile -i")
        try await window.wait(for: "shell>")
        try window.press("stty -g >before; $LW monitor --pace max \(Self.walk)", "Enter")
        try await window.wait(for: "45.0551811 N")
        try window.press("C-z")
        try await window.wait(for: "Stopped")
        #expect(try window.property("alternate_on") == "0")
        try window.press("stty -g >stopped; echo in the shell", "Enter")
        try await window.wait(for: "in the shell")
        try window.press("fg", "Enter")
        try await window.wait(for: "45.0551811 N")
        #expect(try window.property("alternate_on") == "1")
        try window.press("q")
        try await window.wait { $0.contains("shell>") && !$0.contains("45.0551811 N") }
    }

    @Test func `a terminal that stops reading delays neither the keys nor the end`() async throws {
        let served = try await ServedSession(Locwatch.fixture("walk"), pace: "10x")
        let window = try TerminalWindow("$LW monitor \(served.source); echo code $?; sleep 60")
        try await window.wait(for: "FOUND")
        try window.press("C-s")
        // Many frames, which the terminal does not take.
        try await served.wait(positions: 20)
        // The screen shows nothing of it, but the program ends.
        try window.press("q")
        try await window.wait(for: "code 0")
    }

    @Test func `on a terminal that cannot show screens the command refuses, and names another one`() async throws {
        let dumb = try await Locwatch.run(
            "$LW monitor \(Self.walk)", screen: .terminal(columns: 80), environment: ["TERM": "dumb"])
        #expect(dumb.code == 64 && dumb.output.contains("use 'locwatch watch'"))
    }

    @Test(arguments: [["NO_COLOR": "1"], ["TERM": "vt100", "NO_COLOR": "yes"]])
    func `the screen needs no colours`(environment: [String: String]) async throws {
        let run = try Locwatch(
            "exec $LW monitor -x 5s --pace max \(Self.walk)", screen: .terminal(columns: 80),
            environment: environment.merging(["LANG": "C.UTF-8"]) { $1 }, input: true)
        #expect(try await run.end() == 0)
        #expect(run.output.contains("45.05"))
        #expect(run.output.firstMatch(of: /\u{1B}\[[0-9;]*3[0-9]m/) == nil)
    }
}
