package import LocationCore
import LocwatchSupport

/// The records that are to be published, in a database that survives the program and the machine.
///
/// A record has a number, which increases by one with each record, and is read by any number of targets, each with its own place.
/// `append` does not wait for the disk, except in a flood, after each 4 MB of SQLite's log: a killed program loses nothing, and a
/// power cut loses what was appended since the last `sync()`. When the queue is full, the oldest records are removed.
package final class PublishQueue: RecordStore {
    /// The number of bytes for which the size and the free space are not measured again.
    private static let measuredAtOnce = 1 << 16
    /// The part of the records that is removed at once, and the number that a full disk leaves.
    private static let removedParts: UInt64 = 64
    private static let keptOnFullDisk: UInt64 = 1024

    /// The size up to which a database is checked as a whole when it is opened, which takes a second for 100 MB; damage of a larger
    /// one is found when it is read.
    private static let largestChecked = 128 << 20
    /// The time in milliseconds after which an attempt to open the database ends, if another program writes it.
    private static let openingPatience = 500

    fileprivate struct Content {
        /// The open database, or `nil` if it cannot be opened at present.
        var database: QueueDatabase?
        var start: UInt64 = 1
        var end: UInt64 = 1
        var dropped: UInt64 = 0
        /// The number of records that could not be read.
        var unreadable: UInt64 = 0
        /// The number below which every target has taken the records.
        var released: UInt64 = 0
        /// The number of bytes until the size and the free space are measured again.
        var measured = 0
        /// The damage that was found last, if any.
        var damage: PublishError?
        var targets: [String: DeliveryProgress.Cursor] = [:]
    }

    private let library: SQLiteLibrary
    private let folder: QueueFolder
    private let limits: QueueLimits
    private let content = Lock(Content())

    /// Opens a queue in a folder; a damaged one is set aside, and a new one begun.
    ///
    /// - Parameter waits: Returns whether to wait for another program that writes the database; it is called twice a second.
    package init(
        _ path: String, limits: QueueLimits = QueueLimits(), waits: () -> Bool = { false }
    ) throws(PublishError) {
        library = try SQLiteLibrary.load()
        folder = try QueueFolder(path)
        self.limits = limits
        while true {
            do throws(PublishError) {
                try open()
                return
            } catch {
                guard error.cause.isLocked, waits() else { throw error }
            }
        }
    }

    private func open() throws(PublishError) {
        try content.withLock { (content) throws(PublishError) in
            try use(&content, patience: Self.openingPatience) { (_, database) throws(PublishError) in
                if try database.size() <= Self.largestChecked { try database.check() }
            }
        }
    }

    package var end: UInt64 { content.withLock { $0.end } }

    /// The number of records that were removed because the queue was full, or because they were too old.
    package var dropped: UInt64 { content.withLock { $0.dropped } }

    package var unreadable: UInt64 { content.withLock { $0.unreadable } }

    var start: UInt64 { content.withLock { $0.start } }

    /// The damage that was found last, if any: a database was set aside, or records cannot be read.
    var damage: PublishError? { content.withLock { $0.damage } }

    /// Appends a record and returns its number.
    ///
    /// If it fails, the queue is as before, and a later record can be appended.
    @discardableResult package func append(_ record: PublishRecord) throws(PublishError) -> UInt64 {
        let body = record.json
        guard body.count <= QueueDatabase.longestBody else { throw .recordTooLarge(body.count) }
        let time = record.latestTime.secondsSince1970
        return try content.withLock { (content) throws(PublishError) in
            try makeRoom(for: body.count, &content)
            do throws(PublishError) { return try insert(body, time, &content) } catch {
                // Another program has added a record: the numbers are read again.
                guard error.cause.isTaken else { throw error }
                content.database = nil
                return try insert(body, time, &content)
            }
        }
    }

    private func insert(_ body: [UInt8], _ time: Double, _ content: inout Content) throws(PublishError) -> UInt64 {
        try use(&content) { (content, database) throws(PublishError) in
            try database.append(content.end, time: time, body)
            content.end += 1
            content.measured -= body.count
            return content.end - 1
        }
    }

    package func sync() throws(PublishError) {
        try content.withLock { (content) throws(PublishError) in
            // A folder that was removed has a new queue from now on.
            if content.database?.hasMoved == true { content.database = nil }
            try use(&content) { (_, database) throws(PublishError) in try database.checkpoint() }
        }
    }

    /// Removes the records that every target has taken, except the last ones.
    package func release(below number: UInt64) throws(PublishError) {
        try content.withLock { (content) throws(PublishError) in
            content.released = max(content.released, number)
            guard content.end > limits.kept else { return }
            try remove(below: min(content.released, content.end - limits.kept), &content)
        }
    }

    /// Removes the records that are older than the limit on the age.
    ///
    /// Both the time of the fix and the time at which a record was made must be too long ago, so that a clock that was
    /// wrong for a while loses nothing.
    ///
    /// - Parameter now: The current time.
    package func expire(at now: Timestamp) throws(PublishError) {
        guard let age = limits.age else { return }
        let limit = now.advanced(by: .zero - age).secondsSince1970
        try content.withLock { (content) throws(PublishError) in
            let oldest = try use(&content) { (content, database) throws(PublishError) in
                try database.oldest(since: limit) ?? content.end
            }
            try remove(below: oldest, &content)
        }
    }

    /// Returns the place of a target.
    ///
    /// A target that is new to the queue begins with the next record, also if it cannot be reached before the program ends.
    package func place(named name: String, fromStart: Bool) throws(PublishError) -> any TargetPlace {
        let cursor = try content.withLock { (content) throws(PublishError) in
            if let cursor = content.targets[name] { return cursor }
            let cursor = DeliveryProgress.Cursor(low: fromStart ? content.start : content.end)
            try store(cursor, of: name, &content)
            return cursor
        }
        return StoredPlace(self, name, cursor)
    }

    /// Stores the place of a target at once, so that a killed program sends nothing again that was acknowledged.
    func store(_ cursor: DeliveryProgress.Cursor, of target: String) throws(PublishError) {
        try content.withLock { (content) throws(PublishError) in try store(cursor, of: target, &content) }
    }

    private func store(
        _ cursor: DeliveryProgress.Cursor, of target: String, _ content: inout Content
    ) throws(PublishError) {
        content.targets[target] = cursor
        try use(&content) { (_, database) throws(PublishError) in try database.store(cursor, of: target) }
    }

    /// Returns the first records from a number on, in order.
    ///
    /// A record that cannot be read is removed and counted, and the records after it are read.
    func records(from number: UInt64, limit: Int) throws(PublishError) -> [QueuedRecord] {
        try content.withLock { (content) throws(PublishError) in
            var (records, next) = ([QueuedRecord](), number)
            while records.isEmpty, next < content.end {
                let first = next
                try use(&content) { (content, database) throws(PublishError) in
                    next = content.end
                    var last: UInt64?
                    var unreadable: [UInt64] = []
                    try database.records(from: first, limit: limit) { number, body in
                        last = number
                        if let body, let record = PublishRecord(json: body) {
                            records.append(QueuedRecord(number, record))
                        } else {
                            unreadable.append(number)
                        }
                    }
                    if let last { next = last + 1 }
                    remove(unreadable, database, &content)
                }
            }
            return records
        }
    }

    /// Removes and counts records that cannot be read, which would otherwise be met again by each target, and take the room of others.
    private func remove(_ unreadable: [UInt64], _ database: QueueDatabase, _ content: inout Content) {
        for number in unreadable {
            content.damage = .unreadableRecords
            // On a full disk it stays, and each target leaves it out.
            guard (try? database.remove(number)) != nil else { continue }
            content.unreadable += 1
        }
    }

    // MARK: Room

    private func makeRoom(for size: Int, _ content: inout Content) throws(PublishError) {
        // Measuring costs as much as an append.
        guard content.measured < size else { return }
        while content.end - content.start > 1, try self.size(&content) + size > limits.size {
            try removeOldest(&content)
        }
        let needed = limits.reserve + size
        var free = try folder.freeSpace()
        if free < needed, content.end - content.start > Self.keptOnFullDisk {
            // One part for each record: some file systems report the space late, and removing until there is space would
            // then empty the queue.
            try removeOldest(&content)
            try use(&content) { (_, database) throws(PublishError) in try database.checkpoint() }
            free = try folder.freeSpace()
        }
        guard free >= needed else { throw .noSpace(reserve: limits.reserve) }
        let unmeasured = min(Self.measuredAtOnce, limits.size / 64)
        content.measured = free >= needed + 64 * Self.measuredAtOnce ? size + unmeasured : size
    }

    private func size(_ content: inout Content) throws(PublishError) -> Int {
        try use(&content) { (_, database) throws(PublishError) in try database.size() }
    }

    private func removeOldest(_ content: inout Content) throws(PublishError) {
        let count = max(1, (content.end - content.start) / Self.removedParts)
        try remove(below: content.start + count, &content)
    }

    /// Removes records, and counts those that were not taken.
    private func remove(below number: UInt64, _ content: inout Content) throws(PublishError) {
        guard number > content.start else { return }
        try use(&content) { (_, database) throws(PublishError) in try database.remove(below: number) }
        let kept = max(content.start, content.released)
        content.dropped += max(number, kept) - kept
        content.start = number
    }

    // MARK: The database

    /// Calls `body` with the open database.
    ///
    /// A damaged database is set aside, and `body` is called again with a new one, which continues the numbers.
    @discardableResult private func use<Result>(
        _ content: inout Content, patience: Int = QueueDatabase.patience,
        _ body: (inout Content, QueueDatabase) throws(PublishError) -> Result
    ) throws(PublishError) -> Result {
        do throws(PublishError) { return try attempt(&content, patience, body) } catch {
            guard case .database(_, let message) = error.cause,
                error.cause.isDamage || error.cause.isReadOnly && folder.canWriteDatabase
            else { throw error }
            content.database = nil
            let aside = try folder.setDatabaseAside(at: .now)
            content.damage = .damagedQueue(path: aside, reason: message)
            // Its records are neither sent nor dropped by a limit: the message says so.
            content.start = content.end
        }
        return try attempt(&content, patience, body)
    }

    private func attempt<Result>(
        _ content: inout Content, _ patience: Int,
        _ body: (inout Content, QueueDatabase) throws(PublishError) -> Result
    ) throws(PublishError) -> Result {
        if let database = content.database { return try body(&content, database) }
        let database = try QueueDatabase(library, folder, patience: patience)
        try content.continueNumbers(in: database)
        content.database = database
        return try body(&content, database)
    }
}

extension PublishQueue.Content {
    /// The largest number of a record; a database with a larger one is damaged.
    private static var largestNumber: UInt64 { 1 << 62 }

    /// Takes over the numbers and the places of a database, and gives it those that are known already.
    fileprivate mutating func continueNumbers(in database: QueueDatabase) throws(PublishError) {
        let impossible = try database.removeImpossible()
        if impossible > 0 { damage = .unreadableRecords }
        unreadable += UInt64(impossible)
        let numbers = try database.numbers()
        let stored = try database.targets()
        // After a power cut a place can be newer than the records. Their numbers are not used again, or the target would be
        // taken to have the new records.
        let ends = stored.values.map { $0.ahead.last?.upperBound ?? $0.low }
        let end = max(self.end, ends.max() ?? 0, numbers.map { $0.upperBound + 1 } ?? 0)
        guard end < Self.largestNumber else { throw database.damage("impossible numbers") }
        for (name, cursor) in targets { try database.store(cursor, of: name) }
        targets.merge(stored) { known, _ in known }
        start = numbers?.lowerBound ?? end
        self.end = end
    }
}

/// The place of one target in a queue, which remembers across runs of the program what the target has taken.
private final class StoredPlace: TargetPlace {
    private let queue: PublishQueue
    private let name: String
    private var ownFailure: PublishError?

    let stored: DeliveryProgress.Cursor

    init(_ queue: PublishQueue, _ name: String, _ stored: DeliveryProgress.Cursor) {
        self.queue = queue
        self.name = name
        self.stored = stored
    }

    var start: UInt64 { queue.start }
    var end: UInt64 { queue.end }

    var failure: PublishError? { ownFailure ?? queue.damage }

    func records(from number: UInt64, limit: Int) -> [QueuedRecord]? {
        do throws(PublishError) {
            let records = try queue.records(from: number, limit: limit)
            ownFailure = nil
            return records
        } catch {
            ownFailure = error
            return nil
        }
    }

    func store(_ cursor: DeliveryProgress.Cursor) {
        do throws(PublishError) { try queue.store(cursor, of: name) } catch { ownFailure = error }
    }
}

extension PublishRecord {
    /// The time of the fix or the time at which the record was made, whichever is later.
    fileprivate var latestTime: Timestamp { max(time, created) }
}
