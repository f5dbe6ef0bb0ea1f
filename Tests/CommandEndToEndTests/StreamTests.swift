import Foundation
import Testing

/// Standard streams that are pipes, closed, slow or full.
@Suite struct StreamTests {
    @Test func `what is written to standard input comes out at once, line by line`() async throws {
        let session = try String(
            contentsOf: Locwatch.package.appending(path: "Fixtures/walk/session.json"), encoding: .utf8)
        let program = try Locwatch("exec $LW -j -", input: true)
        var seen = 0
        for line in session.split(separator: "\r\n").prefix(12) {
            program.type(line + "\r\n")
            guard line.contains(#""lat""#) else { continue }
            let before = seen
            try await program.wait(.seconds(5)) { $0.lines.count > before }
            seen = program.lines.count
        }
        program.endInput()
        #expect(try await program.end() == 0)
        #expect(program.lines.last?.contains(#""reason":"ended""#) == true)
    }

    @Test(arguments: ["once $FIXTURES/walk/session.json", "once sim:walk"])
    func `a program without standard input works`(arguments: String) async throws {
        let run = try await Locwatch.run("$LW \(arguments) <&-")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("45.05"))
    }

    @Test func `standard input that is closed cannot be read`() async throws {
        let run = try await Locwatch.run("$LW once - <&-")
        #expect(run.code == 66)
        #expect(run.errors.contains("cannot read standard input"))
    }

    @Test func `a program without standard error works`() async throws {
        let run = try await Locwatch.run("$LW once $FIXTURES/walk/session.json 2>&-")
        #expect(run.code == 0)
    }

    @Test func `a program that is started without any stream says so with its exit code`() async throws {
        #expect(try await Locwatch.run("$LW once sim:walk <&- >&- 2>&-").code == 74)
    }

    @Test(arguments: ["", "LC_ALL=de_DE.UTF-8", "LC_ALL=C", "TERM=dumb", "NO_COLOR=1"])
    func `data in a pipe is the same wherever it is asked for`(setting: String) async throws {
        let plain = try await Locwatch.run("$LW -j --sky --pace max $FIXTURES/walk/session.json")
        let run = try await Locwatch.run("\(setting) $LW -j --sky --pace max $FIXTURES/walk/session.json")
        #expect(run == plain)
        #expect(run.code == 0)
    }

    @Test func `a folder that cannot be written to is no hindrance`() async throws {
        let run = try await Locwatch.run(
            "$LW once sim:walk", folder: URL(filePath: "/proc"))
        #expect(run.code == 0, "\(run.errors)")
    }

    @Test(arguments: [
        "$FIXTURES/walk/session.json", "$FIXTURES/two-devices/session.json", "$FIXTURES/unplugged/session.json",
    ])
    func `what is printed of a real session is as the schema says`(source: String) async throws {
        let run = try await Locwatch.run(
            "set -o pipefail; $LW -j --sky --pace max \(source) | .venv/bin/python3 "
                + "Tests/LocwatchCommandTests/validate.py Schema/locwatch-1.schema.json --strict")
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(run.output.hasPrefix("valid: "))
    }

    @Test func `of a live session a slow reader gets the newest, and is told what it missed`() async throws {
        let server = try Locwatch("exec $LW serve --loop --pace 2000x $FIXTURES/walk/session.json")
        try await server.wait { $0.errors.contains("serving") }
        let port = try #require(server.errors.firstMatch(of: /localhost:(\d+)/)?.1)
        let run = try await Locwatch.run(
            "$LW -j --sky -x 8s localhost:\(port) | (sleep 5; cat)")
        server.signal(SIGTERM)
        try await server.end()
        #expect(run.output.contains(#""code":"dropped""#), "\(run.output.count)")
        #expect(run.output.split(separator: "\n").last?.contains(#""event":"end""#) == true)
        #expect(run.output.split(separator: "\n").allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
    }
}
