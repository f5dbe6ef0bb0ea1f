import Foundation
import Glibc
import LocationCore
import LocwatchTerminal
import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchSession

/// MBTiles files, among them those that are made to harm.
@Suite(.serialized, .withFew) struct TileArchiveTests {
    private let scratch: Scratch
    private var path: String { scratch.path("streets.mbtiles") }

    init() throws { scratch = try Scratch() }

    private func archive(_ statements: [String]) throws -> TileArchive {
        try TileFile.write(statements, to: path)
        return try TileArchive(path)
    }

    private static func place(_ zoom: Int, _ column: Int, _ row: Int) throws -> TilePlace {
        try #require(TilePlace(path: "/tiles/\(zoom)/\(column)/\(row)"))
    }

    /// Returns the failure of a file.
    private func failure(_ path: String? = nil) -> StartFailure? {
        #expect(throws: StartFailure.self) { try TileArchive(path ?? self.path) }
    }

    // MARK: What is read

    @Test func `a tile is found by its row from the north, and at no other place`() throws {
        let archive = try archive([TileFile.table, TileFile.index, TileFile.tile(2, 1, 0), TileFile.tile(3, 1, 0)])
        #expect(try archive.tile(at: Self.place(2, 1, 3))?.bytes == TileFile.png)
        for (column, row) in [(1, 0), (0, 3), (2, 3)] {
            #expect(try archive.tile(at: Self.place(2, column, row)) == nil)
        }
        #expect(archive.zooms == 2...3 && archive.side == 256)
        #expect(archive.bounds == nil && archive.attribution == nil)
    }

    @Test(arguments: [("map", "images", "tile_id"), ("tiles_shallow", "tiles_data", "tile_data_id")])
    func `pictures that are stored once are read from their tables, and the view of them is not run`(
        index: String, pictures: String, key: String
    ) throws {
        let archive = try archive([
            "CREATE TABLE \(index) (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, \(key) TEXT)",
            "CREATE UNIQUE INDEX a ON \(index) (zoom_level, tile_column, tile_row)",
            "CREATE TABLE \(pictures) (tile_data BLOB, \(key) TEXT)", "CREATE UNIQUE INDEX b ON \(pictures) (\(key))",
            "INSERT INTO \(pictures) VALUES (\(TileFile.literal(TileFile.png)), 'sea')",
            "INSERT INTO \(index) VALUES (1, 0, 0, 'sea'), (1, 1, 0, 'sea'), (1, 1, 1, 'missing')",
            "CREATE VIEW tiles AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
                + "SELECT x AS zoom_level, x AS tile_column, x AS tile_row, x AS tile_data FROM c",
        ])
        #expect(try archive.tile(at: Self.place(1, 0, 1)) != nil && archive.tile(at: Self.place(1, 1, 1)) != nil)
        #expect(try archive.tile(at: Self.place(1, 1, 0)) == nil && archive.tile(at: Self.place(1, 0, 0)) == nil)
        #expect(archive.zooms == 1...1)
    }

    @Test func `facts about the map are read, and those that are wrong are absent`() throws {
        let facts = [
            TileFile.fact("minzoom", "3"), TileFile.fact("maxzoom", "17"), TileFile.fact("bounds", "7.1,44.9,8,45.2"),
            TileFile.fact("attribution", "&copy; <a href=\"javascript:alert(1)\">Anna</a>"),
        ]
        let archive = try archive(TileFile.world + facts)
        #expect(archive.zooms == 3...17 && archive.attribution == "© Anna")
        #expect(archive.bounds == TileBounds("7.1, 44.9, 8.0, 45.2"))
        for (name, value) in [("minzoom", "-1"), ("maxzoom", "31"), ("minzoom", "18"), ("maxzoom", "x")] {
            try TileFile.write(["UPDATE metadata SET value = '\(value)' WHERE name = '\(name)'"], to: path)
            // Those of the table.
            #expect(try TileArchive(path).zooms == 0...0, "\(name) \(value)")
            try TileFile.write(["DELETE FROM metadata"] + facts, to: path)
        }
    }

    @Test(arguments: [
        "", "1,2,3", "1,2,3,4,5", "8,45,7,46", "7,46,8,45", "7,45,nan,46", "7,45,inf,46", "-181,45,7,46", "7,45,8,91",
        "a,b,c,d",
    ])
    func `bounds that are no area are absent`(text: String) {
        #expect(TileBounds(text) == nil)
    }

    @Test func `the name of a file can have any characters, and lead to it as a link`() throws {
        let name = scratch.path("a b?c=d%41#é'\".mbtiles")
        try TileFile.write(to: path)
        try FileManager.default.moveItem(atPath: path, toPath: name)
        #expect(try TileArchive(name).zooms == 0...0)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: name)
        #expect(try TileArchive(path).zooms == 0...0)
    }

    @Test func `the version is another one when the file is`() throws {
        let first = try archive(TileFile.world).version
        try TileFile.write([TileFile.tile(1, 0, 0, TileFile.png + Array(repeating: 7, count: 9000))], to: path)
        #expect(try TileArchive(path).version != first)
    }

    @Test(arguments: ["PNG", "JPEG"])
    func `a file that GDAL has written has its tiles at their places`(format: String) throws {
        let script = Golden.package.appending(path: "Tests/Oracles/map_tiles.py").path
        let writing = try Tool("/usr/bin/python3", [script, "write", format, path])
        try #require(writing.status == 0, "\(writing.errors)")
        let archive = try TileArchive(path)
        #expect(archive.zooms == 3...3 && archive.side == 256)
        // The colours of the quarters of the picture, from the northwest.
        for (column, row, colour) in [(4, 2, "red"), (5, 2, "green"), (4, 3, "blue"), (5, 3, "white")] {
            let tile = try #require(try archive.tile(at: Self.place(3, column, row)))
            #expect(tile.picture.mediaType == "image/\(format.lowercased())" && tile.picture.height == 256)
            let picture = try scratch.write(tile.bytes, to: "tile")
            let reading = try Tool("/usr/bin/python3", [script, "colour", picture])
            #expect(reading.output == "\(colour)\n", "\(reading.errors)")
        }
        #expect(try archive.tile(at: Self.place(3, 3, 2)) == nil)
    }

    // MARK: What is refused

    private static let endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c"
    private static let picture = TileFile.literal(TileFile.png)
    private static let manyTiles = "INSERT INTO tiles \(endless) LIMIT 40000) SELECT 16, x, 7, \(picture) FROM c"
    /// A schema that would take hundreds of megabytes.
    private static let manyViews =
        "INSERT INTO sqlite_master \(endless) LIMIT 60000) "
        + "SELECT 'view', 'v' || x, 'v' || x, 0, 'CREATE VIEW v' || x || ' AS SELECT 1' FROM c"
    private static let page = Array("<html><script>alert(1)</script>".utf8)
    private static let drawing = Array("<svg onload='alert(1)'/>".utf8)

    @Test(
        arguments: [
            ([], "it has no table of tiles"), (["CREATE TABLE other (a)"], "it has no table of tiles"),
            (["CREATE VIEW tiles AS \(endless)) SELECT x AS zoom_level FROM c"], "its tiles are a view"),
            (
                ["CREATE VIRTUAL TABLE tiles USING fts5(zoom_level, tile_column, tile_row, tile_data)"],
                "it has no table of tiles"
            ),
            (
                ["CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data AS (zeroblob(1000000000)))"],
                "it has no table of tiles"
            ),
            (["CREATE TABLE tiles (zoom_level, tile_column, tile_row)"], "it has no table of tiles"),
            (
                [
                    TileFile.table, "PRAGMA writable_schema = ON",
                    "UPDATE sqlite_master SET sql = 'CREATE VIEW tiles AS SELECT 1'",
                ], "malformed database schema"
            ),
            ([TileFile.table, TileFile.index], "it has no tile"),
            ([TileFile.table, TileFile.index, TileFile.tile(3, 0, 0, [0x1F, 0x8B, 8, 0])], "its tiles are vectors"),
            (
                [
                    TileFile.table, TileFile.index, TileFile.metadata, TileFile.fact("format", "pbf"),
                    TileFile.tile(3, 0, 0, [0x1A, 0x00]),
                ], "its tiles are vectors"
            ),
            ([TileFile.table, TileFile.index, TileFile.tile(3, 0, 0, page)], "its tiles are not pictures"),
            ([TileFile.table, TileFile.index, TileFile.tile(3, 0, 0, drawing)], "its tiles are not pictures"),
            (
                [TileFile.table, TileFile.index, TileFile.tile(3, 0, 0, TileFile.png(side: 30_000))],
                "at most 1024 by 1024"
            ),
            (
                [TileFile.table, TileFile.index, "INSERT INTO tiles VALUES (3, 0, 0, zeroblob(1048577))"],
                "string or blob too big"
            ),
            ([TileFile.table, TileFile.index, TileFile.tile(77, 0, 0)], "its zoom levels are impossible"),
            ([TileFile.table, manyTiles], "it has no index"),
            (
                [
                    "CREATE TABLE map (zoom_level, tile_column, tile_row, tile_id)",
                    "CREATE INDEX a ON map (zoom_level)",
                    "CREATE TABLE images (tile_id, tile_data)",
                    "INSERT INTO images \(endless) LIMIT 40000) SELECT x, \(picture) FROM c",
                    "INSERT INTO map VALUES (1, 1, 1, 1)",
                ], "it has no index"
            ),
            (
                [TileFile.table, TileFile.index, TileFile.tile(0, 0, 0), "PRAGMA writable_schema = ON", manyViews],
                "cannot use "
            ),
        ] as [([String], String)])
    func `a file without pictures of a map is refused with the reason`(statements: [String], reason: String) throws {
        try TileFile.write(["PRAGMA user_version = 1"] + statements, to: path)
        let failure = failure()
        #expect(failure?.code == .badData && failure?.text.contains(reason) == true, "\(failure?.text ?? "")")
        #expect(failure?.text.contains(path) == true)
    }

    @Test func `a text, a folder, a pipe and nothing are refused with the reason`() throws {
        try scratch.write(String(repeating: "not a database\n", count: 99), to: "text")
        try #require(mkfifo(scratch.path("pipe"), 0o600) == 0)
        for (name, reason, code) in [
            ("text", "file is not a database", ExitCode.badData), ("pipe", "it is not a file", .badData),
            (".", "it is not a file", .badData), ("nothing", "No such file or directory", .noInput),
        ] {
            let failure = failure(scratch.path(name))
            #expect(failure?.code == code && failure?.text.contains(reason) == true, "\(failure?.text ?? "")")
        }
    }

    @Test func `an index that is missing can be made as the message says`() throws {
        try TileFile.write([TileFile.table, Self.manyTiles], to: path)
        let text = try #require(failure()).text
        let statement = try #require(text.split(separator: "'").dropFirst().first)
        try TileFile.write([String(statement)], to: path)
        #expect(try TileArchive(path).tile(at: Self.place(16, 7, 65_535 - 7)) != nil)
    }

    @Test func `triggers and views beside the tables, and tiles that are none, harm no other tile`() throws {
        let page = TileFile.literal(Self.page)
        let archive = try archive(
            TileFile.world + [
                "INSERT INTO tiles VALUES (1, 0, 0, \(page)), (1, 1, 0, zeroblob(9000000)), (1, 0, 1, NULL)",
                "INSERT INTO tiles VALUES (2, 0, 0, 'text'), (2, 1, 0, 7), (2, 2, 0, x'')", TileFile.tile(2, 3, 0),
                "CREATE TRIGGER t AFTER UPDATE ON tiles BEGIN DELETE FROM tiles; END", "CREATE VIEW v AS SELECT 1",
            ])
        for (zoom, column, row) in [(1, 0, 1), (1, 1, 1), (1, 0, 0), (2, 0, 3), (2, 1, 3), (2, 2, 3)] {
            #expect(try archive.tile(at: Self.place(zoom, column, row)) == nil, "\(zoom) \(column) \(row)")
        }
        #expect(try archive.tile(at: Self.place(0, 0, 0)) != nil && archive.tile(at: Self.place(2, 3, 3)) != nil)
    }

    @Test func `a search that takes too long is given up, and the file is left alone for a while`() throws {
        // The values of a place are behind a long one, so that each row of the level costs a read of all its pages.
        let pages = 200
        try TileFile.write(
            [
                "CREATE TABLE tiles (pad, zoom_level, tile_column, tile_row, tile_data)",
                "CREATE INDEX a ON tiles (zoom_level)",
                "INSERT INTO tiles \(Self.endless) LIMIT 50) SELECT zeroblob(\(pages * 4096)), 7, 1, x, \(Self.picture) FROM c",
                "INSERT INTO tiles VALUES (NULL, 3, 1, 1, \(Self.picture))",
            ], to: path)
        // Each look at the clock, of which there is one before each read, takes a millisecond.
        var (time, step) = (ContinuousClock().now, Duration.zero)
        let archive = try TileArchive(path) {
            time += step
            return time
        }
        let near = try Self.place(3, 1, 6)
        #expect(try archive.tile(at: near) != nil)
        step = .milliseconds(1)
        #expect(try archive.tile(at: near) != nil)
        let start = time
        #expect(throws: TileArchive.IsTooSlow.self) { try archive.tile(at: Self.place(7, 1, 0)) }
        // Not much later than it may take, although one row has as many pages.
        #expect(time - start < TileArchive.searchTime + .milliseconds(10))
        #expect(throws: TileArchive.IsTooSlow.self) { try archive.tile(at: near) }
        time += TileArchive.pause
        #expect(try archive.tile(at: near) != nil)
    }

    @Test func `a file that takes too long to open is refused`() throws {
        try TileFile.write(to: path)
        var time = ContinuousClock().now
        let failure = #expect(throws: StartFailure.self) {
            try TileArchive(path) {
                time += .seconds(4)
                return time
            }
        }
        #expect(failure?.text.contains("it takes too long to read") == true && failure?.code == .badData)
    }

    @Test func `a file whose tables are still in SQLite's log is named as that`() throws {
        let script = """
            import os, sqlite3, sys
            database = sqlite3.connect(sys.argv[1], isolation_level=None)
            database.execute("PRAGMA journal_mode = WAL")
            for statement in sys.argv[2:]: database.execute(statement)
            os._exit(0)
            """
        _ = try Tool("python3", ["-c", script, path] + TileFile.world)
        try #require(FileManager.default.fileExists(atPath: "\(path)-wal"))
        let message = try #require(failure()).text
        #expect(message.contains("its tables are still in \(path)-wal"), "\(message)")
        #expect(message.contains("sqlite3 \(path) 'PRAGMA wal_checkpoint(TRUNCATE)'"), "\(message)")
        // The advice helps.
        try TileFile.write(["PRAGMA wal_checkpoint(TRUNCATE)"], to: path)
        #expect(try TileArchive(path).zooms == 0...0)
        try TileFile.write(["DROP TABLE tiles"], to: path)
        #expect(failure()?.text.contains("it is not an MBTiles file") == true)
    }

    @Test func `any damage of a file is an error or a missing tile`() throws {
        try TileFile.write(
            [TileFile.table, TileFile.index, TileFile.metadata]
                + (0..<64).map { TileFile.tile(3, $0 / 8, $0 % 8, TileFile.png + Array(repeating: 7, count: 500)) },
            to: path)
        let whole = [UInt8](try Data(contentsOf: URL(filePath: path)))
        var random = SplitMix64(seed: 7)
        var (opened, found) = (0, 0)
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0...Int.random(in: 0...8, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            if Int.random(in: 0..<8, using: &random) == 0 { bytes.removeLast(bytes.count / 3) }
            let damaged = try scratch.write(bytes, to: "damaged")
            guard let archive = try? TileArchive(damaged) else { continue }
            opened += 1
            for number in 0..<64 where try archive.tile(at: Self.place(3, number / 8, number % 8)) != nil { found += 1 }
        }
        #expect(opened > 100 && found > 1000)
    }
}
