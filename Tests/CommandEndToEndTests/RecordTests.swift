import Foundation
import Testing

/// `record`, with the disk and the signals as they come.
@Suite struct RecordTests {
    @Test func `a recording replays to the events of the session that it is of`() async throws {
        let folder = try TemporaryFolder()
        let run = try await Locwatch.run(
            "$LW record \(folder.path("r.json")) $FIXTURES/walk/session.json && $LW -j --pace max \(folder.path("r.json"))"
        )
        #expect(run.code == 0, "\(run.errors)")
        let original = try await Locwatch.run("$LW -j --pace max $FIXTURES/walk/session.json")
        let places = { (text: String) in text.matches(of: /"lat":[^}]*"mode":\d/).map { String($0.0) } }
        #expect(places(run.output) == places(original.output))
        #expect(places(run.output).count > 40)
    }

    @Test func `an existing file is kept, unless it is to be overwritten`() async throws {
        let folder = try TemporaryFolder()
        try Data("precious".utf8).write(to: folder.url.appending(path: "r.json"))
        let refused = try await Locwatch.run("$LW record \(folder.path("r.json")) $FIXTURES/walk/session.json")
        #expect(refused.code == 73)
        #expect(refused.errors.contains("--force"))
        #expect(try folder.text("r.json") == "precious")
        let forced = try await Locwatch.run("$LW record --force \(folder.path("r.json")) $FIXTURES/walk/session.json")
        #expect(forced.code == 0, "\(forced.errors)")
        #expect(try !folder.text("r.json").contains("precious"))
    }

    @Test(arguments: [SIGKILL, SIGTERM, SIGINT])
    func `what is on the disk is whole lines, however the program ends`(signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let program = try Locwatch("exec $LW record \(folder.path("r.json")) sim:walk")
        try await program.wait { _ in (try? folder.text("r.json").contains(#""lat""#)) ?? false }
        program.signal(signal)
        #expect(try await program.end() == 128 + signal)
        let text = try folder.text("r.json")
        #expect(text.utf8.last == UInt8(ascii: "\n"))
        #expect(try await Locwatch.run("$LW once \(folder.path("r.json"))").code == 0)
        #expect(signal == SIGKILL || program.errors.contains("saved \(text.utf8.count) bytes"), "\(program.errors)")
    }

    @Test func `a disk that is full ends the recording with what was saved, in whole lines`() async throws {
        let folder = try TemporaryFolder()
        let run = try await Locwatch.run(
            "trap '' XFSZ; ulimit -f 8; $LW record r.json $FIXTURES/walk/session.json", folder: folder.url)
        #expect(run.code == 74, "\(run.errors)")
        let text = try folder.text("r.json")
        #expect(text.utf8.last == UInt8(ascii: "\n") && text.utf8.count > 4000 && text.utf8.count <= 8192)
        #expect(run.errors.contains("saved \(text.utf8.count) bytes"), "\(run.errors)")
    }

    @Test func `a recording in a file needs no reader of standard output, and one on it ends with its reader`()
        async throws
    {
        let server = try Locwatch("exec $LW serve --pace 10x --loop $FIXTURES/walk/session.json")
        try await server.wait { $0.errors.contains("serving") }
        let source = try #require(server.errors.firstMatch(of: /localhost:\d+/)).0
        let folder = try TemporaryFolder()
        let file = try await Locwatch.run(
            "{ $LW record -x 2s r.json \(source); echo \"code $?\" >&2; } | true", folder: folder.url)
        #expect(file.errors.contains("code 0"), "\(file.errors)")
        #expect(try folder.text("r.json").contains(#""lat""#))
        let stream = try await Locwatch.run("{ $LW record - \(source); echo \"code $?\" >&2; } | head -1")
        #expect(stream.errors.contains("code 141"), "\(stream.errors)")
        server.signal(SIGTERM)
        try await server.end()
    }

    @Test func `a recording can go to standard output`() async throws {
        let run = try await Locwatch.run("$LW record - $FIXTURES/walk/session.json | $LW once -")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("45.0548"))
    }
}
