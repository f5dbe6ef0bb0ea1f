import LocationCore
import TestSupport
import Testing

@testable import LocationPublishing

/// What a queue keeps of a target, and the marks of records that may have arrived before.
extension TargetDeliveryTests {
    /// Sends what a queue holds over a new connection of a new program, and returns the numbers and those that were marked.
    private func next(_ queue: PositionQueue, _ order: BacklogOrder) -> (sent: [UInt64], repeated: [UInt64]) {
        let transport = FakeTransport(.takes)
        let delivery = delivery(transport, queue, order)
        for second in 0..<4 { delivery.step(at: .seconds(second)) }
        return (transport.sent.map(\.number), transport.repeated)
    }

    @Test func `records that were taken are stored together after half a second, or when they are a hundred`() {
        let (transport, queue, delivery) = started(.ordered, count: 250, window: 250)
        let stores = queue.stores
        transport.acknowledge(1)
        delivery.step(at: .seconds(1))
        transport.acknowledge(98)
        delivery.step(at: .milliseconds(1400))
        #expect(queue.cursor == 0 && delivery.deadline(after: .milliseconds(1400)) == .milliseconds(1500))
        transport.acknowledge(1)
        delivery.step(at: .milliseconds(1499))
        #expect(queue.cursor == 100 && queue.stores == stores + 1 && delivery.deadline(after: .zero) == nil)
        transport.acknowledge(3)
        delivery.step(at: .seconds(2))
        delivery.step(at: .milliseconds(2499))
        #expect(queue.cursor == 100 && queue.stores == stores + 1)
        delivery.step(at: .milliseconds(2500))
        #expect(queue.cursor == 103 && queue.stores == stores + 2 && delivery.deadline(after: .zero) == nil)
        delivery.step(at: .seconds(9))
        delivery.store()
        #expect(queue.stores == stores + 2)
    }

    @Test(arguments: [true, false])
    func `a delivery that ends stores what was taken, and exactly what was sent`(isAbandoned: Bool) {
        let (transport, queue, delivery) = started(.ordered, count: 9, window: 6)
        transport.acknowledge(2)
        delivery.step(at: .zero)
        transport.window = 0
        if isAbandoned {
            delivery.abandon()
        } else {
            delivery.finish(by: .seconds(1))
            for second in 0..<3 { delivery.step(at: .seconds(second)) }
        }
        #expect(delivery.isClosed && queue.stored == DeliveryMark(low: 2, sentEnd: 8))
        queue.end = 12
        #expect(next(queue, .ordered) == (Array(2..<12), Array(2..<8)))
    }

    @Test func `a killed program has marked what it may have sent before, and no record that came later`() {
        let (_, queue, _) = started(.ordered, count: 9, window: 6)
        // Not each record needs a transaction, so that a few more are marked than were sent.
        #expect(queue.cursor == 0 && queue.stored.sentEnd > 6)
        let after = delivery(FakeTransport(.fails), queue, .ordered)
        queue.end = 12
        after.step(at: .zero)
        #expect(next(queue, .ordered) == (Array(0..<12), Array(0..<9)))
    }

    @Test func `the newest record that was sent ahead is marked when it comes again, and the others are not`() {
        let (_, queue, delivery) = started(.newestFirst, count: 500, window: 3)
        #expect(queue.stored.ahead == [499] && queue.stored.sentEnd < 200)
        withExtendedLifetime(delivery) {}
        let (transport, next) = (FakeTransport(.holds), FakeTransport(.takes))
        queue.end = 600
        // Without a word from the target nothing is known about what has arrived, also not after a second kill.
        transport.window = 1
        self.delivery(transport, queue, .newestFirst).step(at: .zero)
        #expect(transport.sent.map(\.number) == [599] && transport.repeated == [] && queue.stored.ahead == [499, 599])
        let last = self.delivery(next, queue, .newestFirst)
        for second in 0..<90 { last.step(at: .seconds(second)) }
        let firsts = next.repeated.filter { $0 < 200 }
        #expect(firsts == Array(0..<UInt64(firsts.count)) && firsts.count < 200)
        #expect(next.repeated.filter { $0 >= 200 } == [599, 499] && next.sent.count == 600)
        #expect(last.low == 600)
    }

    @Test func `what comes again over the next connection is marked, unless it never left the machine`() {
        let (transport, queue, delivery) = started(.ordered, count: 5, window: 3)
        transport.report(.unsent)
        transport.report(.failed(cause: "no route", isRefusal: false))
        delivery.step(at: .seconds(1))
        delivery.store()
        #expect(queue.stored == DeliveryMark(low: 0))
        delivery.step(at: .seconds(60))
        #expect(transport.sent.map(\.number) == [0, 1, 2, 0, 1, 2] && transport.repeated == [])
        transport.report(.failed(cause: "cut", isRefusal: false))
        delivery.step(at: .seconds(61))
        delivery.step(at: .seconds(120))
        // It has been sent once, so that what comes again stays marked.
        transport.report(.unsent)
        transport.report(.failed(cause: "no route", isRefusal: false))
        delivery.step(at: .seconds(121))
        delivery.step(at: .seconds(600))
        #expect(transport.repeated == [0, 1, 2, 0, 1, 2])
        transport.behavior = .takes
        transport.acknowledge()
        delivery.step(at: .seconds(601))
        delivery.step(at: .seconds(602))
        #expect(transport.repeated.count == 6 && delivery.status.taken == 5)
    }

    @Test func `the newest record is not marked either when it never left the machine`() {
        let (transport, queue, delivery) = started(.newestFirst, count: 300, window: 1)
        #expect(queue.stored.ahead == [299])
        transport.report(.unsent)
        transport.report(.failed(cause: "no route", isRefusal: false))
        delivery.step(at: .seconds(1))
        delivery.store()
        #expect(queue.stored == DeliveryMark(low: 0))
    }

    @Test func `a thousand records that were sent ahead are known, and from then on all up to them are marked`() {
        var progress = DeliveryProgress(.newestFirst, from: DeliveryMark(low: 0), end: 0)
        for newest in UInt64(5_000)..<6_001 {
            _ = progress.begin(end: newest + 1, newest: newest)
            progress.send(newest)
        }
        #expect(progress.mark() == DeliveryMark(low: 0, sentEnd: 6_000, ahead: [6_000]))
        progress.take([0, 6_000])
        #expect(progress.lose(1..<6_000) == 5_999 && progress.mark() == DeliveryMark(low: 6_001))
    }

    @Test func `a place that ends with the program is not stored`() {
        let queue = MemoryQueue(capacity: 9)
        let place = queue.place(named: "a")
        #expect(!place.survives)
        queue.append(PublishRecord(.lost, created: Timestamp(nanosecondsSince1970: 0), location: nil))
        let delivery = TargetDelivery(FakeTransport(.takes), place)
        for second in 0..<2 { delivery.step(at: .seconds(second)) }
        #expect(delivery.status.taken == 1 && delivery.deadline(after: .seconds(1)) == nil)
    }
}
