import LocationCore
import LocwatchSupport
import Testing

@testable import LocationPublishing

@Suite struct QueueLimitTests {
    private let start = Timestamp(secondsSince1970: 1_700_000_000)

    private func record(_ number: Int, created: Int? = nil) -> PublishRecord {
        let time = start.advanced(by: .seconds(number))
        let location = Location(coordinate: Coordinate(latitude: 45, longitude: 7), timestamp: time)
        return PublishRecord(
            .moved, created: created.map { start.advanced(by: .seconds($0)) } ?? time, location: location)
    }

    private func limits(age: Duration? = nil, reserve: Int = 0, segment: Int = 1_000) -> QueueLimits {
        var limits = QueueLimits()
        limits.segmentSize = segment
        limits.age = age
        limits.reserve = reserve
        return limits
    }

    private func numbers(_ queue: PublishQueue) throws -> [UInt64] {
        try QueueReader(queue, name: "all").records(from: 0, limit: .max, isOld: true).map(\.number)
    }

    // MARK: Age

    @Test func `records that are too old are dropped and counted, also after the program was started again`() throws {
        let storage = MemoryStorage()
        var queue = try PublishQueue(storage, limits: limits(age: .seconds(160)))
        for number in 0..<300 { try queue.append(record(number)) }
        try queue.expire(at: start.advanced(by: .seconds(300)))
        #expect((131...141).contains(queue.start) && queue.dropped == queue.start - 1)
        queue = try PublishQueue(storage, limits: limits(age: .seconds(160)))
        try queue.expire(at: start.advanced(by: .seconds(400)))
        #expect((231...241).contains(queue.start) && queue.dropped >= 90)
        #expect(try numbers(queue) == Array(queue.start...300))
    }

    @Test func `a queue whose records are all too old is empty and continues its numbers`() throws {
        let storage = MemoryStorage()
        let queue = try PublishQueue(storage, limits: limits(age: .seconds(60)))
        for number in 0..<10 { try queue.append(record(number)) }
        try queue.release(below: 5)
        try queue.expire(at: start.advanced(by: .seconds(10_000)))
        #expect(queue.dropped == 6 && queue.start == 11)
        try queue.expire(at: start.advanced(by: .seconds(20_000)))
        let again = try PublishQueue(storage, limits: limits(age: .seconds(60)))
        #expect(try again.append(record(11)) == 11)
        #expect(try numbers(again) == [11])
    }

    @Test func `a clock that was wrong, of the machine or of the receiver, drops no record`() throws {
        let queue = try PublishQueue(MemoryStorage(), limits: limits(age: .seconds(60)))
        try queue.append(record(0, created: -1_000_000_000))
        try queue.append(record(-600_000_000, created: 1))
        try queue.expire(at: start.advanced(by: .seconds(30)))
        #expect(queue.dropped == 0)
    }

    @Test func `a segment without a readable record does not keep newer ones from expiring`() throws {
        let storage = MemoryStorage()
        let queue = try PublishQueue(storage, limits: limits(age: .seconds(60), segment: 300))
        for number in 0..<20 { try queue.append(record(number)) }
        let first = try #require(storage.files.keys.filter { $0.hasSuffix(".log") }.min())
        storage.content.withLock { $0.files[first]?[9] ^= 1 }
        let again = try PublishQueue(storage, limits: limits(age: .seconds(60), segment: 300))
        try again.expire(at: start.advanced(by: .seconds(10_000)))
        #expect(again.start == 21)
    }

    // MARK: Space

    @Test func `on a full disk the oldest segments go, and nothing is written into the reserve`() throws {
        let storage = MemoryStorage()
        storage.content.withLock { $0.capacity = 20_000 }
        let queue = try PublishQueue(storage, limits: limits(reserve: 10_000))
        for number in 0..<300 {
            _ = try? queue.append(record(number))
            #expect(try storage.freeSpace() >= 10_000)
        }
        #expect(queue.end == 301 && queue.dropped > 100)
        #expect(try numbers(queue) == Array(queue.start...300))
        // Another program fills the disk.
        storage.content.withLock { $0.capacity = 9_000 }
        for number in 0..<100 {
            #expect(throws: QueueError(.noSpace(reserve: 10_000))) { try queue.append(record(number)) }
        }
        // The reader's cursor takes space too.
        storage.content.withLock { $0.capacity = 40_000 }
        #expect(try queue.append(record(301)) == 301)
    }

    // MARK: Sync

    @Test func `records before a failure of the disk are synced later`() throws {
        let storage = MemoryStorage()
        let queue = try PublishQueue(storage, limits: limits(segment: 300))
        for number in 0..<10 { try queue.append(record(number)) }
        storage.fail(afterCalls: 0)
        #expect(throws: QueueError.self) { try queue.sync() }
        // Neither the record nor the cut of its torn part can be written.
        storage.fail(afterCalls: 0, forGood: true)
        #expect(throws: QueueError.self) { try queue.append(record(10)) }
        storage.fail(afterCalls: .max)
        for number in 10..<20 { try queue.append(record(number)) }
        try queue.sync()
        let after = try PublishQueue(MemoryStorage(files: storage.synced), limits: limits())
        #expect(try numbers(after) == Array(1...20))
    }

    // MARK: Reading

    @Test func `a delivery loses nothing while a segment cannot be read, and reports why`() throws {
        let storage = MemoryStorage()
        let queue = try PublishQueue(storage, limits: limits(segment: 300))
        for number in 0..<10 { try queue.append(record(number)) }
        let reader = try QueueReader(queue, name: "a", fromStart: true)
        let transport = FakeTransport()
        let delivery = TargetDelivery(transport, reader, from: reader.stored)
        let names = storage.files.keys.filter { $0.hasSuffix(".log") }.sorted()
        storage.content.withLock { $0.unreadable = names[1] }
        var taken: [UInt64] = []
        for second in 0..<40 {
            if second == 20 {
                #expect(reader.failure != nil && delivery.deadline(after: .seconds(20)) == .seconds(20))
                storage.content.withLock { $0.unreadable = nil }
            }
            delivery.step(at: .seconds(second))
            taken += transport.inFlight
            transport.acknowledge()
        }
        #expect(taken == Array(1...10) && delivery.status.dropped == 0 && reader.failure == nil)
    }

    @Test func `records that were taken out of order are skipped without reading the segment again`() throws {
        let storage = MemoryStorage()
        let queue = try PublishQueue(storage, limits: limits(segment: 1 << 20))
        for number in 0..<2_000 { try queue.append(record(number)) }
        let reader = try QueueReader(queue, name: "a", fromStart: true)
        let name = try #require(storage.files.keys.first { $0.hasSuffix(".log") })
        storage.content.withLock { $0.reads = [:] }
        for number in stride(from: UInt64(1), to: 2_000, by: 3) {
            #expect(reader.records(from: number, limit: 1, isOld: true).map(\.number) == [number])
        }
        #expect(storage.content.withLock { $0.reads[name] ?? 0 } <= 10)
    }

    @Test func `after a damaged length the next records go into another segment, and the damage is read once`() throws {
        let storage = MemoryStorage()
        let queue = try PublishQueue(storage, limits: limits(segment: 1 << 20))
        for number in 0..<10 { try queue.append(record(number)) }
        let name = try #require(storage.files.keys.first { $0.hasSuffix(".log") })
        let size = QueueSegment.headerSize + record(0).bytes.count
        storage.content.withLock { $0.files[name]?[size] ^= 1 }
        let reader = try QueueReader(queue, name: "a", fromStart: true)
        let transport = FakeTransport()
        let delivery = TargetDelivery(transport, reader, from: reader.stored)
        var taken: [UInt64] = []
        for second in 0..<100 {
            delivery.step(at: .seconds(second))
            taken += transport.inFlight
            transport.acknowledge()
            delivery.step(at: .seconds(second))
            if second == 50 { storage.content.withLock { $0.reads = [:] } }
            try queue.append(record(10 + second))
        }
        #expect(taken.last == 109 && delivery.status.dropped == 110 - 1 - UInt64(taken.count))
        #expect(delivery.status.dropped < 10 && storage.content.withLock { $0.reads[name] ?? 0 } == 0)
    }

    @Test(arguments: [0, 7, 20])
    func `records after a power cut are sent even if a cursor is newer than what the disk has`(synced: Int) throws {
        let storage = MemoryStorage()
        let queue = try PublishQueue(storage, limits: limits())
        for number in 0..<synced { try queue.append(record(number)) }
        try queue.sync()
        for number in synced..<30 { try queue.append(record(number)) }
        let reader = try QueueReader(queue, name: "a")
        reader.store(DeliveryProgress.Cursor(low: 25, ahead: [27..<29]))
        var files = storage.synced
        files["a.cursor"] = storage.files["a.cursor"]
        // The target is not among those of the first run after the power cut.
        let disk = MemoryStorage(files: files)
        let between = try PublishQueue(disk, limits: limits())
        for number in 30..<40 { try between.append(record(number)) }
        let after = try PublishQueue(disk, limits: limits())
        for number in 40..<50 { try after.append(record(number)) }
        let place = try QueueReader(after, name: "a")
        let read = place.records(from: place.stored.low, limit: .max, isOld: true)
            .filter { queued in !place.stored.ahead.contains { $0.contains(queued.number) } }
        #expect(read.suffix(20).map(\.record) == (30..<50).map { record($0) })
    }
}
