import Foundation
import LocationCore
import LocationPublishing
import LocationTransports
import Testing

@Suite struct QueueFolderTests {
    private let path = NSTemporaryDirectory() + "locwatch-queue-\(UUID().uuidString)"

    private func record(_ number: Int) -> PublishRecord {
        let time = Timestamp(secondsSince1970: Double(number))
        let place = Coordinate(latitude: 1, longitude: 2)
        return PublishRecord(.moved, created: time, location: Location(coordinate: place, timestamp: time))
    }

    @Test func `records and cursors survive, in files that only their owner can read`() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let cursor = DeliveryProgress.Cursor(low: 3, ahead: [5..<6])
        do {
            let queue = try PublishQueue(QueueFolder(path))
            for number in 0..<10 { try queue.append(record(number)) }
            try queue.sync()
            let reader = try QueueReader(queue, name: "a")
            reader.store(cursor)
            #expect(reader.failure == nil)
        }
        let queue = try PublishQueue(QueueFolder(path))
        let reader = try QueueReader(queue, name: "a")
        #expect(reader.stored == cursor)
        #expect(reader.records(from: 1, limit: 99, isOld: true).map(\.record) == (0..<10).map(record))
        #expect(try mode(of: path) == 0o700)
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            #expect(try mode(of: path + "/" + name) == 0o600)
        }
    }

    @Test func `a second program fails because the queue is in use`() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let first = try QueueFolder(path)
        #expect(throws: QueueError(.inUse(path: path))) { try QueueFolder(path) }
        _ = first
    }

    @Test func `a folder that cannot be created, and a link in place of a file, are errors with their path`() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        do throws(QueueError) {
            _ = try QueueFolder("/nonexistent/queue")
            Issue.record("created")
        } catch {
            #expect("\(error)" == "cannot create the queue /nonexistent/queue: No such file or directory")
        }
        let folder = try QueueFolder(path)
        try FileManager.default.createSymbolicLink(atPath: path + "/a.cursor", withDestinationPath: "/etc/hostname")
        #expect(throws: QueueError.self) { try folder.open("a.cursor") }
    }

    @Test func `the free space of the disk is known, and a folder that has gone is an error`() throws {
        let folder = try QueueFolder(path)
        #expect(try folder.freeSpace() > 0)
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: QueueError.self) { try folder.names() }
    }

    private func mode(of path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }
}
