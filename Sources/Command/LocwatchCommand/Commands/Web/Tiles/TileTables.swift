import LocationPublishing

/// The tables with the tiles of an MBTiles file.
///
/// The standard has one table, or a view with the name and the columns of it. The text of a view is a program in a file that is not
/// trusted, and is not run: where it joins two tables, as all programs that save each picture once make them, those are read instead.
struct TileTables {
    /// A table, and the columns that are read.
    private struct Table {
        let name: String
        let columns: Set<String>
    }

    private static let place: Set = ["zoom_level", "tile_column", "tile_row"]

    private let tables: [Table]
    /// The statement that returns the picture of a tile, with the parameters zoom, column and row.
    let selection: String
    /// The statement that looks for a picture by a name that none has, if pictures have names.
    private(set) var probe: String?
    /// The table that has the places of the tiles.
    var index: String { tables[0].name }
    /// The table that has the pictures, in the column `tile_data`.
    var pictures: String { tables[tables.count - 1].name }
    /// The statements that make the indexes without which each tile is searched for in the whole file.
    let indexing: String

    private init(_ name: String) {
        tables = [Table(name: name, columns: Self.place.union(["tile_data"]))]
        selection =
            "SELECT tile_data FROM \(name) WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3 LIMIT 1"
        indexing = Self.indexing(name)
    }

    private init(_ index: String, _ pictures: String, by key: String) {
        tables = [
            Table(name: index, columns: Self.place.union([key])), Table(name: pictures, columns: [key, "tile_data"]),
        ]
        selection =
            "SELECT tile_data FROM \(pictures) WHERE \(key) = (SELECT \(key) FROM \(index) "
            + "WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3 LIMIT 1) LIMIT 1"
        probe = "SELECT 1 FROM \(pictures) WHERE \(key) = '' LIMIT 1"
        indexing = "\(Self.indexing(index)); CREATE INDEX \(pictures)_\(key) ON \(pictures) (\(key))"
    }

    private static func indexing(_ table: String) -> String {
        "CREATE INDEX \(table)_place ON \(table) (zoom_level, tile_column, tile_row)"
    }

    /// Those of the standard, of mbutil and tippecanoe, and of programs that follow go-pmtiles.
    private static let all = [
        TileTables("tiles"), TileTables("map", "images", by: "tile_id"),
        TileTables("tiles_shallow", "tiles_data", by: "tile_data_id"),
    ]

    /// Returns the tables of a database, or `nil` if it has none of them.
    static func find(in database: SQLiteDatabase) throws(PublishError) -> TileTables? {
        for tables in all {
            var hasAll = true
            for table in tables.tables where hasAll { hasAll = try has(table, database) }
            if hasAll { return tables }
        }
        return nil
    }

    /// Returns whether a database has a view with the name of the table of the standard.
    static func isView(in database: SQLiteDatabase) throws(PublishError) -> Bool {
        try kinds(of: "tiles", database).contains { $0.type == "view" }
    }

    /// Returns whether a database has a plain table with a name and some columns, none of which is computed.
    static func has(
        _ name: String, _ columns: Set<String>, in database: SQLiteDatabase
    ) throws(PublishError) -> Bool {
        try has(Table(name: name, columns: columns), database)
    }

    private static func has(_ table: Table, _ database: SQLiteDatabase) throws(PublishError) -> Bool {
        // A virtual table is a table too, and belongs to a module of SQLite.
        guard try kinds(of: table.name, database).contains(where: { $0.type == "table" && $0.isPlain }) else {
            return false
        }
        var stored: Set<String> = []
        try database.prepare("PRAGMA table_xinfo(\(table.name))").forEachRow { row in
            // A column with another number is computed when it is read.
            if row.number(at: 6) == 0 { stored.insert(row.text(at: 1).lowercased()) }
            return true
        }
        return table.columns.isSubset(of: stored)
    }

    private static func kinds(
        of name: String, _ database: SQLiteDatabase
    ) throws(PublishError) -> [(type: String, isPlain: Bool)] {
        var kinds: [(type: String, isPlain: Bool)] = []
        let search = try database.prepare("SELECT type, sql FROM sqlite_master WHERE name = ?1 COLLATE NOCASE LIMIT 9")
        search.bind(Array(name.utf8), at: 1)
        try search.forEachRow { row in
            kinds.append((row.text(at: 0), row.text(at: 1).hasPrefix("CREATE TABLE ")))
            return true
        }
        return kinds
    }
}
