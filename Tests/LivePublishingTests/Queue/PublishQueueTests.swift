import Foundation
import Glibc
import LocationCore
@testable import LocationPublishing
import TestSupport
import Testing

@Suite(.serialized, .alone) struct PublishQueueTests {
    private let scratch: Scratch
    private var folder: String { scratch.path("queue") }
    private var database: String { folder + "/queue.sqlite" }
    /// The names of the databases that were set aside.
    private var damaged: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.contains(".damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    }
    private let start = Timestamp(secondsSince1970: 1_700_000_000)

    init() throws { scratch = try Scratch() }

    private func record(_ number: Int, created: Int? = nil) -> PublishRecord {
        let time = start.advanced(by: .seconds(number))
        let coordinate = Coordinate(latitude: 45 + Double(number % 1000) / 1e6, longitude: 7)
        return PublishRecord(
            .moved, created: created.map { start.advanced(by: .seconds($0)) } ?? time,
            location: Location(coordinate: coordinate, timestamp: time))
    }

    private func queue(
        size: Int = 64 << 20, age: Duration? = nil, reserve: Int = 0, kept: UInt64 = 0
    ) throws(PublishError) -> PublishQueue {
        var limits = QueueLimits()
        (limits.size, limits.age, limits.reserve, limits.kept) = (size, age, reserve, kept)
        return try PublishQueue(folder, limits: limits)
    }

    private func numbers(_ queue: PublishQueue) throws -> [UInt64] {
        try queue.records(from: 0, limit: 10_000).map(\.number)
    }

    // MARK: Records

    @Test func `records are read in order, also after the program was started again`() throws {
        do {
            let queue = try queue()
            for number in 0..<100 { #expect(try queue.append(record(number)) == UInt64(number + 1)) }
        }
        let again = try queue()
        let read = try again.records(from: 0, limit: 1000)
        #expect(read.map(\.number) == Array(1...100) && read.map(\.record) == (0..<100).map { record($0) })
        #expect(try again.append(record(100)) == 101)
    }

    @Test
    func `records that are appended together have their numbers in order, and one that is too large is lost alone`()
        throws
    {
        let queue = try queue()
        let records = (0..<300).map { record($0) }
        #expect(try queue.append(records).map { try $0.get() } == Array(1...300))
        var huge = record(301)
        huge.location?.device = String(repeating: "x", count: 1 << 20)
        let results = queue.append([record(300), huge, record(302)])
        #expect(results == [.success(301), .failure(.recordTooLarge(huge.json.count)), .success(302)])
        #expect(try queue.records(from: 1, limit: 500).map(\.record) == records + [record(300), record(302)])
    }

    @Test func `a target sees records that are appended later, from any number`() throws {
        let queue = try queue()
        let place = try queue.place(named: "a", fromStart: false)
        #expect(place.records(from: 1, limit: 10) == [])
        for number in 0..<20 { try queue.append(record(number)) }
        #expect(place.records(from: 5, limit: 3)?.map(\.number) == [5, 6, 7])
        #expect(place.records(from: 1, limit: 2)?.map(\.number) == [1, 2])
        try queue.append(record(20))
        #expect(place.records(from: 21, limit: 9)?.map(\.number) == [21])
        #expect(place.records(from: 22, limit: 9) == [])
    }

    @Test func `records that every target has taken are removed, not counted, and their numbers are not used again`()
        throws
    {
        do {
            let queue = try queue()
            for number in 0..<10 { try queue.append(record(number)) }
            try queue.release(below: 8)
            #expect(try numbers(queue) == [8, 9, 10] && queue.dropped == 0)
            try queue.place(named: "a", fromStart: true).store(DeliveryProgress.Cursor(low: 11))
            try queue.release(below: .max)
            #expect(try numbers(queue).isEmpty && queue.end == 11)
        }
        #expect(try queue().append(record(10)) == 11)
    }

    @Test func `the last records stay for a target that is added with those before it`() throws {
        let queue = try queue(kept: 4)
        for number in 0..<10 { try queue.append(record(number)) }
        let first = try queue.place(named: "a", fromStart: true)
        first.store(DeliveryProgress.Cursor(low: 11))
        try queue.release(below: 11)
        #expect(try numbers(queue) == [7, 8, 9, 10] && queue.dropped == 0)
        #expect(try queue.place(named: "b", fromStart: true).stored.low == 7)
        #expect(QueueSummary(folder)?.records == 4)
        try queue.place(named: "b", fromStart: true).store(DeliveryProgress.Cursor(low: 10))
        #expect(QueueSummary(folder)?.records == 1)
    }

    // MARK: Targets

    @Test func `the place of a target survives, with what was taken out of order`() throws {
        let cursor = DeliveryProgress.Cursor(low: 3, ahead: [5..<6, 8..<10])
        do {
            let queue = try queue()
            for number in 0..<10 { try queue.append(record(number)) }
            try queue.place(named: "a", fromStart: true).store(cursor)
        }
        let place = try queue().place(named: "a", fromStart: false)
        #expect(place.stored == cursor && place.failure == nil)
    }

    @Test func `a target that is added later begins with what is appended after its first start`() throws {
        do {
            let queue = try queue()
            for number in 0..<5 { try queue.append(record(number)) }
            #expect(try queue.place(named: "new", fromStart: false).stored.low == 6)
            #expect(try queue.place(named: "old", fromStart: true).stored.low == 1)
        }
        let again = try queue()
        try again.append(record(5))
        #expect(try again.place(named: "new", fromStart: false).stored.low == 6)
    }

    @Test(arguments: ["7", "5-4", "x-y", "5-18446744073709551615", "2-2", "9-8 7-6"])
    func `an impossible range of a target is left out, so that its records are sent again`(ahead: String) throws {
        try queue().append(record(0))
        try sql("INSERT INTO targets VALUES ('a', 3, '\(ahead) 12-13')")
        let stored = try queue().place(named: "a", fromStart: true).stored
        #expect(stored == DeliveryProgress.Cursor(low: 3, ahead: [12..<14]))
    }

    // MARK: Limits

    @Test func `a full queue removes the oldest records and counts them`() throws {
        let queue = try queue(size: 64 << 10)
        for number in 0..<2000 { try queue.append(record(number)) }
        let left = try numbers(queue)
        #expect(left == Array(queue.dropped + 1...2000) && (200..<800).contains(left.count))
    }

    @Test func `records that are too old are dropped and counted, also after the program was started again`() throws {
        do {
            let queue = try queue(age: .seconds(160))
            for number in 0..<300 { try queue.append(record(number)) }
            try queue.expire(at: start.advanced(by: .seconds(300)))
            #expect(try numbers(queue).first == 141 && queue.dropped == 140)
        }
        let queue = try queue(age: .seconds(160))
        try queue.expire(at: start.advanced(by: .seconds(400)))
        #expect(try numbers(queue) == Array(241...300) && queue.dropped == 100)
        try queue.release(below: 270)
        try queue.expire(at: start.advanced(by: .seconds(10_000)))
        #expect(queue.dropped == 131 && queue.end == 301)
    }

    @Test func `a clock that was wrong, of the machine or of the receiver, drops no record`() throws {
        let queue = try queue(age: .seconds(60))
        try queue.append(record(0, created: -1_000_000_000))
        try queue.append(record(-600_000_000, created: 1))
        try queue.expire(at: start.advanced(by: .seconds(30)))
        #expect(queue.dropped == 0)
    }

    @Test func `on a full disk a record is refused, and stored when there is room again`() throws {
        do {
            let queue = try queue(reserve: .max / 2)
            #expect(throws: PublishError.noSpace(reserve: .max / 2)) { try queue.append(record(0)) }
            #expect(queue.end == 1)
        }
        #expect(try queue().append(record(0)) == 1)
    }

    @Test func `a file gives the room of removed records back`() throws {
        let queue = try queue()
        for number in 0..<20_000 { try queue.append(record(number)) }
        try queue.sync()
        let full = try size(of: database)
        try queue.release(below: 20_000)
        for _ in 0..<2 { try queue.sync() }
        #expect(try size(of: database) < full / 2)
    }

    // MARK: The folder

    @Test func `its files can be read by their owner only`() throws {
        let queue = try queue()
        try queue.append(record(0))
        #expect(mode(of: folder) == 0o700)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.sorted() == ["lock", "queue.sqlite", "queue.sqlite-shm", "queue.sqlite-wal"])
        for name in names { #expect(mode(of: folder + "/" + name) == 0o600) }
    }

    @Test func `a folder that cannot be created is an error with its path`() {
        let error = #expect(throws: PublishError.self) { try PublishQueue("/nonexistent/queue") }
        #expect(error?.description == "cannot create the queue /nonexistent/queue: No such file or directory")
    }

    @Test func `a queue that is in use is an error with its path and the process`() throws {
        let used = try queue()
        #expect(throws: PublishError.queueInUse(path: folder, process: Int(getpid()))) { try queue() }
        withExtendedLifetime(used) {}
    }

    @Test func `a closed queue is free, even while a child is started that has its descriptor`() throws {
        var used: [PublishQueue] = [try queue()]
        try OpenFiles.withCopies(of: folder + "/lock") {
            #expect(throws: PublishError.queueInUse(path: folder, process: Int(getpid()))) { try queue() }
            used.removeAll()
            used.append(try queue())
        }
    }

    @Test func `a database that was removed is begun anew with its numbers and its targets`() throws {
        let queue = try queue()
        let place = try queue.place(named: "a", fromStart: true)
        try queue.append(record(0))
        for suffix in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: database + suffix) }
        try queue.sync()
        #expect(try queue.append(record(1)) == 2)
        #expect(place.records(from: 1, limit: 9)?.map(\.number) == [2])
        #expect(FileManager.default.fileExists(atPath: database))
    }

    @Test func `a folder that was removed is an error, and the queue goes on when it is back`() throws {
        let queue = try queue()
        try queue.append(record(0))
        try FileManager.default.removeItem(atPath: folder)
        #expect(throws: PublishError.self) { try queue.sync() }
        #expect(throws: PublishError.self) { try queue.append(record(1)) }
    }

    // MARK: Damage

    @Test(arguments: ["", "SQLite format 3\u{0}", String(repeating: "x", count: 10_000)])
    func `a file of another kind is set aside with a message, and an empty one is used`(content: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try Data(content.utf8).write(to: URL(filePath: database))
        let queue = try queue()
        #expect(try queue.append(record(0)) == 1)
        guard !content.isEmpty else { return #expect(queue.damage == nil && damaged.isEmpty) }
        let name = try #require(damaged.first)
        let message = try #require(queue.damage).description
        #expect(message.contains("\(folder)/\(name), whose records are not sent"))
        #expect(try String(contentsOfFile: folder + "/" + name, encoding: .utf8) == content)
        let place = try queue.place(named: "a", fromStart: true)
        #expect(place.failure == queue.damage && queue.damage?.losesRecords == false)
    }

    @Test func `damage that is found while the queue is used sets it aside, and the numbers continue`() throws {
        let queue = try queue()
        let place = try queue.place(named: "a", fromStart: true)
        for number in 0..<5000 { try queue.append(record(number)) }
        try queue.sync()
        let file = try FileHandle(forWritingTo: URL(filePath: database))
        try file.seek(toOffset: 4096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 400_000))
        try file.close()
        var read: [UInt64] = []
        while let number = place.records(from: (read.last ?? 0) + 1, limit: 1000)?.last?.number { read.append(number) }
        #expect(damaged.count == 1 && place.failure == queue.damage)
        #expect(try queue.append(record(5000)) == 5001)
        #expect(place.records(from: 1, limit: 9)?.map(\.number) == [5001])
    }

    @Test func `with a changed byte a queue is read or set aside, and the next record is stored`() throws {
        do {
            let queue = try queue()
            _ = try queue.place(named: "a", fromStart: true)
            for number in 0..<200 { try queue.append(record(number)) }
        }
        let whole = try Data(contentsOf: URL(filePath: database))
        var random = SplitMix64(seed: 3)
        // The header of the file, and bytes anywhere.
        let places = Array(0..<100) + (0..<100).map { _ in Int.random(in: 0..<whole.count, using: &random) }
        for place in places {
            var changed = whole
            changed[place] ^= UInt8.random(in: 1...255, using: &random)
            try FileManager.default.removeItem(atPath: folder)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            try changed.write(to: URL(filePath: database))
            let queue = try queue()
            let read = try queue.records(from: 0, limit: 1000)
            let number = try queue.append(record(200))
            #expect(try queue.records(from: number, limit: 9).map(\.record) == [record(200)], "byte \(place)")
            // One changed byte is part of one record, or makes the database one that is set aside.
            let isSetAside = queue.damage != nil && damaged.count == 1
            #expect(read.count >= 199 || isSetAside, "byte \(place): \(read.count)")
        }
    }

    @Test(arguments: [Int64.max, -1])
    func `an impossible number is damage`(number: Int64) throws {
        try queue().append(record(0))
        try sql("INSERT INTO targets VALUES ('a', \(number), '')")
        let queue = try queue()
        #expect((queue.damage != nil) == (number > 0))
        #expect(try queue.append(record(1)) <= 2)
    }

    // MARK: Figures

    @Test func `without other settings a queue has 64 MiB on a disk with 16 MiB more, and keeps 4,096 records`() {
        let limits = QueueLimits()
        #expect(limits.size == 64 << 20 && limits.reserve == 16 << 20 && limits.kept == 4096 && limits.age == nil)
    }

    @Test(
        arguments: [
            (1024, 0, "0 records wait, 1023 KiB"), (1024, 1, "0 records wait, 1 MiB"),
            (1536, 0, "0 records wait, 1 MiB"), (1536, 1024, "0 records wait, 2 MiB"),
        ])
    func `the size of a queue is said in whole units`(kibibytes: Int, more: Int, text: String) throws {
        _ = try queue().place(named: "a", fromStart: true)
        let size = 1024 * (kibibytes - 1) + more
        #expect(truncate(database, size) == 0)
        #expect(QueueSummary(folder)?.description == "\(database): \(text)")
        #expect(QueueSummary(folder)?.size == size)
    }

    @Test func `the summary counts what the slowest target has not taken`() throws {
        do {
            let queue = try queue()
            for number in 0..<3 { try queue.append(record(number)) }
            #expect(QueueSummary(folder)?.records == 3)
            try queue.place(named: "a", fromStart: true).store(DeliveryProgress.Cursor(low: 3))
            try queue.place(named: "b", fromStart: true).store(DeliveryProgress.Cursor(low: 4))
        }
        #expect(QueueSummary(folder)?.description.contains(": 1 record waits, ") == true)
        #expect(QueueSummary(folder + "/none") == nil && QueueSummary(scratch.path("")) == nil)
    }

    @Test(arguments: [(1024, 1024), (1025, 1009)])
    func `a full disk costs a part of the records, and leaves the last 1,024`(count: Int, left: Int) throws {
        do {
            let queue = try queue()
            _ = queue.append((0..<count).map { record($0) })
        }
        let queue = try queue(reserve: .max / 2)
        #expect(throws: PublishError.noSpace(reserve: .max / 2)) { try queue.append(record(count)) }
        #expect(try numbers(queue).count == left && queue.dropped == UInt64(count - left))
        #expect(try numbers(queue).last == UInt64(count) && queue.end == UInt64(count + 1))
    }

    @Test(arguments: [("", nil), ("\n", nil), ("7\n", 7), ("1234567\n", 1_234_567)] as [(String, Int?)])
    func `a queue that is in use names the process that its lock names`(text: String, process: Int?) throws {
        _ = try queue()
        try Data(text.utf8).write(to: URL(filePath: folder + "/lock"))
        let lock = open(folder + "/lock", O_RDWR)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX) == 0)
        #expect(throws: PublishError.queueInUse(path: folder, process: process)) { try queue() }
    }

    @Test func `a queue that is refused leaves no file open`() throws {
        func open() -> Int { (0..<1024).count { fcntl($0, F_GETFD) >= 0 } }
        func refuse() {
            let before = open()
            for _ in 0..<3 { #expect(throws: PublishError.self) { try queue() } }
            #expect(open() == before)
        }
        do {
            let used = try queue()
            refuse()
            withExtendedLifetime(used) {}
        }
        chmod(folder + "/lock", 0o666)
        refuse()
        chmod(folder, 0o777)
        refuse()
    }

    @Test func `ranges of a target that meet are not those of a publisher, and the second one is sent again`() throws {
        try queue().append(record(0))
        try sql("INSERT INTO targets VALUES ('a', 3, '3-3 4-4 5-5 7-8 8-9 12-12')")
        let stored = try queue().place(named: "a", fromStart: true).stored
        #expect(stored == DeliveryProgress.Cursor(low: 3, ahead: [4..<5, 7..<9, 12..<13]))
    }

    @Test(arguments: [(777_199, false), (777_200, true)])
    func `the places of all targets have 16 MiB at most, and more are damage`(rest: Int, isDamage: Bool) throws {
        try queue().append(record(0))
        for name in "abcdefghijklmnop" {
            try sql("INSERT INTO targets VALUES ('\(name)', 1, printf('%.1000000c', 'x'))")
        }
        // With the names of 17 bytes together.
        try sql("INSERT INTO targets VALUES ('q', 1, printf('%.\(rest)c', 'x'))")
        #expect((try queue().damage != nil) == isDamage)
    }

    @Test func `databases that are damaged in the same second are set aside under names of their own`() throws {
        for number in 0..<3 {
            do {
                let queue = try queue()
                #expect(try queue.append(record(number)) == 1)
            }
            try Data("no database".utf8).write(to: URL(filePath: database))
            for suffix in ["-wal", "-shm"] { unlink(database + suffix) }
        }
        #expect(try queue().damage != nil && damaged.count == 3)
    }

    @Test func `a queue of the smallest size keeps the newest record and the one before it`() throws {
        let queue = try queue(size: 1)
        for number in 0..<20 { try queue.append(record(number)) }
        #expect(try numbers(queue) == [19, 20] && queue.dropped == 18)
    }

    @Test func `a file keeps a mebibyte for further records`() throws {
        let queue = try queue()
        _ = queue.append((0..<20_000).map { record($0) })
        try queue.sync()
        try queue.release(below: 20_000)
        for _ in 0..<2 { try queue.sync() }
        #expect((256...264).contains(try size(of: database) / 4096))
    }

    // MARK: -

    /// Changes the database as another program does.
    private func sql(_ text: String) throws { try SQLiteDatabase(SQLiteLibrary.load(), database).run(text) }

    private func size(of path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }
}
