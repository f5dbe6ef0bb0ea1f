import LocationCore

/// The database of a queue: its records, and the place of each target.
///
/// A write does not wait for the disk: in the mode WAL a killed program loses nothing, and a power cut loses what was written
/// since the last `checkpoint()`.
struct QueueDatabase {
    /// The size of the largest body of a record, which leaves room for the other values of its row.
    static let longestBody = SQLiteDatabase.longestValue - 1024
    /// The size of the bodies after which no more records are read at once.
    private static let mostRead = SQLiteDatabase.longestValue
    /// The number of targets, and the size of their names and marks, that no queue reaches.
    private static let mostTargets = 4096
    private static let mostTargetBytes = 16 << 20
    /// The number of pages that stay in the file when its records are gone.
    private static let keptPages: Int64 = 256

    /// A record as it is stored.
    struct StoredRecord {
        /// The time of the fix or the time at which the record was made, whichever is later.
        let time: Double
        let body: [UInt8]
        let record: PublishRecord

        init(_ record: PublishRecord) {
            self.record = record
            time = max(record.time, record.created).secondsSince1970
            body = record.json
        }
    }

    private let database: SQLiteDatabase
    private let beginning: SQLiteDatabase.Statement
    private let completion: SQLiteDatabase.Statement
    private let reversal: SQLiteDatabase.Statement
    private let insertion: SQLiteDatabase.Statement
    private let selection: SQLiteDatabase.Statement
    private let storing: SQLiteDatabase.Statement
    private let removal: SQLiteDatabase.Statement
    private let removalOfOne: SQLiteDatabase.Statement
    private let pages: SQLiteDatabase.Statement
    private let freePages: SQLiteDatabase.Statement
    private let pageSize: Int64

    /// Opens the database of a folder, and creates it if there is none.
    ///
    /// - Parameters:
    ///   - patience: The time in which another program must have finished to write it, in milliseconds.
    ///   - steps: The steps that a statement may take on a small database.
    init(_ library: SQLiteLibrary, _ folder: QueueFolder, patience: Int, steps: Int) throws(PublishError) {
        let name = try folder.makeDatabase()
        database = try SQLiteDatabase(library, folder.databasePath, named: name, steps: steps)
        try database.run("PRAGMA busy_timeout = \(patience)")
        try database.run("PRAGMA cell_size_check = ON")
        // Before anything in the file is used, or changed.
        try QueueSchema.check(database)
        try database.run("PRAGMA auto_vacuum = INCREMENTAL")
        try database.run("PRAGMA journal_mode = WAL")
        try database.run("PRAGMA synchronous = NORMAL")
        try database.run("PRAGMA cache_size = -256")
        try database.run("PRAGMA temp_store = MEMORY")
        try database.run("PRAGMA journal_size_limit = 4194304")
        // Another program that writes is met here, and not by the first record.
        try database.run("BEGIN IMMEDIATE")
        for table in QueueSchema.tables { try database.run("CREATE TABLE IF NOT EXISTS \(table)") }
        try database.run("COMMIT")
        beginning = try database.prepare("BEGIN IMMEDIATE")
        completion = try database.prepare("COMMIT")
        reversal = try database.prepare("ROLLBACK")
        insertion = try database.prepare("INSERT INTO records VALUES (?, ?, ?)")
        selection = try database.prepare("SELECT number, body FROM records WHERE number >= ? ORDER BY number LIMIT ?")
        storing = try database.prepare(
            "INSERT INTO targets VALUES (?1, ?2, ?3) ON CONFLICT(name) DO UPDATE SET next = ?2, ahead = ?3")
        removal = try database.prepare("DELETE FROM records WHERE number < ?")
        removalOfOne = try database.prepare("DELETE FROM records WHERE number = ?")
        pages = try database.prepare("PRAGMA page_count")
        freePages = try database.prepare("PRAGMA freelist_count")
        pageSize = try database.prepare("PRAGMA page_size").number() ?? 4096
        _ = try size()
        // Another program may look at the queue later, which takes no time that matters.
        try database.run("PRAGMA busy_timeout = \(Self.patience)")
    }

    /// The time in milliseconds for which a statement waits for another program.
    static let patience = 2000

    /// Throws if the file is damaged, as far as its structure shows.
    func check() throws(PublishError) {
        var message: String?
        try database.prepare("PRAGMA quick_check(1)").forEachRow { row in
            message = row.text(at: 0)
            return false
        }
        if let message, message != "ok" { throw damage(message) }
    }

    /// Returns the error of content that is not that of a queue.
    func damage(_ message: String) -> PublishError { database.damage(message) }

    var hasMoved: Bool { database.hasMoved }

    /// Removes the records with numbers that none can have, and returns how many there were.
    func removeImpossible() throws(PublishError) -> Int {
        let count = try database.prepare("SELECT count(*) FROM records WHERE number < 1").number() ?? 0
        if count > 0 { try remove(below: 1) }
        return Int(clamping: count)
    }

    /// The numbers of the oldest and the newest record, if there is one.
    func numbers() throws(PublishError) -> ClosedRange<UInt64>? {
        guard let first = try database.prepare("SELECT number FROM records ORDER BY number LIMIT 1").number(),
            let last = try database.prepare("SELECT number FROM records ORDER BY number DESC LIMIT 1").number()
        else { return nil }
        guard first >= 0, last >= first else { throw damage("impossible numbers") }
        return UInt64(first)...UInt64(last)
    }

    /// The size in bytes of what the file holds.
    func size() throws(PublishError) -> Int {
        let pages = try pages.number() ?? 0
        database.allowSteps(forSize: Int(clamping: pages.multipliedReportingOverflow(by: pageSize).partialValue))
        return Int(clamping: (pages - (try freePages.number() ?? 0)) * pageSize)
    }

    /// Appends entries with the numbers from one on, all of them or none.
    func append(_ entries: [StoredRecord], from number: UInt64) throws(PublishError) {
        guard entries.count > 1 else {
            if let entry = entries.first { try append(entry, number) }
            return
        }
        try beginning.run()
        do throws(PublishError) {
            for (index, entry) in entries.enumerated() { try append(entry, number + UInt64(index)) }
            try completion.run()
        } catch {
            // After some failures SQLite has done so itself.
            try? reversal.run()
            throw error
        }
    }

    private func append(_ entry: StoredRecord, _ number: UInt64) throws(PublishError) {
        insertion.bind(Int64(clamping: number), at: 1)
        insertion.bind(entry.time, at: 2)
        insertion.bind(entry.body, at: 3)
        try insertion.run()
    }

    /// Calls `body` with the number and the text of the first records from a number on, or without a text that is too large.
    ///
    /// There can be fewer than the limit, although more follow, so that the memory that they need is bounded.
    func records(
        from number: UInt64, limit: Int, _ body: (UInt64, UnsafeRawBufferPointer?) -> Void
    ) throws(PublishError) {
        selection.bind(Int64(clamping: number), at: 1)
        selection.bind(Int64(limit), at: 2)
        var (next, size, isOrdered) = (number, 0, true)
        do throws(PublishError) {
            try selection.forEachRow { row in
                let number = UInt64(clamping: row.number(at: 0))
                isOrdered = number >= next
                guard isOrdered else { return false }
                next = number + 1
                row.withText(at: 1) {
                    size += $0.count
                    body(number, $0)
                }
                return size < Self.mostRead
            }
        } catch {
            guard error.cause.isTooLarge, let number = try firstNumber(from: next) else { throw error }
            body(number, nil)
        }
        guard isOrdered else { throw damage("records out of order") }
    }

    /// Returns the number of the first record from a number on.
    private func firstNumber(from number: UInt64) throws(PublishError) -> UInt64? {
        let search = try database.prepare("SELECT number FROM records WHERE number >= ? ORDER BY number LIMIT 1")
        search.bind(Int64(clamping: number), at: 1)
        return try search.number().flatMap { $0 < Int64(clamping: number) ? nil : UInt64($0) }
    }

    func remove(_ number: UInt64) throws(PublishError) {
        removalOfOne.bind(Int64(clamping: number), at: 1)
        try removalOfOne.run()
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

    /// Returns the mark of each target.
    func targets() throws(PublishError) -> [String: DeliveryMark] {
        var (targets, size) = ([String: DeliveryMark](), 0)
        try database.prepare("SELECT name, next, ahead FROM targets").forEachRow { row in
            let (name, sent) = (row.text(at: 0), row.text(at: 2))
            targets[name] = DeliveryMark(low: UInt64(clamping: row.number(at: 1)), sentText: sent)
            size += name.utf8.count + sent.utf8.count
            return targets.count <= Self.mostTargets && size <= Self.mostTargetBytes
        }
        guard targets.count <= Self.mostTargets, size <= Self.mostTargetBytes else { throw damage("too many targets") }
        return targets
    }

    func store(_ mark: DeliveryMark, of target: String) throws(PublishError) {
        storing.bind(Array(target.utf8), at: 1)
        storing.bind(Int64(clamping: mark.low), at: 2)
        storing.bind(Array(mark.sentText.utf8), at: 3)
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
