package import LocationCore
import LocwatchSupport

/// The records that are to be published, in a database that survives the program and the machine.
///
/// A record has a number, which increases by one with each record, and is read by any number of targets, each with its own place.
/// A killed program loses nothing that was appended, and a power cut loses what was appended since the last `sync()`. When the queue is
/// full, the oldest records are removed. Each function can wait for the disk.
package final class PublishQueue: RecordStore {
    /// The number of bytes for which the size and the free space are not measured again.
    private static let measuredAtOnce = 1 << 16
    /// The part of the records that is removed at once, and the number that a full disk leaves.
    private static let removedParts: UInt64 = 64
    private static let keptOnFullDisk: UInt64 = 1024

    /// The size of the bodies in one transaction, which a queue of any size has room for.
    private static let portion = 1 << 15

    /// The size up to which a database is checked as a whole when it is opened, which takes a second for 100 MB; damage of a larger
    /// one is found when it is read.
    private static let largestChecked = 128 << 20
    /// The time in milliseconds after which an attempt to open the database ends, if another program writes it.
    private static let openingPatience = 200

    /// The number of records that are also kept in memory, and the size of a body beyond which none is.
    private static let mostRecent = 128
    private static let largestRecent = 1 << 13

    fileprivate struct QueueContent {
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
        /// The records that were appended last to the open database, without a gap.
        ///
        /// A target that keeps up gets them from here: to read a record back and to parse its text costs more than to store it.
        var recent = ReusedQueue<QueuedRecord>()
        /// The damage that was found last, if any.
        var damage: PublishError?
        /// The mark of each target.
        var targets: [String: DeliveryMark] = [:]
    }

    private let library: SQLiteLibrary
    private let folder: QueueFolder
    private let limits: QueueLimits
    private let steps: Int
    private var content = QueueContent()

    /// Opens a queue in a folder; a damaged one is set aside, and a new one begun.
    package convenience init(_ path: String, limits: QueueLimits = QueueLimits()) throws(PublishError) {
        try self.init(SQLiteLibrary.load(), QueueFolder(path), limits)
    }

    /// Opens the queue of a folder that is locked, which waits for the disk.
    ///
    /// - Parameter steps: The steps that a statement may take on a small database.
    init(
        _ library: SQLiteLibrary, _ folder: QueueFolder, _ limits: QueueLimits, steps: Int = SQLiteDatabase.usualSteps
    ) throws(PublishError) {
        (self.library, self.folder, self.limits, self.steps) = (library, folder, limits, steps)
        try use(&content, patience: Self.openingPatience) { (_, database) throws(PublishError) in
            if try database.size() <= Self.largestChecked { try database.check() }
        }
    }

    // SQLite reaches its files through the folder, to the last.
    deinit { content.database = nil }

    package var end: UInt64 { content.end }

    /// The number of records that were removed because the queue was full, or because they were too old.
    package var dropped: UInt64 { content.dropped }

    package var unreadable: UInt64 { content.unreadable }

    var start: UInt64 { content.start }

    /// The damage that was found last, if any: a database was set aside, or records cannot be read.
    var damage: PublishError? { content.damage }

    /// Appends a record and returns its number.
    ///
    /// If it fails, the queue is as before, and a later record can be appended.
    @discardableResult package func append(_ record: PublishRecord) throws(PublishError) -> UInt64 {
        try insert([QueueDatabase.StoredRecord(record)]).lowerBound
    }

    /// Appends records in few transactions, which costs less than one for each of them.
    package func append(_ records: [PublishRecord]) -> [Result<UInt64, PublishError>] {
        var results: [Result<UInt64, PublishError>] = []
        var rest = records[...]
        while !rest.isEmpty {
            var (entries, size) = ([QueueDatabase.StoredRecord](), 0)
            while let record = rest.first, entries.isEmpty || size < Self.portion {
                let entry = QueueDatabase.StoredRecord(record)
                size += entry.body.count
                entries.append(entry)
                rest.removeFirst()
            }
            guard appendOrLose(entries, &results) else { break }
        }
        return results
    }

    /// Appends entries together, or if that fails one by one, as there can be room for some; returns `false` if another program keeps
    /// the rest from being stored.
    private func appendOrLose(
        _ entries: [QueueDatabase.StoredRecord], _ results: inout [Result<UInt64, PublishError>]
    ) -> Bool {
        do throws(PublishError) {
            results += try insert(entries).map { .success($0) }
        } catch {
            if error.cause.isLocked { return false }
            guard entries.count > 1 else {
                results.append(.failure(error))
                return true
            }
            for entry in entries where !appendOrLose([entry], &results) { return false }
        }
        return true
    }

    private func insert(_ entries: [QueueDatabase.StoredRecord]) throws(PublishError) -> Range<UInt64> {
        if let entry = entries.first(where: { $0.body.count > QueueDatabase.longestBody }) {
            throw .recordTooLarge(entry.body.count)
        }
        let size = entries.reduce(0) { $0 + $1.body.count }
        try makeRoom(for: size, &content)
        do throws(PublishError) { return try insert(entries, size, &content) } catch {
            // Another program has added a record: the numbers are read again.
            guard error.cause.isTaken else { throw error }
            content.database = nil
            return try insert(entries, size, &content)
        }
    }

    private func insert(
        _ entries: [QueueDatabase.StoredRecord], _ size: Int, _ content: inout QueueContent
    ) throws(PublishError) -> Range<UInt64> {
        try use(&content) { (content, database) throws(PublishError) in
            let first = content.end
            try database.append(entries, from: first)
            content.end += UInt64(entries.count)
            content.measured -= size
            for (number, entry) in zip(first..., entries) {
                if entry.body.count > Self.largestRecent {
                    content.forget(below: .max)
                } else {
                    content.remember(QueuedRecord(number, entry.record), atMost: Self.mostRecent)
                }
            }
            return first..<content.end
        }
    }

    package func sync() throws(PublishError) {
        // A folder that was removed has a new queue from now on.
        if let database = content.database, folder.hasMoved(database) { content.database = nil }
        try use(&content) { (_, database) throws(PublishError) in try database.checkpoint() }
    }

    /// Removes the records that every target has taken.
    package func release(below number: UInt64) throws(PublishError) {
        content.released = max(content.released, number)
        try remove(below: min(content.released, content.end), &content)
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
        let oldest = try use(&content) { (content, database) throws(PublishError) in
            try database.oldest(since: limit) ?? content.end
        }
        try remove(below: oldest, &content)
    }

    /// Returns the place of a target.
    ///
    /// A target that is new to the queue begins with the next record, also if it cannot be reached before the program ends.
    package func place(named name: String) throws(PublishError) -> any TargetPlace {
        if let mark = content.targets[name] { return StoredPlace(self, name, mark) }
        let mark = DeliveryMark(low: content.end)
        try store(mark, of: name)
        return StoredPlace(self, name, mark)
    }

    /// Stores the mark of a target.
    func store(_ mark: DeliveryMark, of target: String) throws(PublishError) {
        content.targets[target] = mark
        try use(&content) { (_, database) throws(PublishError) in try database.store(mark, of: target) }
    }

    /// Returns the first records from a number on, in order.
    ///
    /// A record that cannot be read is removed and counted, and the records after it are read.
    func records(from number: UInt64, limit: Int) throws(PublishError) -> [QueuedRecord] {
        if let first = content.recent.first?.number, number >= first {
            return Array(content.recent.dropFirst(Int(clamping: number - first)).prefix(limit))
        }
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

    /// Removes and counts records that cannot be read, which would otherwise be met again by each target, and take the room of others.
    private func remove(_ unreadable: [UInt64], _ database: QueueDatabase, _ content: inout QueueContent) {
        for number in unreadable {
            content.damage = .unreadableRecords
            // On a full disk it stays, and each target leaves it out.
            guard (try? database.remove(number)) != nil else { continue }
            content.unreadable += 1
        }
    }

    // MARK: Room

    private func makeRoom(for size: Int, _ content: inout QueueContent) throws(PublishError) {
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

    private func size(_ content: inout QueueContent) throws(PublishError) -> Int {
        try use(&content) { (_, database) throws(PublishError) in try database.size() }
    }

    private func removeOldest(_ content: inout QueueContent) throws(PublishError) {
        let count = max(1, (content.end - content.start) / Self.removedParts)
        try remove(below: content.start + count, &content)
    }

    /// Removes records, and counts those that were not taken.
    private func remove(below number: UInt64, _ content: inout QueueContent) throws(PublishError) {
        guard number > content.start else { return }
        try use(&content) { (_, database) throws(PublishError) in try database.remove(below: number) }
        let kept = max(content.start, content.released)
        content.dropped += max(number, kept) - kept
        content.start = number
        content.forget(below: number)
    }

    // MARK: The database

    /// Calls `body` with the open database.
    ///
    /// A damaged database is set aside, and `body` is called again with a new one, which continues the numbers.
    @discardableResult private func use<Result>(
        _ content: inout QueueContent, patience: Int = QueueDatabase.patience,
        _ body: (inout QueueContent, QueueDatabase) throws(PublishError) -> Result
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
        _ content: inout QueueContent, _ patience: Int,
        _ body: (inout QueueContent, QueueDatabase) throws(PublishError) -> Result
    ) throws(PublishError) -> Result {
        if let database = content.database { return try body(&content, database) }
        content.forget(below: .max)
        let database = try QueueDatabase(library, folder, patience: patience, steps: steps)
        try content.continueNumbers(in: database)
        content.database = database
        return try body(&content, database)
    }
}

extension PublishQueue.QueueContent {
    /// The largest number of a record; a database with a larger one is damaged.
    private static var largestNumber: UInt64 { 1 << 62 }

    fileprivate mutating func remember(_ record: QueuedRecord, atMost count: Int) {
        if let last = recent.last, last.number + 1 != record.number { forget(below: .max) }
        if recent.count >= count { _ = recent.popFirst() }
        recent.append(record)
    }

    fileprivate mutating func forget(below number: UInt64) {
        while let first = recent.first, first.number < number { _ = recent.popFirst() }
    }

    /// Takes over the numbers and the places of a database, and gives it those that are known already.
    fileprivate mutating func continueNumbers(in database: QueueDatabase) throws(PublishError) {
        let impossible = try database.removeImpossible()
        if impossible > 0 { damage = .unreadableRecords }
        unreadable += UInt64(impossible)
        let numbers = try database.numbers()
        let stored = try database.targets()
        // After a power cut a place can be newer than the records. Their numbers are not used again, or the target would be
        // taken to have the new records.
        let end = max(self.end, stored.values.map(\.low).max() ?? 0, numbers.map { $0.upperBound + 1 } ?? 0)
        guard end < Self.largestNumber else { throw database.damage("impossible numbers") }
        for (name, mark) in targets { try database.store(mark, of: name) }
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

    let stored: DeliveryMark

    init(_ queue: PublishQueue, _ name: String, _ stored: DeliveryMark) {
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

    func store(_ mark: DeliveryMark) {
        do throws(PublishError) { try queue.store(mark, of: name) } catch { ownFailure = error }
    }
}
