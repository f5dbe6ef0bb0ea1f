import LocationCore
import TestSupport
import Testing

@testable import LocationPublishing

@Suite(.serialized, .alone) struct DeliveryLoopTests {
    private let queue = MemoryQueue(capacity: 100)

    private func loop(_ transports: [FakeTransport]) throws -> DeliveryLoop {
        let members = try transports.enumerated().map { index, transport in
            DeliveryLoop.Member(
                word: try TargetWord("udp://h:\(index + 1)"),
                delivery: TargetDelivery(transport, queue.place(named: "\(index)")))
        }
        return DeliveryLoop(members, queue) { Timestamp(secondsSince1970: 0) }
    }

    @Test func `a target that does not answer delays no other one, and keeps its records`() throws {
        let (good, stuck, down) = (FakeTransport(.takes), FakeTransport(.ignores), FakeTransport(.fails))
        let loop = try loop([stuck, good, down])
        for second in 0..<50 {
            queue.append(record(second))
            loop.step(at: .seconds(second))
        }
        loop.step(at: .seconds(50))
        #expect(good.sent.map(\.number) == Array(1...50))
        #expect(loop.statuses(before: queue.end).map(\.delivery.queued) == [50, 0, 50])
        #expect(loop.statuses(before: queue.end)[2].delivery.obstacle == "scripted")
        down.behavior = .takes
        loop.retry(at: .seconds(50))
        for _ in 0..<20 { loop.step(at: .seconds(51)) }
        #expect(down.sent.map(\.number) == Array(1...50))
        #expect(queue.place(named: "x").start == 1)
    }

    @Test func `records that every target has taken leave the queue`() throws {
        let loop = try loop([FakeTransport(.takes), FakeTransport(.takes)])
        for second in 0..<20 {
            queue.append(record(second))
            loop.step(at: .seconds(second))
        }
        loop.step(at: .seconds(40))
        loop.step(at: .seconds(60))
        #expect(queue.place(named: "x").start == 21)
    }

    /// A queue that notes what is done with it, and can fail.
    private final class NotingStore: RecordStore {
        private let queue: MemoryQueue
        var calls: [String] = []
        var failure: PublishError?

        init(_ queue: MemoryQueue) { self.queue = queue }

        var end: UInt64 { queue.end }
        var dropped: UInt64 { queue.dropped }
        var unreadable: UInt64 { 0 }
        func append(_ records: [PublishRecord]) -> [Result<UInt64, PublishError>] { queue.append(records) }
        func release(below number: UInt64) { calls.append("release \(number)") }
        func expire(at now: Timestamp) { calls.append("expire \(Int(now.secondsSince1970))") }
        func sync() throws(PublishError) {
            calls.append("sync")
            if let failure { throw failure }
        }
        func place(named name: String) -> any TargetPlace {
            queue.place(named: name)
        }
    }

    /// Returns a loop over a queue that notes what is done with it, at the wall clock's seventh second.
    private func noted(_ transports: [FakeTransport]) throws -> (DeliveryLoop, NotingStore) {
        let members = try transports.enumerated().map { index, transport in
            DeliveryLoop.Member(
                word: try TargetWord("udp://h:\(index + 1)"),
                delivery: TargetDelivery(transport, queue.place(named: "\(index)")))
        }
        let store = NotingStore(queue)
        return (DeliveryLoop(members, store) { Timestamp(secondsSince1970: 7) }, store)
    }

    @Test func `the queue is written to the disk at first, five seconds after that was done, and at the end`() throws {
        let (loop, store) = try noted([FakeTransport(.takes)])
        #expect(loop.deadline(after: .seconds(1)) == .zero)
        loop.step(at: .seconds(1))
        #expect(store.calls == ["release 1", "expire 7", "sync"] && loop.deadline(after: .seconds(1)) == .seconds(1))
        // The interval begins when a slow disk has finished.
        loop.step(at: .seconds(3))
        #expect(loop.deadline(after: .seconds(3)) == .seconds(8))
        loop.step(at: .milliseconds(7999))
        #expect(store.calls.count == 3)
        loop.step(at: .seconds(8))
        #expect(store.calls.count == 6)
        loop.step(at: .seconds(9))
        loop.finish(by: .seconds(20))
        loop.finish(by: .seconds(30))
        loop.step(at: .seconds(10))
        #expect(loop.hasEnded && store.calls.count == 9 && loop.deadline(after: .seconds(10)) == .seconds(23))
        loop.step(at: .seconds(100))
        #expect(store.calls.count == 9)
    }

    @Test func `what the slowest target has not taken stays, and a failure of the disk is known until it works`() throws
    {
        let (loop, store) = try noted([FakeTransport(.takes), FakeTransport(.holds)])
        for number in 0..<3 { queue.append(record(number)) }
        store.failure = .noSpace(reserve: 1 << 20)
        loop.step(at: .zero)
        #expect(store.calls == ["release 1", "expire 7", "sync"] && loop.failure == .noSpace(reserve: 1 << 20))
        store.failure = nil
        loop.step(at: .zero)
        #expect(loop.failure != nil)
        loop.step(at: .seconds(5))
        #expect(loop.failure == nil && store.calls.count(where: { $0 == "release 1" }) == 2)
    }

    @Test func `finishing sends what is queued first, and ends at the latest three seconds after its limit`() throws {
        let (good, stuck) = (FakeTransport(.takes), FakeTransport(.ignores))
        let loop = try loop([good, stuck])
        for number in 0..<30 { queue.append(record(number)) }
        loop.finish(by: .seconds(5))
        for _ in 0..<10 { loop.step(at: .seconds(1)) }
        #expect(
            good.sent.map(\.number) == Array(1...30) && loop.statuses(before: queue.end)[0].delivery.phase == .closed
                && !loop.hasEnded)
        loop.step(at: .seconds(5))
        #expect(!loop.hasEnded && loop.deadline(after: .seconds(5)) == .seconds(6))
        loop.step(at: .seconds(8))
        #expect(loop.hasEnded && loop.deadline(after: .seconds(8)) == .seconds(8))
        #expect(loop.statuses(before: queue.end)[1].delivery.phase == .closed)
    }

    @Test func `an abandoned target ends at once and keeps its records`() throws {
        let (good, stuck) = (FakeTransport(.takes), FakeTransport(.ignores))
        let loop = try loop([good, stuck])
        for number in 0..<3 { queue.append(record(number)) }
        loop.step(at: .seconds(1))
        loop.abandon()
        #expect(loop.hasEnded)
        let ends = loop.statuses(before: queue.end).map(\.delivery)
        #expect(ends.allSatisfy { $0.phase == .closed } && ends[1].queued == 3)
    }
}
