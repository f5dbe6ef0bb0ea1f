/// The database of a queue: its records, and the place of each target.
///
/// A write does not wait for the disk: in the mode WAL a killed program loses nothing, and a power cut loses what was written
/// since the last `checkpoint()`.
struct QueueDatabase {
    /// The number of pages that stay in the file when its records are gone.
    private static let keptPages: Int64 = 256

    private let database: SQLiteDatabase
    private let insertion: SQLiteDatabase.Statement
    private let selection: SQLiteDatabase.Statement
    private let storing: SQLiteDatabase.Statement
    private let removal: SQLiteDatabase.Statement
    private let pages: SQLiteDatabase.Statement
    private let freePages: SQLiteDatabase.Statement
    private let pageSize: Int64

    /// Opens the database of a folder, and creates it if there is none.
    init(_ library: SQLiteLibrary, _ folder: QueueFolder) throws(PublishError) {
        try folder.makeDatabase()
        database = try SQLiteDatabase(library, folder.databasePath)
        // Another program may look at the queue, which takes no time that matters.
        try database.run("PRAGMA busy_timeout = 2000")
        try database.run("PRAGMA auto_vacuum = INCREMENTAL")
        try database.run("PRAGMA journal_mode = WAL")
        try database.run("PRAGMA synchronous = NORMAL")
        try database.run("PRAGMA cache_size = -256")
        try database.run("PRAGMA temp_store = MEMORY")
        try database.run("PRAGMA journal_size_limit = 4194304")
        try database.run("CREATE TABLE IF NOT EXISTS records(number INTEGER PRIMARY KEY, time REAL, body TEXT)")
        try database.run("CREATE TABLE IF NOT EXISTS targets(name TEXT PRIMARY KEY, next INTEGER, ahead TEXT)")
        insertion = try database.prepare("INSERT INTO records VALUES (?, ?, ?)")
        selection = try database.prepare("SELECT number, body FROM records WHERE number >= ? ORDER BY number LIMIT ?")
        storing = try database.prepare(
            "INSERT INTO targets VALUES (?1, ?2, ?3) ON CONFLICT(name) DO UPDATE SET next = ?2, ahead = ?3")
        removal = try database.prepare("DELETE FROM records WHERE number < ?")
        pages = try database.prepare("PRAGMA page_count")
        freePages = try database.prepare("PRAGMA freelist_count")
        pageSize = try database.prepare("PRAGMA page_size").number() ?? 4096
    }

    /// Throws if the file is damaged, as far as its structure shows.
    func check() throws(PublishError) {
        var message: String?
        try database.prepare("PRAGMA quick_check(1)").forEachRow { row in
            message = row.withText(at: 0) { String(decoding: $0, as: UTF8.self) }
            return false
        }
        if let message, message != "ok" { throw damage(message) }
    }

    /// Returns the error of content that is not that of a queue.
    func damage(_ message: String) -> PublishError { database.damage(message) }

    var hasMoved: Bool { database.hasMoved }

    /// The numbers of the oldest and the newest record, if there is one.
    func numbers() throws(PublishError) -> ClosedRange<UInt64>? {
        guard let first = try database.prepare("SELECT number FROM records ORDER BY number LIMIT 1").number(),
            let last = try database.prepare("SELECT number FROM records ORDER BY number DESC LIMIT 1").number(),
            first >= 0, last >= first
        else { return nil }
        return UInt64(first)...UInt64(last)
    }

    /// The size in bytes of what the file holds.
    func size() throws(PublishError) -> Int {
        Int(clamping: ((try pages.number() ?? 0) - (try freePages.number() ?? 0)) * pageSize)
    }

    func append(_ number: UInt64, time: Double, _ body: [UInt8]) throws(PublishError) {
        insertion.bind(Int64(clamping: number), at: 1)
        insertion.bind(time, at: 2)
        insertion.bind(body, at: 3)
        try insertion.run()
    }

    /// Calls `body` with the number and the text of the first records from a number on.
    func records(
        from number: UInt64, limit: Int, _ body: (UInt64, UnsafeRawBufferPointer) -> Void
    ) throws(PublishError) {
        selection.bind(Int64(clamping: number), at: 1)
        selection.bind(Int64(limit), at: 2)
        try selection.forEachRow { row in
            let number = UInt64(clamping: row.number(at: 0))
            row.withText(at: 1) { body(number, $0) }
            return true
        }
    }

    func remove(below number: UInt64) throws(PublishError) {
        removal.bind(Int64(clamping: number), at: 1)
        try removal.run()
    }

    /// Returns the number of the oldest record that is not older than a time, if there is one.
    func oldest(since time: Double) throws(PublishError) -> UInt64? {
        let search = try database.prepare("SELECT number FROM records WHERE time >= ? ORDER BY number LIMIT 1")
        search.bind(time, at: 1)
        return try search.number().map { UInt64(clamping: $0) }
    }

    func targets() throws(PublishError) -> [String: DeliveryProgress.Cursor] {
        var targets: [String: DeliveryProgress.Cursor] = [:]
        try database.prepare("SELECT name, next, ahead FROM targets").forEachRow { row in
            let name = row.withText(at: 0) { String(decoding: $0, as: UTF8.self) }
            let ahead = row.withText(at: 2) { String(decoding: $0, as: UTF8.self) }
            targets[name] = DeliveryProgress.Cursor(low: UInt64(clamping: row.number(at: 1)), ahead: ahead)
            return true
        }
        return targets
    }

    func store(_ cursor: DeliveryProgress.Cursor, of target: String) throws(PublishError) {
        storing.bind(Array(target.utf8), at: 1)
        storing.bind(Int64(clamping: cursor.low), at: 2)
        storing.bind(Array(cursor.aheadText.utf8), at: 3)
        try storing.run()
    }

    /// Writes everything to the disk, and gives pages back that hold nothing.
    func checkpoint() throws(PublishError) {
        if let free = try freePages.number(), free > Self.keptPages {
            try database.run("PRAGMA incremental_vacuum(\(free - Self.keptPages))")
        }
        try database.run("PRAGMA wal_checkpoint(PASSIVE)")
    }
}

extension DeliveryProgress.Cursor {
    /// The ranges that were taken out of order, such as "7-9 12-12".
    fileprivate var aheadText: String {
        ahead.map { "\($0.lowerBound)-\($0.upperBound - 1)" }.joined(separator: " ")
    }

    /// Creates a cursor from a stored text; ranges that are impossible are left out, so that their records are sent again.
    fileprivate init(low: UInt64, ahead text: String) {
        var ranges: [Range<UInt64>] = []
        for word in text.split(separator: " ") {
            let ends = word.split(separator: "-").map { UInt64($0) }
            guard ends.count == 2, let first = ends[0], let last = ends[1], last < UInt64(Int64.max),
                first > ranges.last?.upperBound ?? low, last >= first
            else { continue }
            ranges.append(first..<last + 1)
        }
        self.init(low: low, ahead: ranges)
    }
}
