import Foundation

/// An MBTiles file that another program, Python's SQLite, makes of statements of the test.
package enum TileFile {
    package static let table =
        "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)"
    package static let index = "CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)"
    package static let metadata = "CREATE TABLE metadata (name TEXT, value TEXT)"

    /// The beginning of a PNG of 256 by 256 pixels, which says what it is.
    package static let png: [UInt8] = png(side: 256)

    package static func png(side: Int) -> [UInt8] {
        let size = (0..<4).reversed().map { UInt8(truncatingIfNeeded: side >> (8 * $0)) }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + size + size
            + [8, 2, 0, 0, 0]
    }

    /// Returns bytes as SQL writes them.
    package static func literal(_ bytes: [UInt8]) -> String {
        "x'" + bytes.map { String(format: "%02x", $0) }.joined() + "'"
    }

    /// Returns the statement that adds a tile, whose row is counted from the south.
    package static func tile(_ zoom: Int, _ column: Int, _ row: Int, _ bytes: [UInt8] = png) -> String {
        "INSERT INTO tiles VALUES (\(zoom), \(column), \(row), \(literal(bytes)))"
    }

    /// Returns the statement that adds a fact about the map.
    package static func fact(_ name: String, _ value: String) -> String {
        "INSERT INTO metadata VALUES ('\(name)', '\(value.replacingOccurrences(of: "'", with: "''"))')"
    }

    /// The statements of a file with one tile for the whole world.
    package static let world = [table, index, metadata, tile(0, 0, 0)]

    private static let program = """
        import json, sqlite3, sys
        with sqlite3.connect(sys.argv[1], isolation_level=None) as database:
            for statement in json.load(sys.stdin):
                database.execute(statement)
        """

    /// Performs statements on the database at a path, which is created if there is none.
    package static func write(_ statements: [String] = world, to path: String) throws {
        let input = String(decoding: try JSONEncoder().encode(statements), as: UTF8.self)
        let python = try Tool("python3", ["-c", program, path], input: input)
        guard python.status == 0 else { throw ProgramFailure(description: "python3: \(python.errors)") }
    }
}
