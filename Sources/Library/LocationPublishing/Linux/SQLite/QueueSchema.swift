/// The schema of a queue: two tables, and nothing else.
///
/// A file that another program has made or changed can have views without an end, triggers, or expressions that are computed with
/// each record. They would run with the statements on the tables, so that such a file is not used.
enum QueueSchema {
    /// The column `ahead` has the records from `next` on that may have been sent.
    static let tables = [
        "records(number INTEGER PRIMARY KEY, time REAL, body TEXT)",
        "targets(name TEXT PRIMARY KEY, next INTEGER, ahead TEXT)",
    ]

    /// The text that SQLite keeps of each table.
    private static let definitions = tables.map { "CREATE TABLE \($0)" }

    /// The index that SQLite makes for the names of the targets.
    private static let index = "sqlite_autoindex_targets_1"

    /// Throws damage if a database has anything else than tables of a queue; one that is empty has none.
    static func check(_ database: SQLiteDatabase) throws(PublishError) {
        var foreign: String?
        try database.prepare("SELECT type, name, sql FROM sqlite_master").forEachRow { row in
            let words = (0..<3).map { row.text(at: $0) }
            let isOwn =
                words[0] == "table" ? definitions.contains(words[2]) : words == ["index", index, ""]
            if !isOwn { foreign = "\(words[0]) \(words[1].prefix(40))" }
            return isOwn
        }
        if let foreign { throw database.damage("no queue has the \(foreign)") }
    }
}
