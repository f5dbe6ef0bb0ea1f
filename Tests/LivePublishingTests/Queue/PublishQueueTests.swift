import Foundation
import Glibc
import LocationCore
@testable import LocationPublishing
import TestSupport
import Testing

@Suite(.serialized, .alone) struct PublishQueueTests {
    let scratch: Scratch
    var folder: String { scratch.path("queue") }
    var database: String { folder + "/queue.sqlite" }
    /// The names of the databases that were set aside.
    var damaged: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.contains(".damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    }
    let start = Timestamp(secondsSince1970: 1_700_000_000)

    init() throws { scratch = try Scratch() }

    func record(_ number: Int, created: Int? = nil) -> PublishRecord {
        let time = start.advanced(by: .seconds(number))
        let coordinate = Coordinate(latitude: 45 + Double(number % 1000) / 1e6, longitude: 7)
        return PublishRecord(
            .moved, created: created.map { start.advanced(by: .seconds($0)) } ?? time,
            location: Location(coordinate: coordinate, timestamp: time))
    }

    func queue(
        size: Int = 64 << 20, age: Duration? = nil, reserve: Int = 0
    ) throws(PublishError) -> PublishQueue {
        var limits = QueueLimits()
        (limits.size, limits.age, limits.reserve) = (size, age, reserve)
        return try PublishQueue(folder, limits: limits)
    }

    func numbers(_ queue: PublishQueue) throws -> [UInt64] {
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

    @Test func `the records that were appended last are read from memory, and older ones from the disk`() throws {
        let queue = try queue()
        for number in 0..<2 { try queue.append(record(number)) }
        try sql("DELETE FROM records WHERE number = 1")
        #expect(try queue.records(from: 1, limit: 1) == [QueuedRecord(1, record(0))])
        #expect(queue.append((2..<200).map { record($0) }).count == 198)
        #expect(try queue.records(from: 1, limit: 1) == [QueuedRecord(2, record(1))])
        #expect(try queue.records(from: 100, limit: 200).map(\.record) == (99..<200).map { record($0) })
    }

    @Test func `a target sees records that are appended later, from any number`() throws {
        let queue = try queue()
        let place = try queue.place(named: "a")
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
            try queue.place(named: "a").store(DeliveryMark(low: 11))
            try queue.release(below: .max)
            #expect(try numbers(queue).isEmpty && queue.end == 11)
        }
        #expect(try queue().append(record(10)) == 11)
    }

    // MARK: Targets

    @Test func `the mark of a target survives, and what release 0_5 has taken out of order is sent again and marked`()
        throws
    {
        let mark = DeliveryMark(low: 3, sentEnd: 5, ahead: [10, 7])
        do {
            let queue = try queue()
            for number in 0..<10 { try queue.append(record(number)) }
            try queue.place(named: "a").store(mark)
        }
        try sql("INSERT INTO targets VALUES ('b', 4, '6-6 8-9'), ('c', 4, '')")
        try sql("INSERT INTO targets VALUES ('d', 4, '< <x <-1 -5 9- 99999999999999999999')")
        let queue = try queue()
        let place = try queue.place(named: "a")
        #expect(place.stored == mark && place.failure == nil)
        let old = try queue.place(named: "b")
        #expect(old.stored == DeliveryMark(low: 4, sentEnd: 10))
        #expect(old.records(from: 4, limit: 9)?.map(\.number) == Array(4...10))
        #expect(try queue.place(named: "c").stored == DeliveryMark(low: 4))
        #expect(try queue.place(named: "d").stored.low == 4)
        old.store(DeliveryMark(low: 7))
        #expect(queue.damage == nil)
    }

    @Test func `a target that is added later begins with what is appended after its first start`() throws {
        do {
            let queue = try queue()
            for number in 0..<5 { try queue.append(record(number)) }
            #expect(try queue.place(named: "new").stored.low == 6)
        }
        let again = try queue()
        try again.append(record(5))
        #expect(try again.place(named: "new").stored.low == 6)
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

    // MARK: Figures

    @Test func `without other settings a queue has 64 MiB on a disk with 16 MiB more, and keeps 4,096 records`() {
        let limits = QueueLimits()
        #expect(limits.size == 64 << 20 && limits.reserve == 16 << 20 && limits.age == nil)
    }

    @Test(
        arguments: [
            (1024, 0, "0 records wait, 1023 KiB"), (1024, 1, "0 records wait, 1 MiB"),
            (1536, 0, "0 records wait, 1 MiB"), (1536, 1024, "0 records wait, 2 MiB"),
        ])
    func `the size of a queue is said in whole units`(kibibytes: Int, more: Int, text: String) throws {
        _ = try queue().place(named: "a")
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
            try queue.place(named: "a").store(DeliveryMark(low: 3))
            try queue.place(named: "b").store(DeliveryMark(low: 4))
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

    @Test func `a queue of the smallest size keeps the newest record and the one before it`() throws {
        let queue = try queue(size: 1)
        for number in 0..<20 { try queue.append(record(number)) }
        #expect(try numbers(queue) == [19, 20] && queue.dropped == 18)
    }

    @Test(arguments: [0, 1])
    func `a record that just fits into the size of a queue costs no other one`(missing: Int) throws {
        do {
            let queue = try queue()
            for number in 0..<20 { try queue.append(record(number)) }
        }
        let queue = try queue(size: size(of: database) + record(20).json.count - missing)
        #expect(try queue.append(record(20)) == 21)
        #expect((queue.dropped > 0) == (missing > 0))
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
    func sql(_ text: String) throws { try SQLiteDatabase(SQLiteLibrary.load(), database).run(text) }

    func size(of path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }
}
