import LocationCore
import TestSupport
import Testing

@testable import LocationPublishing

/// The limits of a delivery.
extension TargetDeliveryTests {
    @Test(arguments: [(UInt64(63), UInt64(36)), (64, 0)])
    func `the newest position is looked for among the last 64 records`(events: UInt64, first: UInt64) {
        let (transport, _, _) = started(.newestFirst, count: 100, events: Set((100 - events)..<100))
        #expect(transport.sent.map(\.number).first == first)
    }

    @Test func `a record that was queued before its target was connected is lost only if it is not sent`() {
        let (transport, queue, delivery) = started(.none, count: 5, events: [4])
        var fates: [String] = []
        delivery.onFate = { fates.append("\($0) \($1)") }
        #expect(transport.sent.map(\.number) == [3, 4] && delivery.status.dropped == 3)
        queue.end = 9
        transport.report(.failed(cause: "cut", isRefusal: false))
        delivery.step(at: .seconds(1))
        #expect(delivery.status.queued == 6 && delivery.status.obstacle == "cut")
        delivery.step(at: .seconds(3))
        #expect(fates == ["dropped 3..<8"] && delivery.status.dropped == 8 && delivery.status.outdated == 8)
        transport.acknowledge()
        delivery.step(at: .seconds(4))
        #expect(fates.last == "taken 8..<9" && delivery.low == 9)
    }

    @Test func `a queue that cannot be read is read again after a second, and nothing is lost`() {
        /// A queue whose disk fails for a while.
        final class FailingPlace: TargetPlace {
            let queue = PositionQueue(count: 3, step: 0)
            var fails = false
            var reads = 0
            var stored: DeliveryMark { queue.stored }
            var start: UInt64 { queue.start }
            var end: UInt64 { queue.end }
            func records(from number: UInt64, limit: Int) -> [QueuedRecord]? {
                reads += 1
                return fails ? nil : queue.records(from: number, limit: limit)
            }
            func store(_ mark: DeliveryMark) { queue.store(mark) }
        }
        let (transport, place) = (FakeTransport(), FailingPlace())
        place.fails = true
        let delivery = TargetDelivery(transport, place, options: .init(batchSize: 4))
        delivery.step(at: .seconds(1))
        #expect(transport.sent.isEmpty && delivery.deadline(after: .seconds(1)) == .seconds(2) && place.reads == 1)
        delivery.step(at: .milliseconds(1999))
        #expect(place.reads == 1)
        delivery.step(at: .seconds(2))
        #expect(place.reads == 2 && delivery.deadline(after: .seconds(2)) == .seconds(3))
        place.fails = false
        delivery.step(at: .seconds(3))
        #expect(transport.sent.map(\.number) == [0, 1, 2] && delivery.deadline(after: .seconds(3)) == nil)
        #expect(delivery.status.dropped == 0 && delivery.status.queued == 3)
    }

    @Test func `records go in batches of the size that the target takes, as far as it has room`() {
        let (transport, _, delivery) = started(.ordered, count: 9, window: 3)
        #expect(transport.sent.map(\.number) == [0, 1, 2])
        transport.window = 100
        transport.acknowledge(1)
        delivery.step(at: .seconds(1))
        #expect(transport.sent.map(\.number) == Array(0..<9) && delivery.status.lastTaken == .seconds(1))
    }

    @Test func `a thousand records are remembered as taken before an older one, and the others are sent again`() {
        var progress = DeliveryProgress(.newestFirst, from: DeliveryMark(low: 0), end: 5000)
        #expect(progress.begin(end: 5000, newest: nil) == 0)
        progress.take((0..<1001).map { UInt64(2 * $0 + 1) })
        #expect(progress.low == 0 && progress.remaining(before: 5000) == 4000)
        progress.take([0, 2, 6, 4])
        #expect(progress.low == 8 && progress.nextRecords(before: 5000).lowerBound == 8)
        #expect(progress.lose(8..<12) == 2 && progress.low == 12 && progress.lose(3..<3) == 0)
        #expect(progress.lose(below: 12).count == 0)
    }

    @Test(arguments: [(Duration.milliseconds(9999), true), (.seconds(10), false)])
    func `an end that comes within its time leaves what is queued, and after it ends at once`(
        now: Duration, isOpen: Bool
    ) {
        let (_, _, delivery) = started(.ordered, count: 3)
        delivery.finish(by: .seconds(10))
        #expect(delivery.deadline(after: .zero) == .seconds(10))
        delivery.step(at: now)
        #expect(delivery.isClosed != isOpen && delivery.status.queued == 3)
    }

    @Test func `a target that has everything is ended without a wait, whether it is reached or not`() {
        for phase in ["ready", "waiting", "held", "connecting"] {
            let (transport, _, delivery) = started(.ordered, count: 0, accepts: phase == "ready")
            if phase == "waiting" || phase == "held" {
                transport.report(.failed(cause: "no", isRefusal: phase == "held"))
                delivery.step(at: .zero)
            }
            delivery.finish(by: .seconds(1000))
            delivery.step(at: .seconds(1) / 100)
            #expect(delivery.isClosed && transport.closed == 1, "\(phase)")
        }
    }
}
