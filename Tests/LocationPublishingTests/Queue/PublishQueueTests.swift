import LocationCore
import Testing

@testable import LocationPublishing

@Suite struct PublishQueueTests {
    private func record(_ number: Int) -> PublishRecord {
        let time = Timestamp(secondsSince1970: 1_700_000_000 + Double(number))
        let coordinate = Coordinate(latitude: 45 + Double(number) / 1e6, longitude: 7)
        return PublishRecord(.moved, created: time, location: Location(coordinate: coordinate, timestamp: time))
    }

    private func limits(_ size: Int = 64 << 20, segment: Int = 1_000) -> QueueLimits {
        var limits = QueueLimits()
        limits.size = size
        limits.segmentSize = segment
        return limits
    }

    private func contents(_ storage: MemoryStorage) throws -> [QueuedRecord] {
        let queue = try PublishQueue(storage, limits: limits())
        return try QueueReader(queue, name: "all").records(from: 0, limit: .max, isOld: true)
    }

    @Test func `records are read in order over all segments, also after the program was started again`() throws {
        let storage = MemoryStorage()
        let queue = try PublishQueue(storage, limits: limits())
        for number in 0..<100 { #expect(try queue.append(record(number)) == UInt64(number + 1)) }
        #expect(storage.files.keys.count { $0.hasSuffix(".log") } >= 8)
        for _ in 0..<2 {
            let read = try contents(storage)
            #expect(read.map(\.number) == Array(1...100))
            #expect(read.map(\.record) == (0..<100).map(record))
        }
        let again = try PublishQueue(storage, limits: limits())
        #expect(try again.append(record(100)) == 101)
    }

    @Test func `a reader sees records that are appended later, in both lanes and from any number`() throws {
        let queue = try PublishQueue(MemoryStorage(), limits: limits())
        let reader = try QueueReader(queue, name: "a")
        #expect(reader.records(from: 1, limit: 10, isOld: false).isEmpty)
        for number in 0..<20 { try queue.append(record(number)) }
        #expect(reader.records(from: 5, limit: 3, isOld: false).map(\.number) == [5, 6, 7])
        #expect(reader.records(from: 1, limit: 2, isOld: true).map(\.number) == [1, 2])
        #expect(reader.records(from: 8, limit: 2, isOld: false).map(\.number) == [8, 9])
        #expect(reader.records(from: 3, limit: 1, isOld: true).map(\.number) == [3])
        try queue.append(record(20))
        #expect(reader.records(from: 21, limit: 9, isOld: false).map(\.number) == [21])
        #expect(reader.records(from: 22, limit: 9, isOld: false).isEmpty)
    }

    @Test func `a full queue removes the oldest segments and counts their records`() throws {
        let storage = MemoryStorage()
        let queue = try PublishQueue(storage, limits: limits(5_000))
        for number in 0..<200 { try queue.append(record(number)) }
        #expect(storage.files.values.reduce(0) { $0 + $1.count } <= 5_000)
        #expect(queue.dropped == queue.start - 1 && queue.dropped > 100)
        let reader = try QueueReader(queue, name: "a")
        #expect(reader.records(from: 1, limit: 1, isOld: true).map(\.number) == [queue.start])
    }

    @Test func `segments that every target has taken are removed, but never the last one`() throws {
        let storage = MemoryStorage()
        let queue = try PublishQueue(storage, limits: limits())
        for number in 0..<100 { try queue.append(record(number)) }
        try queue.release(below: 50)
        #expect(queue.start > 30 && queue.start <= 50)
        try queue.release(below: 101)
        #expect(storage.files.keys.count { $0.hasSuffix(".log") } == 1)
        #expect(try queue.append(record(100)) == 101)
        #expect(queue.dropped == 0)
    }

    @Test func `the cursor of a target survives, whatever byte the power cut`() throws {
        let first = DeliveryProgress.Cursor(low: 7, ahead: [9..<12, 20..<21])
        let second = DeliveryProgress.Cursor(low: 12, ahead: [20..<25])
        for cut in 0..<60 {
            let storage = MemoryStorage()
            let queue = try PublishQueue(storage)
            let reader = try QueueReader(queue, name: "a")
            reader.store(first)
            storage.cut(afterBytes: cut)
            reader.store(second)
            let files = MemoryStorage(files: storage.files)
            let stored = try QueueReader(try PublishQueue(files), name: "a").stored
            #expect(stored == (reader.failure == nil ? second : first), "cut after \(cut) bytes")
        }
    }

    @Test func `a target that is added later begins with what is appended after its first start`() throws {
        let storage = MemoryStorage()
        let queue = try PublishQueue(storage, limits: limits())
        _ = try QueueReader(queue, name: "a")
        for number in 0..<68 { try queue.append(record(number)) }
        let added = try QueueReader(queue, name: "b")
        let whole = try QueueReader(queue, name: "c", fromStart: true)
        #expect(added.stored.low == 69 && whole.stored.low == 1)
        try queue.append(record(68))
        // None of them has connected yet.
        let again = try PublishQueue(storage, limits: limits())
        #expect(try QueueReader(again, name: "a").stored.low == 1)
        #expect(try QueueReader(again, name: "b").stored.low == 69)
        // The choice is one of the first start.
        #expect(try QueueReader(again, name: "b", fromStart: true).stored.low == 69)
        #expect(try QueueReader(again, name: "c").stored.low == 1)
    }

    @Test func `a target whose cursor a power cut has torn at its first start loses nothing`() throws {
        let storage = MemoryStorage()
        let queue = try PublishQueue(storage, limits: limits())
        _ = try QueueReader(queue, name: "a")
        for number in 0..<9 { try queue.append(record(number)) }
        var files = storage.files
        files["a.cursor"] = Array(files["a.cursor"]?.dropLast() ?? [])
        let after = try PublishQueue(MemoryStorage(files: files), limits: limits())
        #expect(try QueueReader(after, name: "a").stored.low == 1)
    }

    @Test func `after a power cut at any byte every appended record is there, in order, and no other`() throws {
        let whole = MemoryStorage()
        let queue = try PublishQueue(whole, limits: limits(segment: 300))
        for number in 0..<12 { try queue.append(record(number)) }
        let size = whole.files.values.reduce(0) { $0 + $1.count }
        for cut in 0...size {
            let storage = MemoryStorage()
            storage.cut(afterBytes: cut)
            var appended: [PublishRecord] = []
            if let queue = try? PublishQueue(storage, limits: limits(segment: 300)) {
                for number in 0..<12 where (try? queue.append(record(number))) != nil {
                    appended.append(record(number))
                }
            }
            let after = try contents(MemoryStorage(files: storage.files))
            #expect(after.map(\.record) == appended, "cut after \(cut) bytes")
        }
    }

    @Test(arguments: [false, true])
    func `a disk that fails at any call loses no appended record and stays usable`(forGood: Bool) throws {
        for call in 0..<60 {
            let storage = MemoryStorage()
            storage.fail(afterCalls: call, forGood: forGood)
            var appended: [PublishRecord] = []
            var queue: PublishQueue?
            for number in 0..<12 {
                if queue == nil { queue = try? PublishQueue(storage, limits: limits(segment: 300)) }
                if let queue, (try? queue.append(record(number))) != nil { appended.append(record(number)) }
            }
            #expect(forGood || appended.count >= 10, "\(appended.count) appended")
            let after = try contents(MemoryStorage(files: storage.files))
            #expect(after.map(\.record) == appended, "failure at call \(call)")
        }
    }

    @Test func `a damaged byte anywhere yields no wrong record, and the next segment is found`() throws {
        let storage = MemoryStorage()
        let queue = try PublishQueue(storage, limits: limits(segment: 300))
        for number in 0..<9 { try queue.append(record(number)) }
        let names = storage.files.keys.filter { $0.hasSuffix(".log") }.sorted()
        let last = try #require(names.last)
        for name in names {
            for place in (storage.files[name] ?? []).indices {
                var files = storage.files
                files[name]?[place] ^= 0x41
                let read = try contents(MemoryStorage(files: files))
                for found in read { #expect(found.record == record(Int(found.number) - 1)) }
                if name != last { #expect(read.last?.number == 9, "\(name) at \(place)") }
            }
        }
    }

    @Test func `damaged records are lost alone, also in the segment that grows`() throws {
        let storage = MemoryStorage()
        let queue = try PublishQueue(storage, limits: limits(segment: 1 << 20))
        for number in 0..<9 { try queue.append(record(number)) }
        let name = try #require(storage.files.keys.first { $0.hasSuffix(".log") })
        let size = QueueSegment.headerSize + record(0).bytes.count
        for damaged in [[3], [3, 4], [1, 6, 7, 8]] as [[Int]] {
            var files = storage.files
            // The last byte of the checksum, and the first one of the record.
            for number in damaged { files[name]?[(number - 1) * size + 7 + number % 2] ^= 0x41 }
            let disk = MemoryStorage(files: files)
            let expected = (1...9).filter { !damaged.contains($0) }.map(UInt64.init)
            #expect(try contents(disk).map(\.number) == expected, "\(damaged)")
            let again = try PublishQueue(disk, limits: limits(segment: 1 << 20))
            #expect(try again.append(record(20)) == 10, "\(damaged)")
            #expect(try contents(disk).map(\.number) == expected + [10], "\(damaged)")
        }
    }

    @Test func `files of other names are left alone`() throws {
        let storage = MemoryStorage(files: ["README": [1, 2, 3], "1.log": [0], "x.cursor": [9]])
        let queue = try PublishQueue(storage)
        try queue.append(record(0))
        #expect(try contents(storage).count == 1)
        #expect(storage.files["README"] == [1, 2, 3] && storage.files["1.log"] == [0])
    }

    @Test(arguments: [UInt64.max, UInt64.max - 1, UInt64.max / 2 + 1] as [UInt64])
    func `a file with a number that no queue reaches is left alone`(number: UInt64) throws {
        let frame = QueueSegment.frame(record(0).bytes, number: number)
        let storage = MemoryStorage(files: [QueueSegment.name(number): frame, "+0000000000000000007.log": [1]])
        let queue = try PublishQueue(storage)
        #expect(queue.end == 1)
        try queue.append(record(0))
        #expect(try contents(storage).map(\.number) == [1])
        #expect(storage.files[QueueSegment.name(number)] == frame)
    }

    @Test(arguments: [(UInt64.max, 1), (1, UInt64.max), (UInt64.max, UInt64.max)] as [(UInt64, UInt64)])
    func `a cursor with numbers that no queue reaches is none`(counter: UInt64, low: UInt64) throws {
        var archive = RecordArchive()
        var (counter, low, count) = (counter, low, UInt16(0))
        archive.code(&counter)
        archive.code(&low)
        archive.code(&count)
        var checksum = CRC32.of(archive.bytes)
        archive.code(&checksum)
        let storage = MemoryStorage(files: ["all.cursor": archive.bytes])
        let queue = try PublishQueue(storage)
        try queue.append(record(0))
        let reader = try QueueReader(queue, name: "all")
        #expect(reader.stored == DeliveryProgress.Cursor(low: 1))
        reader.store(DeliveryProgress.Cursor(low: 2))
        #expect(try QueueReader(try PublishQueue(storage), name: "all").stored.low == 2)
    }

    @Test(arguments: [BacklogOrder.ordered, .newestFirst])
    func `a delivery over the queue takes every record once, also when the program is killed in between`(
        order: BacklogOrder
    ) throws {
        let storage = MemoryStorage()
        var taken: [UInt64] = []
        for run in 0..<40 {
            let live = try PublishQueue(storage, limits: limits())
            let reader = try QueueReader(live, name: "a")
            let transport = FakeTransport()
            var options = TargetDelivery.Options()
            options.backlog = order
            options.backlogRate = nil
            options.batchSize = 3
            let delivery = TargetDelivery(transport, reader, from: reader.stored, options: options)
            for tick in 0..<4 {
                if run < 30 { try live.append(record(run * 10 + tick)) }
                delivery.step(at: .seconds(tick))
                let count = (run + tick) % 7
                taken += transport.inFlight.prefix(count)
                transport.acknowledge(count)
                delivery.step(at: .seconds(tick))
                try live.release(below: reader.low)
            }
        }
        #expect(taken.sorted() == Array(1...120))
    }
}
