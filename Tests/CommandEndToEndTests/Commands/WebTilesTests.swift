import Foundation
import TestSupport
import Testing

/// The map of a running `locwatch web`, which has confined itself.
@Suite(.serialized, .alone) struct WebTilesTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static func answer(_ port: UInt16, _ path: String, _ header: String = "") throws -> String {
        let client = try SocketClient(port)
        client.send("GET \(path) HTTP/1.0\r\nHost: localhost\r\n\(header)\r\n")
        return try client.readAll()
    }

    private func serving(_ words: String) async throws -> (server: Locwatch, port: UInt16) {
        let port = ReservedPort().number
        let server = try Locwatch(
            "exec $LW web --port \(port) \(words) $FIXTURES/walk/session.json", folder: scratch.url)
        try await server.wait { $0.errors.contains("http://") }
        return (server, port)
    }

    @Test func `a file gives its tiles, and nothing else beside it is read`() async throws {
        // A program that makes such a file can have left a log of SQLite beside it.
        try TileFile.write(["PRAGMA journal_mode = WAL"] + TileFile.world, to: scratch.path("streets.mbtiles"))
        try scratch.write("not a log", to: "streets.mbtiles-wal")
        let (server, port) = try await serving("--tiles streets.mbtiles")
        let facts = try Self.answer(port, "/page.json")
        let start = try #require(facts.firstRange(of: "\"address\":\"tiles/{z}/{x}/{y}?")).upperBound
        let version = facts[start...].prefix { $0 != "\"" }
        #expect(try Self.answer(port, "/tiles/0/0/0?\(version)").contains("\r\nContent-Type: image/png\r\n"))
        #expect(try Self.answer(port, "/tiles/1/0/0?\(version)").hasPrefix("HTTP/1.1 404 "))
        #expect(!server.errors.contains("learns") && !server.errors.contains("refused"), "\(server.errors)")
        try await server.stop()
        #expect(scratch.names == ["streets.mbtiles", "streets.mbtiles-wal"])
    }

    @Test func `a tile needs the token as everything of the session does`() async throws {
        try TileFile.write(to: scratch.path("streets.mbtiles"))
        let (token, header) = ("0123456789abcdef", "Authorization: Bearer ")
        try scratch.write(token, to: "token")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: scratch.path("token"))
        let (server, port) = try await serving("--token-file token --tiles streets.mbtiles")
        #expect(try Self.answer(port, "/tiles/0/0/0").hasPrefix("HTTP/1.1 401 "))
        #expect(try Self.answer(port, "/tiles/0/0/0", "\(header)\(token)\r\n").hasPrefix("HTTP/1.1 200 "))
        try await server.stop()
    }

    @Test func `the first line says that a server of tiles learns where its user looks`() async throws {
        let (server, port) = try await serving("--tiles 'https://tile.example/{z}/{x}/{y}.png'")
        let line = server.errors.split(separator: "\n").first ?? ""
        #expect(line.hasSuffix("; the server tile.example learns where they look on the map"), "\(server.errors)")
        #expect(try Self.answer(port, "/").contains("img-src 'self' https://tile.example; base-uri"))
        #expect(try Self.answer(port, "/tiles/0/0/0").hasPrefix("HTTP/1.1 404 "))
        try await server.stop()
    }

    @Test(arguments: [("nothing", 66, "No such file"), ("text", 65, "file is not a database"), (".", 65, "not a file")])
    func `a file that cannot be used ends the command with the reason`(
        name: String, code: Int32, reason: String
    ) async throws {
        try scratch.write(String(repeating: "no database ", count: 99), to: "text")
        let run = try await Locwatch.run(
            "$LW web --port \(ReservedPort().number) --tiles \(name) $FIXTURES/walk/session.json", folder: scratch.url)
        #expect(run.code == code && run.errors.contains(reason), "\(run.errors)")
    }

    @Test func `clients that do not take large tiles cost little memory`() async throws {
        let tile = "CAST(\(TileFile.literal(TileFile.png)) || zeroblob(1000000) AS BLOB)"
        let statements = [TileFile.table, TileFile.index, "INSERT INTO tiles VALUES (0, 0, 0, \(tile))"]
        try TileFile.write(statements, to: scratch.path("streets.mbtiles"))
        let (server, port) = try await serving("--tiles streets.mbtiles")
        #expect(try Self.answer(port, "/tiles/0/0/0").utf8.count > 1_000_000)
        let before = try #require(server.process.memory)
        var clients = try (0..<60).map { _ in
            let client = try SocketClient(port, receiveBuffer: 2048)
            client.send("GET /tiles/0/0/0 HTTP/1.0\r\nHost: localhost\r\n\r\n")
            return client
        }
        let answers = try clients.map { try $0.read(until: "\r\n\r\n").prefix(12) }
        #expect(answers.contains("HTTP/1.1 200") && answers.contains("HTTP/1.1 503"))
        // The limit of all responses, one that is being made, and what SQLite keeps.
        let most = try #require(server.process.memory)
        #expect(most - before < 12 << 20)
        clients.removeAll()
        try await server.stop()
    }
}
