import CSQLite
import Foundation
import LocationCore
@testable import LocationPublishing
import TestSupport
import Testing

/// Folders and databases of queues that other programs or users have made or changed.
@Suite(.serialized, .alone) struct UntrustedQueueTests {
    private let scratch: Scratch
    private var folder: String { scratch.path("queue") }
    private var database: String { folder + "/queue.sqlite" }

    init() throws { scratch = try Scratch() }

    private func record(_ number: Int, device: String? = nil) -> PublishRecord {
        let time = Timestamp(secondsSince1970: 1_700_000_000 + Double(number))
        var location = Location(coordinate: Coordinate(latitude: 45, longitude: 7), timestamp: time)
        location.device = device
        return PublishRecord(.moved, created: time, location: location)
    }

    /// Makes a queue with records.
    private func fill(_ count: Int) throws {
        let queue = try PublishQueue(folder, limits: limits)
        for number in 0..<count { try queue.append(record(number)) }
    }

    private var limits: QueueLimits {
        var limits = QueueLimits()
        limits.reserve = 0
        return limits
    }

    /// Performs statements on the database as another program does, without the limits of a queue.
    private func change(_ statements: [String]) throws {
        let functions = try SQLiteLibrary.load().functions
        var handle: OpaquePointer?
        try #require(functions.sqlite3_open_v2(database, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == 0)
        defer { _ = functions.sqlite3_close_v2(handle) }
        for text in statements {
            var statement: OpaquePointer?
            try #require(functions.sqlite3_prepare_v2(handle, text, -1, &statement, nil) == SQLITE_OK, "\(text)")
            let code = functions.sqlite3_step(statement)
            #expect([SQLITE_DONE, SQLITE_ROW].contains(code), "\(text): \(code)")
            _ = functions.sqlite3_finalize(statement)
        }
    }

    /// Returns the numbers of all records, which are read in portions.
    private func numbers(_ queue: PublishQueue) throws -> [UInt64] {
        var numbers: [UInt64] = []
        while true {
            let portion = try queue.records(from: (numbers.last ?? 0) + 1, limit: 100)
            guard !portion.isEmpty else { return numbers }
            numbers += portion.map(\.number)
        }
    }

    // MARK: Owners and rights

    @Test(
        arguments: [
            (S_IFDIR | 0o700, 7, nil), (S_IFDIR | 0o755, 0, nil), (S_IFDIR | 0o700, 8, "it belongs to another user"),
            (S_IFDIR | 0o770, 7, "other users can change it; chmod go-w takes that from them"),
            (S_IFDIR | 0o1702, 0, "other users can change it; chmod go-w takes that from them"),
            (S_IFREG | 0o700, 7, "it is not a folder"), (S_IFLNK | 0o777, 7, "it is not a folder"),
        ] as [(mode_t, uid_t, String?)])
    func `a folder is used if its owner is this user or root, and no other user can change it`(
        mode: mode_t, owner: uid_t, objection: String?
    ) {
        var status = stat()
        (status.st_mode, status.st_uid) = (mode, owner)
        #expect(QueueRights.objection(to: status, kind: S_IFDIR, of: 7) == objection)
    }

    @Test(arguments: ["", "/lock", "/queue.sqlite", "/queue.sqlite-wal", "/queue.sqlite-shm", "/queue.sqlite-journal"])
    func `a folder or a file that other users can change is named, and nothing in it is used`(name: String) throws {
        try fill(1)
        let path = folder + name
        let files = FileManager.default
        if !files.fileExists(atPath: path) { #expect(files.createFile(atPath: path, contents: nil)) }
        #expect(chmod(path, 0o722) == 0)
        let error = #expect(throws: PublishError.self) { try PublishQueue(folder) }
        #expect(
            error?.description == "cannot use \(path): other users can change it; chmod go-w takes that from them")
        #expect(chmod(path, name.isEmpty ? 0o700 : 0o600) == 0)
        #expect(try numbers(PublishQueue(folder)) == [1])
    }

    @Test(.enabled(if: geteuid() == 0, "only root can make files that belong to another user"))
    func `a folder or a file of another user is refused`() throws {
        try fill(1)
        for path in [folder, database, folder + "/lock"] {
            #expect(chown(path, 12_345, 12_345) == 0)
            let error = #expect(throws: PublishError.self) { try PublishQueue(folder) }
            #expect(error?.description == "cannot use \(path): it belongs to another user")
            #expect(chown(path, 0, 0) == 0)
        }
    }

    @Test func `a queue below a link or in place of its folder is used, as systemd lays that of a dynamic user`() throws
    {
        let files = FileManager.default
        try files.createDirectory(atPath: scratch.path("private/state"), withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: scratch.path("state"), withDestinationPath: "private/state")
        do {
            let queue = try PublishQueue(scratch.path("state/queue"), limits: limits)
            try queue.append(record(0))
            #expect(files.fileExists(atPath: scratch.path("private/state/queue/queue.sqlite")))
        }
        try files.createSymbolicLink(atPath: folder, withDestinationPath: "state/queue")
        // It does not matter who has made the link.
        if geteuid() == 0 { #expect(lchown(folder, 12_345, 12_345) == 0) }
        #expect(QueueSummary(folder)?.records == 1)
        #expect(try PublishQueue(folder, limits: limits).append(record(1)) == 2)
    }

    @Test func `a link to a sound database in another folder is refused`() throws {
        try fill(1)
        try FileManager.default.moveItem(atPath: database, toPath: scratch.path("other"))
        try FileManager.default.createSymbolicLink(atPath: database, withDestinationPath: "../other")
        let error = #expect(throws: PublishError.self) { try PublishQueue(folder) }
        #expect(error?.description == "cannot use \(database): it is not a file")
        #expect(FileManager.default.fileExists(atPath: scratch.path("other")))
    }

    @Test func `another folder that takes the place of the queue's is not used`() throws {
        let queue = try PublishQueue(folder, limits: limits)
        try queue.append(record(0))
        try FileManager.default.moveItem(atPath: folder, toPath: scratch.path("moved"))
        try fill(3)
        let error = #expect(throws: PublishError.self) { try queue.sync() }
        #expect(error?.description == "cannot use \(folder): another folder has taken its place")
        #expect(throws: PublishError.self) { try queue.append(record(1)) }
    }

    @Test func `a folder that takes the place of the queue's after it was looked at gets no record`() throws {
        let other = scratch.path("other")
        do { try PublishQueue(other, limits: limits).append(record(7)) }
        let owned = try QueueFolder(folder)
        let name = try owned.makeDatabase()
        try FileManager.default.moveItem(atPath: folder, toPath: scratch.path("moved"))
        try FileManager.default.moveItem(atPath: other, toPath: folder)
        do {
            let database = try SQLiteDatabase(SQLiteLibrary.load(), database, named: name)
            try database.run("PRAGMA journal_mode = WAL")
            try database.run("CREATE TABLE \(QueueSchema.tables[0])")
            try database.run("INSERT INTO records VALUES (1, 0, 'mine')")
            #expect(!database.hasMoved)
            #expect(FileManager.default.fileExists(atPath: scratch.path("moved/queue.sqlite-wal")))
        }
        let moved = try SQLiteDatabase(SQLiteLibrary.load(), scratch.path("moved/queue.sqlite"))
        #expect(try moved.prepare("SELECT count(*) FROM records").number() == 1)
        let theirs = try SQLiteDatabase(SQLiteLibrary.load(), database)
        #expect(try theirs.prepare("SELECT max(number) FROM records").number() == 1)
        #expect(try theirs.prepare("SELECT count(*) FROM records WHERE body = 'mine'").number() == 0)
    }

    @Test func `a sound database beside a folder in place of SQLite's files stays, and the folder is named`() throws {
        try fill(3)
        for suffix in ["-shm", "-wal"] {
            try FileManager.default.createDirectory(atPath: database + suffix, withIntermediateDirectories: false)
            let error = #expect(throws: PublishError.self) { try PublishQueue(folder) }
            #expect(error?.description == "cannot use \(database)\(suffix): it is not a file")
            try FileManager.default.removeItem(atPath: database + suffix)
        }
        #expect(try numbers(PublishQueue(folder, limits: limits)) == [1, 2, 3])
    }

    @Test(arguments: ["libsqlite3-missing.so.0", "libm.so.6"])
    func `a library that is missing, or without the functions, is an error that names its package`(library: String) {
        let error = #expect(throws: PublishError.self) { try SQLiteLibrary.load(library) }
        #expect(error == .missingForQueue(library: library, package: "libsqlite3-0"))
    }

    // MARK: Schemas

    private static let endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"

    @Test(arguments: [
        (
            ["CREATE TRIGGER t AFTER INSERT ON records BEGIN UPDATE records SET body = replace(body, '4', '5'); END"],
            "trigger t"
        ),
        (["CREATE VIEW v AS SELECT 1"], "view v"), (["CREATE TABLE other(a)"], "table other"),
        (["CREATE INDEX i ON records(body)"], "index i"),
        (
            ["DROP TABLE records", "CREATE VIEW records(number, time, body) AS \(endless) SELECT x, 0, '' FROM c"],
            "view records"
        ),
        (
            ["DROP TABLE targets", "CREATE VIEW targets(name, next, ahead) AS \(endless) SELECT x, 0, '' FROM c"],
            "view targets"
        ),
        (
            [
                "DROP TABLE records",
                "CREATE TABLE records(number INTEGER PRIMARY KEY, time REAL, body TEXT CHECK (body LIKE '%46%'))",
            ],
            "table records"
        ),
    ])
    func `a database with anything beside the two tables is set aside before it runs`(
        statements: [String], found: String
    ) throws {
        try fill(3)
        try change(statements)
        #expect(QueueSummary(folder) == nil)
        let queue = try PublishQueue(folder, limits: limits)
        #expect(try #require(queue.damage).description.contains("(no queue has the \(found))"))
        let number = try queue.append(record(5))
        #expect(try queue.records(from: number, limit: 9).map(\.record) == [record(5)])
    }

    @Test func `what SQLite's shell makes of a queue is still a queue`() throws {
        try fill(3)
        try change(["PRAGMA journal_mode = DELETE", "VACUUM"])
        let queue = try PublishQueue(folder, limits: limits)
        #expect(try numbers(queue) == [1, 2, 3] && queue.damage == nil)
    }

    @Test func `a trigger that is made while a queue is used does not run`() throws {
        let queue = try PublishQueue(folder, limits: limits)
        try queue.append(record(0))
        try change(["CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM records; END"])
        try queue.append(record(1))
        #expect(try numbers(queue) == [1, 2])
    }

    @Test func `a statement that does not end is damage`() throws {
        try fill(1)
        let database = try SQLiteDatabase(SQLiteLibrary.load(), database)
        let error = #expect(throws: PublishError.self) { try database.run("\(Self.endless) SELECT max(x) FROM c") }
        #expect(error?.cause.isDamage == true)
        // The next one has its own steps.
        #expect(try database.prepare("SELECT count(*) FROM records").number() == 1)
    }

    @Test func `the steps that a statement may take grow with the size of the queue`() throws {
        try fill(1)
        try change([
            "INSERT INTO records WITH RECURSIVE c(x) AS (SELECT 2 UNION ALL SELECT x + 1 FROM c LIMIT 40000) "
                + "SELECT x, 0, printf('%.60c', 'x') FROM c"
        ])
        #expect(QueueSummary(folder, steps: 0)?.records == 40_001)
        let queue = try PublishQueue(SQLiteLibrary.load(), QueueFolder(folder), limits, steps: 0)
        #expect(queue.damage == nil && queue.end == 40_002)
    }

    // MARK: Records

    @Test func `records that cannot be read are removed, and counted once for all targets`() throws {
        try fill(1)
        try change([
            "INSERT INTO records VALUES (2, 0, 'no record'), (3, 0, NULL), (4, 0, '{}')",
            "INSERT INTO records VALUES (5, 0, printf('%.*c', 3000000, 'x'))",
            "INSERT INTO records SELECT 6, time, body FROM records WHERE number = 1",
        ])
        let queue = try PublishQueue(folder, limits: limits)
        #expect(queue.unreadable == 0 && queue.damage == nil)
        for _ in 0..<2 {
            #expect(try numbers(queue) == [1, 6])
            #expect(queue.unreadable == 4)
        }
        #expect(queue.damage == .unreadableRecords && queue.damage?.losesRecords == false && queue.dropped == 0)
        #expect(try QueueSummary(folder)?.records == numbers(queue).count)
    }

    @Test func `large records are read in portions, so that the memory for them is bounded`() throws {
        let queue = try PublishQueue(folder, limits: limits)
        let device = String(repeating: "x", count: 300_000)
        for number in 0..<8 { try queue.append(record(number, device: device)) }
        #expect(try queue.records(from: 1, limit: 100).map(\.number) == [1, 2, 3, 4])
        #expect(try queue.records(from: 5, limit: 100).map(\.number) == [5, 6, 7, 8])
    }

    @Test func `a record that no queue could read is not stored`() throws {
        let queue = try PublishQueue(folder, limits: limits)
        let huge = record(0, device: String(repeating: "x", count: 1 << 20))
        let error = #expect(throws: PublishError.self) { try queue.append(huge) }
        #expect(error?.description == "a record of \(huge.json.count) bytes is larger than any that the queue stores")
        #expect(try queue.append(record(0)) == 1 && queue.damage == nil)
    }

    @Test(arguments: [[-5], [-5, 0], [-5, 3]])
    func `records with impossible numbers are removed and counted, and the next one is stored`(numbers: [Int]) throws {
        try fill(2)
        try change(numbers.map { "INSERT INTO records SELECT \($0), time, body FROM records WHERE number = 1" })
        let queue = try PublishQueue(folder, limits: limits)
        let impossible = numbers.count { $0 < 1 }
        #expect(queue.unreadable == impossible && queue.damage == .unreadableRecords)
        #expect(try queue.append(record(2)) == UInt64(3 + numbers.count - impossible))
    }

    @Test func `a record that another program adds meanwhile has its number, and the next one the following`() throws {
        let queue = try PublishQueue(folder, limits: limits)
        try queue.append(record(0))
        try change(["INSERT INTO records SELECT 2, time, body FROM records"])
        #expect(try queue.append(record(2)) == 3)
        #expect(try numbers(queue) == [1, 2, 3])
    }

    @Test func `records that are stored together get numbers after one that another program adds between them`() throws
    {
        let queue = try PublishQueue(folder, limits: limits)
        try queue.append(record(0))
        try change(["INSERT INTO records SELECT 3, time, body FROM records"])
        #expect(try queue.append((1...3).map { record($0) }).map { try $0.get() } == [4, 5, 6])
        #expect(try numbers(queue) == [1, 3, 4, 5, 6] && queue.dropped == 0)
        #expect(try queue.records(from: 4, limit: 9).map(\.record) == (1...3).map { record($0) })
    }

    @Test(arguments: [(4096, false), (4097, true)])
    func `more targets than any queue has are damage`(count: Int, isDamage: Bool) throws {
        try fill(1)
        try change([
            "INSERT INTO targets WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT \(count)) "
                + "SELECT 'target ' || x, 1, '' FROM c"
        ])
        let damage = try PublishQueue(folder, limits: limits).damage
        #expect((damage != nil) == isDamage && damage?.description.contains("too many targets") != false)
    }

    // MARK: Foreign databases

    @Test func `a foreign database is read under any name, within the steps and the time that it may take`() throws {
        try fill(3)
        try change(["PRAGMA journal_mode = DELETE"])
        let path = scratch.path("a b%41?mode=rw&c#ü.sqlite")
        try FileManager.default.copyItem(atPath: database, toPath: path)
        var now = ContinuousClock.now
        let foreign = try SQLiteDatabase(reading: path, steps: 100_000, time: .seconds(1)) { now }
        #expect(try foreign.prepare("SELECT count(*) FROM records").number() == 3)
        #expect(throws: PublishError.self) { try foreign.run("DELETE FROM records") }
        let endless = "\(Self.endless) SELECT max(x) FROM c"
        now += .seconds(1)
        #expect(#expect(throws: PublishError.self) { try foreign.run(endless) }?.cause.isTooLong == true)
        now += .nanoseconds(1)
        #expect(#expect(throws: PublishError.self) { try foreign.run(endless) }?.cause.isTooSlow == true)
        foreign.allow(.seconds(1))
        #expect(#expect(throws: PublishError.self) { try foreign.run(endless) }?.cause.isTooLong == true)
        #expect(try foreign.prepare("SELECT count(*) FROM records").number() == 3)
    }

    // MARK: Other programs

    @Test func `another program that writes the database at the start is waited for`() throws {
        try fill(1)
        let writer = try SQLiteDatabase(SQLiteLibrary.load(), database)
        try writer.run("BEGIN IMMEDIATE")
        let error = #expect(throws: PublishError.self) { try PublishQueue(folder) }
        #expect(error?.cause.isLocked == true)
        let options = TargetOptions(hostName: "boat", version: "1", started: Timestamp(secondsSince1970: 0))
        var waits = 0
        let publisher = try LocationPublisher(
            PreparedTarget.prepare(["tcp-listen://192.0.2.1:9"], options), queue: .folder(folder, limits)
        ) {
            waits += 1
            if waits == 2 { try? writer.run("COMMIT") }
            return true
        }
        #expect(waits == 2 && publisher.isOpen && publisher.queueFailure == nil)
    }

    @Test func `records that another program keeps from being stored are stored when it has finished`() throws {
        let queue = try PublishQueue(folder, limits: limits)
        let writer = try SQLiteDatabase(SQLiteLibrary.load(), database)
        try writer.run("BEGIN IMMEDIATE")
        #expect(queue.append([record(0), record(1)]).isEmpty)
        try writer.run("COMMIT")
        #expect(try queue.append([record(0), record(1)]).map { try $0.get() } == [1, 2])
    }
}
