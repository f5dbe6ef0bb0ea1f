import Foundation
import Testing

/// How the program ends when it is told to, and what is left then.
@Suite(.serialized) struct SignalTests {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal ends the session with an event, and the program dies by it`(signal: Int32) async throws {
        let temporary = try TemporaryFolder()
        let program = try Locwatch("exec $LW -j sim:walk", environment: ["TMPDIR": temporary.url.path])
        try await program.wait { $0.output.contains(#""event":"location""#) }
        program.signal(signal)
        #expect(try await program.end(.seconds(5)) == 128 + signal)
        #expect(program.lines.last?.contains(#""event":"end""#) == true)
        #expect(program.lines.last?.contains(#""reason":"interrupted""#) == true)
        #expect(program.errors == "")
        #expect(temporary.names == [], "nothing is left of the simulated receiver and its daemon")
    }

    @Test(arguments: ["localhost:1", "sim:indoors", "-", "$FIXTURES/walk/session.json"])
    func `a signal ends a session in each phase`(source: String) async throws {
        let program = try Locwatch("exec $LW -j \(source)", input: true)
        try await program.wait { !$0.lines.isEmpty }
        program.signal(SIGTERM)
        #expect(try await program.end(.seconds(3)) == 128 + SIGTERM)
        #expect(program.lines.last?.contains(#""reason":"interrupted""#) == true, "\(program.output)")
        program.endInput()
    }

    @Test func `a private daemon does not outlive a program that is killed`() async throws {
        let temporary = try TemporaryFolder()
        let program = try Locwatch("exec $LW -j sim:walk", environment: ["TMPDIR": temporary.url.path])
        try await program.wait { $0.output.contains(#""event":"location""#) }
        program.signal(SIGKILL)
        try await program.end()
        let seen = "ps -eo args | grep -c '[g]psd .*\(temporary.url.lastPathComponent)'"
        for _ in 0..<100 {
            if try await Locwatch.run(seen).output == "0\n" { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("the daemon still runs")
    }

    @Test func `once leaves nothing behind`() async throws {
        let temporary = try TemporaryFolder()
        let run = try await Locwatch.run("$LW once sim:walk", environment: ["TMPDIR": temporary.url.path])
        #expect(run.code == 0)
        #expect(temporary.names == [])
    }

    @Test func `a signal ends a program whose reader takes nothing`() async throws {
        let folder = try TemporaryFolder()
        _ = try await Locwatch.run(
            "for i in {1..40}; do cat $FIXTURES/walk/session.json; done >\(folder.path("long.json"))")
        let program = try Locwatch(
            "mkfifo p; exec 3<>p && exec $LW -j --pace max long.json >p", folder: folder.url)
        try await Task.sleep(for: .milliseconds(500))
        program.signal(SIGTERM)
        #expect(try await program.end(.seconds(6)) == 128 + SIGTERM)
    }

    @Test(arguments: ["localhost:1", "sim:indoors", "sim:walk"])
    func `a program whose reader has gone ends silently by SIGPIPE`(source: String) async throws {
        let run = try await Locwatch.run("$LW -j \(source) | head -1; echo ${PIPESTATUS[0]}")
        #expect(run.output.hasSuffix("\n141\n"), "\(run.output)")
        #expect(run.errors == "")
    }
}
