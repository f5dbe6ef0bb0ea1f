import Foundation
import TestSupport
import Testing

/// Standard streams that are pipes, closed, slow or full.
@Suite(.serialized, .withFew) struct StreamTests {
    @Test(arguments: [Locwatch.Screen.pipes, .terminal(columns: 80)])
    func `input is processed line by line as it arrives`(screen: Locwatch.Screen) async throws {
        let session = try String(contentsOfFile: Locwatch.fixture("walk"), encoding: .utf8)
        // A terminal echoes its input, and it limits the length of a line, which a sky report can exceed.
        let program = try Locwatch("exec $LW -jq -", screen: screen, input: true)
        var times: Set<Substring> = []
        for line in session.split(separator: "\r\n").prefix(60) where line.utf8.count < 4000 {
            program.type(line + "\n")
            guard line.contains(#""lat":45"#), let time = line.firstMatch(of: /"time":"(.*?)"/)?.1 else { continue }
            times.insert(time)
            try await program.wait { $0.output.matches(of: /"event":"location"/).count == times.count }
        }
        #expect(times.count > 5)
        if screen == .pipes { program.endInput() } else { program.type("\u{4}") }
        #expect(try await program.end() == 0)
        #expect(program.output.split(whereSeparator: \.isNewline).last?.contains(#""reason":"ended""#) == true)
    }

    /// As with `gpspipe` before the receiver knows the time: whether lines arrive or not, the session's own time stands
    /// still.
    @Test(arguments: [
        ("once -t 1s -", 75, "1 s"), ("-t 1s -", 75, "1 s"),
        ("-x 1s -", 75, "no position: "), ("record -qx 1s - -", 0, ""),
    ])
    func `limits apply to a pipe without timestamps`(arguments: String, code: Int32, message: String) async throws {
        let line = #"{"class":"TPV","device":"/dev/x","mode":1}"#
        for source in ["echo '\(line)'; exec sleep 1000", "while echo '\(line)'; do sleep .2; done"] {
            // The pipe lasts longer than the wait for the program.
            let run = try await Locwatch.run(
                "exec 3< <(exec 2>/dev/null; \(source)); $LW \(arguments) <&3; code=$?; kill $!; exit $code")
            #expect(run.code == code, "\(run.errors)")
            #expect(run.errors == "" ? message == "" : run.errors.contains(message), "\(run.errors)")
        }
    }

    @Test func `reports of a receiver without a time are printed promptly`() async throws {
        let program = try Locwatch("exec $LW -j -", input: true)
        func type(_ seen: Int) {
            program.type(#"{"class":"SKY","device":"/dev/x","nSat":\#(seen),"uSat":0}"# + "\n")
            program.type(#"{"class":"TPV","device":"/dev/x","mode":1}"# + "\n")
        }
        type(4)
        try await program.wait { $0.output.contains(#""reason":"noFix""#) }
        let first = try #require(program.lines.last?.firstMatch(of: /"time":"(\d{4})/)?.1)
        #expect(Int(first) ?? 0 >= 2025, "the time of this machine: \(program.output)")
        program.type(
            #"{"class":"TPV","device":"/dev/x","mode":3,"time":"2026-11-20T09:00:00Z","lat":45.5,"lon":7}"# + "\n")
        try await program.wait { $0.output.contains(#""event":"location""#) }
        program.endInput()
        #expect(try await program.end() == 0)
    }

    @Test(arguments: [
        ("once $FIXTURES/walk/session.json <&-", 0, "45.05"), ("once sim:walk <&-", 0, "45.05"),
        ("once $FIXTURES/walk/session.json 2>&-", 0, "45.05"), ("once - <&-", 66, "cannot read standard input"),
        ("once sim:walk <&- >&- 2>&-", 74, ""),
    ])
    func `a program works without the standard streams that it does not need`(
        arguments: String, code: Int32, text: String
    ) async throws {
        let run = try await Locwatch.run("$LW \(arguments)")
        #expect(run.code == code, "\(run.errors)")
        #expect(text.isEmpty ? run.output + run.errors == "" : (run.output + run.errors).contains(text))
    }

    @Test(arguments: ["", "LC_ALL=de_DE.UTF-8", "LC_ALL=C", "TERM=dumb", "NO_COLOR=1"])
    func `data in a pipe does not depend on locale and terminal`(setting: String) async throws {
        let plain = try await Locwatch.run("$LW -j --sky --pace max $FIXTURES/walk/session.json")
        let run = try await Locwatch.run("\(setting) $LW -j --sky --pace max $FIXTURES/walk/session.json")
        #expect(run == plain)
        #expect(run.code == 0)
    }

    @Test func `a read-only working directory does not matter`() async throws {
        let run = try await Locwatch.run("$LW once sim:walk", folder: URL(filePath: "/proc"))
        #expect(run.code == 0, "\(run.errors)")
    }
}
