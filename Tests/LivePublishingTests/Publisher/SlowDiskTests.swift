import LocationCore
import LocationTesting
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocationPublishing

/// A publisher whose queue waits for a disk that stands still.
@Suite(.serialized, .alone) struct SlowDiskTests {
    /// A queue in memory, each function of which waits for the disk.
    private final class SlowQueue: RecordStore {
        private let queue = MemoryQueue(capacity: 100)
        private let disk: Disk

        init(_ disk: Disk) { self.disk = disk }

        var end: UInt64 { queue.end }
        var dropped: UInt64 { queue.dropped }
        var unreadable: UInt64 { 0 }

        func append(_ records: [PublishRecord]) -> [Result<UInt64, PublishError>] {
            disk.use()
            return queue.append(records)
        }

        func sync() { disk.use() }
        func expire(at now: Timestamp) {}
        func release(below number: UInt64) { queue.release(below: number) }
        func place(named name: String) -> any TargetPlace {
            queue.place(named: name)
        }
    }

    /// A disk that stands still until `goOn()`.
    private final class Disk: Sendable {
        private let works: Event
        /// The event of a thread that waits for the disk.
        let isAwaited: Event

        init() throws { (works, isAwaited) = (try Event(), try Event()) }

        func goOn() { works.happen() }

        /// Waits for the disk, at most for the time after which a test that waits, too, fails.
        func use() {
            isAwaited.happen()
            _ = works.happens(within: .seconds(60))
        }
    }

    private let disk: Disk

    init() throws { disk = try Disk() }

    private func publisher(
        capacity: Int = 100, opening open: @escaping @Sendable () throws(PublishError) -> any RecordStore
    ) throws -> LocationPublisher {
        let options = TargetOptions(hostName: "boat", version: "1", started: Timestamp(secondsSince1970: 0))
        return try LocationPublisher(
            PreparedTarget.prepare(["http://h/?lat=%{lat}"], options), capacity: capacity, opening: open, atMost: .zero,
            { .nanoseconds(HostClock.nanoseconds(.sinceBoot)) }
        ) { _ in FakeTransport(.takes) }
    }

    private func wait(for taken: UInt64, at publisher: LocationPublisher) async throws {
        try await eventually(
            "the target", within: .seconds(60), { publisher.statuses[0].delivery.taken }, is: { $0 == taken })
    }

    /// A queue that another program keeps from storing anything, or whose disk fails.
    private final class FaultyQueue: RecordStore {
        private let queue = MemoryQueue(capacity: 100)
        private let isLocked: Bool

        init(isLocked: Bool) { self.isLocked = isLocked }

        var end: UInt64 { queue.end }
        var dropped: UInt64 { queue.dropped }
        var unreadable: UInt64 { 7 }

        func append(_ records: [PublishRecord]) -> [Result<UInt64, PublishError>] {
            isLocked ? [] : queue.append(records)
        }

        func sync() throws(PublishError) { if !isLocked { throw .noSpace(reserve: 1 << 20) } }
        func expire(at now: Timestamp) {}
        func release(below number: UInt64) { queue.release(below: number) }
        func place(named name: String) -> any TargetPlace {
            queue.place(named: name)
        }
    }

    @Test func `records that another program keeps from being stored until the end are lost`() async throws {
        let publisher = try publisher { FaultyQueue(isLocked: true) }
        for number in 0..<2 { publisher.publish(record(number)) }
        #expect(publisher.statuses[0].delivery.queued == 2 && publisher.dropped == 0)
        let statuses = await publisher.finish(within: .zero)
        #expect(publisher.dropped == 2 && publisher.queueFailure == .slowQueue(waiting: 2))
        #expect(statuses[0].delivery.queued == 0 && statuses[0].delivery.taken == 0)
    }

    @Test func `a disk that fails is known while records are taken and sent, with what could not be read`() async throws
    {
        let publisher = try publisher { FaultyQueue(isLocked: false) }
        try await eventually("the failure", within: .seconds(60), { publisher.queueFailure }) {
            $0 == .noSpace(reserve: 1 << 20)
        }
        publisher.publish(record(0))
        try await wait(for: 1, at: publisher)
        #expect(publisher.unreadable == 7 && publisher.dropped == 0 && publisher.lost == 0)
    }

    @Test func `while the disk of the queue stands still records are taken and counted at once, and sent afterwards`()
        async throws
    {
        let publisher = try publisher { [disk] in SlowQueue(disk) }
        disk.isAwaited.wait()
        for number in 0..<3 { publisher.publish(record(number)) }
        #expect(publisher.statuses[0].delivery.queued == 3 && publisher.statuses[0].delivery.taken == 0)
        #expect(publisher.dropped == 0 && publisher.unreadable == 0 && publisher.queueFailure == nil)
        disk.goOn()
        try await wait(for: 3, at: publisher)
        #expect(publisher.statuses[0].delivery.isComplete)
    }

    @Test func `records can be published before a slow disk has opened the queue`() async throws {
        let publisher = try publisher { [disk] in
            disk.use()
            return MemoryQueue(capacity: 100)
        }
        disk.isAwaited.wait()
        publisher.publish(record(0))
        #expect(!publisher.isOpen && publisher.statuses[0].delivery.queued == 1)
        disk.goOn()
        try await wait(for: 1, at: publisher)
        #expect(publisher.isOpen)
    }

    @Test func `records for which a slow disk leaves no room are counted as lost with the reason, and the others sent`()
        async throws
    {
        let publisher = try publisher(capacity: 2) { [disk] in SlowQueue(disk) }
        disk.isAwaited.wait()
        for number in 0..<5 { publisher.publish(record(number)) }
        #expect(publisher.dropped == 3 && publisher.queueFailure == .slowQueue(waiting: 2))
        #expect(publisher.queueFailure?.losesRecords == true && publisher.statuses[0].delivery.queued == 2)
        disk.goOn()
        try await wait(for: 2, at: publisher)
        try await eventually("room", within: .seconds(60), { publisher.queueFailure }, is: { $0 == nil })
    }

    @Test func `what a queue that cannot be opened was handed is lost when the publisher ends`() async throws {
        let publisher = try publisher { [disk] () throws(PublishError) in
            disk.use()
            throw .noSpace(reserve: 1 << 20)
        }
        disk.isAwaited.wait()
        publisher.publish(record(0))
        disk.goOn()
        try await eventually("the reason", within: .seconds(60), { publisher.queueFailure }) {
            $0 == .noSpace(reserve: 1 << 20)
        }
        #expect(publisher.dropped == 0)
        await publisher.finish(within: .zero)
        #expect(publisher.dropped == 1 && publisher.hasEnded)
        publisher.publish(record(1))
        #expect(publisher.dropped == 2 && publisher.queueFailure == .ended)
    }
}
