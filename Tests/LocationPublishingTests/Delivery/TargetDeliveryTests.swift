import LocationCore
import TestSupport
import Testing

@testable import LocationPublishing

@Suite struct TargetDeliveryTests {
    func delivery(
        _ transport: FakeTransport, _ queue: PositionQueue, _ order: BacklogOrder
    ) -> TargetDelivery {
        TargetDelivery(transport, queue, options: .init(backlog: order, batchSize: 4))
    }

    /// Returns a delivery after its first step, with its transport and a queue of records.
    func started(
        _ order: BacklogOrder, count: UInt64, window: Int = 10, answers: Bool = true, accepts: Bool = true,
        events: Set<UInt64> = []
    ) -> (FakeTransport, PositionQueue, TargetDelivery) {
        let (transport, queue) = (FakeTransport(), PositionQueue(count: count, step: 0))
        (transport.window, transport.answers, transport.accepts) = (window, answers, accepts)
        for event in events { queue.occasions[event] = .fence(.enter, name: "home") }
        let delivery = delivery(transport, queue, order)
        delivery.step(at: .zero)
        return (transport, queue, delivery)
    }

    @Test func `an ordered target gets the oldest record first, and new ones after the old`() {
        let (transport, queue, delivery) = started(.ordered, count: 12)
        queue.end = 15
        for second in 1...10 {
            transport.acknowledge(3)
            delivery.step(at: .seconds(second))
        }
        #expect(transport.sent.map(\.number) == Array(0..<15))
        #expect(transport.sent.allSatisfy { !$0.isOld })
        #expect(delivery.low == 15)
        #expect(delivery.status.queued == 0 && delivery.status.taken == 15)
    }

    @Test(
        arguments: [
            (.newestFirst, [], [5, 0, 1, 2, 3, 4]), (.newestFirst, [4, 5], [3, 0, 1, 2, 4, 5]),
            (.none, [4, 5], [3, 4, 5]),
        ] as [(BacklogOrder, Set<UInt64>, [UInt64])])
    func `the newest position comes first, and then all that waits in the order of time, up to it as old`(
        order: BacklogOrder, events: Set<UInt64>, sent: [UInt64]
    ) {
        let (transport, _, _) = started(order, count: 6, events: events)
        #expect(transport.sent.map(\.number) == sent)
        #expect(transport.sent.map(\.isOld) == sent.map { $0 < sent[0] })
    }

    @Test func `new records wait for the backlog, and the place is that of the oldest record that was not taken`() {
        let (transport, queue, delivery) = started(.newestFirst, count: 10, window: 2)
        queue.end = 11
        transport.acknowledge()
        delivery.step(at: .seconds(1))
        #expect(transport.sent.map(\.number).prefix(4) == [9, 0, 1, 2] && delivery.low == 1)
        #expect(delivery.status.queued == 9)
        for second in 2..<9 {
            transport.acknowledge()
            delivery.step(at: .seconds(second))
        }
        #expect(transport.sent.map(\.number) == [9] + Array(0...8) + [10] && delivery.low == 11)
        #expect(transport.sent.map(\.isOld) == [false] + Array(repeating: true, count: 9) + [false])
    }

    @Test func `a connection without a newer position sends none ahead, and nothing in the place of the newest`() {
        let (transport, queue, delivery) = started(.newestFirst, count: 10, window: 1)
        transport.acknowledge()
        delivery.step(at: .seconds(1))
        transport.report(.failed(cause: "cut", isRefusal: false))
        delivery.step(at: .seconds(2))
        delivery.step(at: .seconds(3))
        #expect(transport.sent.map(\.number) == [9, 0, 0] && transport.sent.map(\.isOld) == [false, true, true])
        // Another run of the program does not know that the newest was taken.
        let other = FakeTransport(.takes)
        let next = self.delivery(other, queue, .newestFirst)
        for second in 0..<9 { next.step(at: .seconds(second)) }
        #expect(other.sent.map(\.number) == [9] + Array(0...8) && next.low == 10)
    }

    @Test func `records that the queue has removed count as dropped and not as queued, before the target is reached`() {
        let (transport, queue) = (FakeTransport(.fails), PositionQueue(count: 12, step: 0))
        let delivery = delivery(transport, queue, .ordered)
        delivery.step(at: .zero)
        queue.start = 5
        for _ in 0..<2 { delivery.noteLosses() }
        #expect(delivery.status.queued == 7 && delivery.status.dropped == 5 && delivery.low == 5)
        transport.behavior = .takes
        delivery.retry(at: .seconds(1))
        delivery.step(at: .seconds(1))
        #expect(transport.sent.map(\.number).first == 5 && delivery.status.dropped == 5)
    }

    @Test func `a record that was removed while it is in flight counts by the verdict of its target`() {
        let (transport, queue, delivery) = started(.ordered, count: 12, window: 3)
        queue.start = 5
        delivery.noteLosses()
        #expect(delivery.status.dropped == 0)
        transport.acknowledge()
        for second in 1...9 {
            delivery.step(at: .seconds(second))
            transport.acknowledge()
        }
        #expect(delivery.status.taken == 10 && delivery.status.dropped == 2 && delivery.status.queued == 0)
    }

    @Test func `a second outage during the backlog sends the newest record first again, and nothing twice`() {
        let (transport, queue, delivery) = started(.newestFirst, count: 10, window: 2)
        transport.acknowledge()
        delivery.step(at: .seconds(1))
        transport.report(.failed(cause: "cut", isRefusal: false))
        queue.end = 14
        delivery.step(at: .seconds(2))
        #expect(delivery.status.obstacle == "cut")
        transport.window = 100
        for second in 3..<20 {
            delivery.step(at: .seconds(second))
            transport.acknowledge()
        }
        #expect(transport.sent.map(\.number) == [9, 0, 1, 2, 13, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12])
        #expect(delivery.low == 14)
    }

    @Test func `a target that answers records only is connected once it has taken one`() {
        let (transport, _, delivery) = started(.ordered, count: 2, answers: false)
        #expect(delivery.status.phase == .ready && transport.sent.count == 2)
        transport.report(.decided(.tryAgain(cause: "busy", after: nil), numbers: [0, 1]))
        delivery.step(at: .seconds(1))
        delivery.step(at: .seconds(1000))
        #expect(delivery.status.phase == .ready && transport.sent.count == 4)
        transport.acknowledge(1)
        delivery.step(at: .seconds(1000))
        #expect(delivery.status.phase == .connected && delivery.status.taken == 1)
    }

    @Test func `a target without a backlog gets only the newest record, and the others are counted as dropped`() {
        let (transport, queue, delivery) = started(.none, count: 8)
        // Also a program that is killed now does not send them again.
        #expect(queue.cursor == 7)
        transport.acknowledge()
        delivery.step(at: .seconds(1))
        #expect(transport.sent.map(\.number) == [7])
        #expect(delivery.status.dropped == 7 && delivery.status.lost == 0)
        #expect(delivery.low == 8)
    }

    @Test func `records that the queue has lost are skipped and counted`() {
        let transport = FakeTransport()
        let queue = PositionQueue(count: 20, step: 0)
        queue.start = 15
        let delivery = delivery(transport, queue, .ordered)
        var fates: [String] = []
        delivery.onFate = { fates.append("\($0) \($1)") }
        for second in 0..<5 {
            delivery.step(at: .seconds(second))
            transport.acknowledge()
        }
        #expect(transport.sent.map(\.number) == Array(15..<20) && fates.first == "dropped 0..<15" && fates.count == 6)
        #expect(delivery.status.dropped == 15 && delivery.status.lost == 15)
        #expect(delivery.low == 20)
    }

    @Test func `a single record that the queue has lost between others is counted`() {
        /// A queue without the record 3.
        final class HoledPlace: TargetPlace {
            let queue = PositionQueue(count: 6, step: 0)
            var stored: DeliveryMark { queue.stored }
            var start: UInt64 { queue.start }
            var end: UInt64 { queue.end }
            func records(from number: UInt64, limit: Int) -> [QueuedRecord]? {
                queue.records(from: number, limit: 6)?.filter { $0.number != 3 }.prefix(limit).map(\.self)
            }
            func store(_ mark: DeliveryMark) { queue.store(mark) }
        }
        let (transport, place) = (FakeTransport(.takes), HoledPlace())
        let delivery = TargetDelivery(transport, place, options: .init(batchSize: 10))
        for second in 0..<3 { delivery.step(at: .seconds(second)) }
        #expect(transport.sent.map(\.number) == [0, 1, 2, 4, 5] && delivery.low == 6)
        #expect(delivery.status.dropped == 1 && delivery.status.taken == 5 && delivery.status.lost == 1)
    }

    @Test func `without other options records go one by one, in order`() {
        let options = TargetDelivery.Options()
        #expect(options.backlog == .ordered && options.batchSize == 1)
    }

    @Test func `a backlog goes as fast as its target takes it`() {
        let (transport, _, delivery) = started(.newestFirst, count: 1_000, window: .max)
        #expect(transport.sent.count == 1_000 && delivery.deadline(after: .zero) == nil)
        transport.acknowledge()
        delivery.step(at: .seconds(1))
        #expect(delivery.low == 1_000)
    }

    @Test(arguments: [BacklogOrder.ordered, .newestFirst], 0..<40)
    func `whatever fails, every record is taken, and none is sent again by the same run after it was taken`(
        order: BacklogOrder, seed: Int
    ) {
        var random = SplitMix64(seed: UInt64(seed))
        let transport = FakeTransport()
        let queue = PositionQueue(count: 0, step: 0)
        var delivery = delivery(transport, queue, order)
        var taken: Set<UInt64> = []
        var seen = 0
        for tick in 0..<600 {
            let now = Duration.seconds(tick * 200)
            if tick < 400 { queue.end += UInt64(random.below(4)) }
            delivery.step(at: now)
            for (number, _) in transport.sent[seen...] { #expect(!taken.contains(number), "\(number) was taken") }
            seen = transport.sent.count
            switch tick < 500 ? random.below(12) : 11 {
            case 0: transport.report(.failed(cause: "cut", isRefusal: false))
            case 1: transport.accepts.toggle()
            case 2:
                // The program ends and starts again.
                transport.report(.failed(cause: "ended", isRefusal: false))
                delivery.step(at: now)
                delivery = self.delivery(transport, queue, order)
                // What was taken before an older record is not known any more.
                taken = taken.filter { $0 < queue.cursor }
            default:
                if tick >= 500 { transport.accepts = true }
                // An attempt that began while nothing answered ends, as each transport's time limit has it.
                if tick >= 500, delivery.status.phase == .connecting {
                    transport.report(.failed(cause: "no answer", isRefusal: false))
                }
                let count = random.below(8)
                taken.formUnion(transport.inFlight.prefix(count))
                transport.acknowledge(count)
                if !transport.accepts, transport.room == 0, transport.inFlight.isEmpty {
                    transport.report(.failed(cause: "down", isRefusal: false))
                }
            }
        }
        #expect(delivery.low == queue.end)
        #expect(Set(transport.sent.map(\.number)) == Set(0..<queue.end))
    }
}
