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
                delivery: TargetDelivery(transport, queue.place(named: "\(index)", fromStart: false)))
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
        #expect(queue.place(named: "x", fromStart: true).stored.low == 1)
    }

    @Test func `records that every target has taken leave the queue`() throws {
        let loop = try loop([FakeTransport(.takes), FakeTransport(.takes)])
        for second in 0..<20 {
            queue.append(record(second))
            loop.step(at: .seconds(second))
        }
        loop.step(at: .seconds(40))
        loop.step(at: .seconds(60))
        #expect(queue.place(named: "x", fromStart: true).stored.low == 21)
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
