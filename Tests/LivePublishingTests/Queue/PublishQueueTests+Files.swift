import Foundation
import Glibc
import LocationCore
@testable import LocationPublishing
import TestSupport
import Testing

/// The folder of a queue, its files and their damage.
extension PublishQueueTests {
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

    @Test func `a killed program leaves every record that it has appended, and the places of its targets`() throws {
        let queue = try queue()
        for number in 0..<10 { try queue.append(record(number)) }
        #expect(queue.append((10..<20).map { record($0) }).count == 10)
        try queue.place(named: "a").store(DeliveryMark(low: 5))
        // What is on the disk while the queue is open.
        let killed = scratch.path("killed")
        try FileManager.default.copyItem(atPath: folder, toPath: killed)
        let found = try PublishQueue(killed, limits: QueueLimits())
        #expect(try found.records(from: 1, limit: 100).map(\.record) == (0..<20).map { record($0) })
        #expect(try found.place(named: "a").stored.low == 5 && found.damage == nil)
        #expect(try found.append(record(20)) == 21)
        withExtendedLifetime(queue) {}
    }

    @Test func `a database that was removed is begun anew with its numbers and its targets`() throws {
        let queue = try queue()
        let place = try queue.place(named: "a")
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
        let place = try queue.place(named: "a")
        #expect(place.failure == queue.damage && queue.damage?.losesRecords == false)
    }

    @Test func `damage that is found while the queue is used sets it aside, and the numbers continue`() throws {
        let queue = try queue()
        let place = try queue.place(named: "a")
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
            _ = try queue.place(named: "a")
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

    @Test(arguments: [("", nil), ("\n", nil), ("7\n", 7), ("1234567\n", 1_234_567)] as [(String, Int?)])
    func `a queue that is in use names the process that its lock names`(text: String, process: Int?) throws {
        _ = try queue()
        try Data(text.utf8).write(to: URL(filePath: folder + "/lock"))
        let lock = open(folder + "/lock", O_RDWR)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX) == 0)
        #expect(throws: PublishError.queueInUse(path: folder, process: process)) { try queue() }
    }

    @Test func `a queue that is released leaves no file open, whether it was new or not`() throws {
        let before = openFiles
        for number in 0..<2 {
            do { try queue().append(record(number)) }
            #expect(openFiles == before)
        }
    }

    @Test func `a queue that is refused leaves no file open`() throws {
        func refuse() {
            let before = openFiles
            for _ in 0..<3 { #expect(throws: PublishError.self) { try queue() } }
            #expect(openFiles == before)
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

    @Test(arguments: [(777_199, false), (777_200, true)])
    func `the names of all targets have 16 MiB at most, and more are damage`(rest: Int, isDamage: Bool) throws {
        try queue().append(record(0))
        for name in "abcdefghijklmnop" {
            try sql("INSERT INTO targets VALUES (printf('%.1000001c', '\(name)'), 1, '')")
        }
        try sql("INSERT INTO targets VALUES (printf('%.\(rest + 1)c', 'q'), 1, '')")
        #expect((try queue().damage != nil) == isDamage)
    }

    @Test func `databases are set aside with what SQLite has beside them, and numbered in the same second`() throws {
        let owned = try QueueFolder(folder)
        for number in ["", "-2", "-3"] {
            _ = try owned.makeDatabase()
            for suffix in ["-wal", "-shm", "-journal"] { try scratch.write(number, to: "queue/queue.sqlite\(suffix)") }
            let aside = "\(database).damaged-2023-11-14T221320Z\(number)"
            #expect(try owned.setDatabaseAside(at: start) == aside)
            for suffix in ["-wal", "-shm", "-journal"] {
                #expect(try String(contentsOfFile: aside + suffix, encoding: .utf8) == number)
            }
        }
        #expect(!exists(database))
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
}
