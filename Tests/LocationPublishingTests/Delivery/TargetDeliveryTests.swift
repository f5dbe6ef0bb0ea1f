import LocationCore
import TestSupport
import Testing

@testable import LocationPublishing

@Suite struct TargetDeliveryTests {
    private func delivery(
        _ transport: FakeTransport, _ queue: PositionQueue, _ order: BacklogOrder, rate: Double? = nil,
        skipsRejected: Bool = false
    ) -> TargetDelivery {
        TargetDelivery(
            transport, queue,
            options: .init(backlog: order, backlogRate: rate, skipsRejected: skipsRejected, batchSize: 4))
    }

    /// Returns a delivery after its first step, with its transport and a queue of records.
    private func started(
        _ order: BacklogOrder, count: UInt64, window: Int = 10, answers: Bool = true, accepts: Bool = true,
        events: Set<UInt64> = [], rate: Double? = nil, skipsRejected: Bool = false
    ) -> (FakeTransport, PositionQueue, TargetDelivery) {
        let (transport, queue) = (FakeTransport(), PositionQueue(count: count, step: 0))
        (transport.window, transport.answers, transport.accepts) = (window, answers, accepts)
        for event in events { queue.occasions[event] = .fence(.enter, name: "home") }
        let delivery = delivery(transport, queue, order, rate: rate, skipsRejected: skipsRejected)
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
        #expect(queue.cursor == .init(low: 15))
        #expect(delivery.status.queued == 0 && delivery.status.taken == 15)
    }

    @Test(
        arguments: [
            (.newestFirst, [], [5, 0, 1, 2, 3, 4]), (.newestFirst, [4, 5], [3, 4, 5, 0, 1, 2]),
            (.none, [4, 5], [3, 4, 5]),
        ] as [(BacklogOrder, Set<UInt64>, [UInt64])])
    func `the newest position comes first, then newer events at fences, then the backlog as old`(
        order: BacklogOrder, events: Set<UInt64>, sent: [UInt64]
    ) {
        let (transport, _, _) = started(order, count: 6, events: events)
        #expect(transport.sent.map(\.number) == sent)
        #expect(transport.sent.map(\.isOld) == sent.map { $0 < sent[0] })
    }

    @Test func `a new record overtakes the backlog of a newest-first target`() {
        let (transport, queue, delivery) = started(.newestFirst, count: 10, window: 2)
        queue.end = 11
        transport.acknowledge()
        delivery.step(at: .seconds(1))
        #expect(transport.sent.map(\.number).prefix(4) == [9, 0, 10, 1])
        #expect(queue.cursor == .init(low: 1, ahead: [9..<10]))
    }

    @Test func `records that the queue has removed count as dropped and not as queued, before the target is reached`() {
        let (transport, queue) = (FakeTransport(.fails), PositionQueue(count: 12, step: 0))
        let delivery = delivery(transport, queue, .ordered)
        delivery.step(at: .zero)
        queue.start = 5
        for _ in 0..<2 { delivery.noteLosses() }
        #expect(delivery.status.queued == 7 && delivery.status.dropped == 5 && queue.cursor == .init(low: 5))
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
        #expect(queue.cursor == .init(low: 14))
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
        transport.acknowledge()
        delivery.step(at: .seconds(1))
        #expect(transport.sent.map(\.number) == [7])
        #expect(delivery.status.dropped == 7 && delivery.status.lost == 0)
        #expect(queue.cursor == .init(low: 8))
    }

    @Test func `records that the queue has lost are skipped and counted`() {
        let transport = FakeTransport()
        let queue = PositionQueue(count: 20, step: 0)
        queue.start = 15
        let delivery = delivery(transport, queue, .ordered)
        for second in 0..<5 {
            delivery.step(at: .seconds(second))
            transport.acknowledge()
        }
        #expect(transport.sent.map(\.number) == Array(15..<20))
        #expect(delivery.status.dropped == 15 && delivery.status.lost == 15)
        #expect(queue.cursor == .init(low: 20))
    }

    @Test func `the backlog keeps to its rate, and new records do not wait for it`() {
        let (transport, queue, delivery) = started(.newestFirst, count: 1_000, window: .max, rate: 100)
        #expect(transport.sent.count == 101)
        #expect(delivery.deadline(after: .zero) == .milliseconds(10))
        transport.acknowledge()
        delivery.step(at: .seconds(1))
        #expect(transport.sent.count == 201)
        queue.end += 1
        transport.acknowledge()
        delivery.step(at: .seconds(1))
        #expect(transport.sent.last?.number == 1_000)
    }

    @Test(arguments: [false, true])
    func `a refused record holds the target for five minutes, or is skipped`(skips: Bool) {
        let (transport, _, delivery) = started(.ordered, count: 2, window: 1, skipsRejected: skips)
        transport.report(.decided(.refused(cause: "no such device"), numbers: [0]))
        delivery.step(at: .seconds(1))
        if skips {
            #expect(transport.sent.map(\.number) == [0, 1])
            #expect(delivery.status.rejected == 1)
        } else {
            #expect(delivery.status.phase == .held(cause: "no such device", until: .seconds(301)))
            delivery.step(at: .seconds(300))
            #expect(transport.opened == 1)
            delivery.step(at: .seconds(301))
            #expect(transport.sent.map(\.number) == [0, 0])
        }
    }

    @Test func `a refusal that ends the delivery keeps its reason until records are taken`() {
        let (transport, queue, delivery) = started(.ordered, count: 2)
        transport.acknowledge(1)
        transport.report(.decided(.refused(cause: "no such device"), numbers: [1]))
        delivery.finish(by: .seconds(10))
        delivery.step(at: .seconds(1))
        #expect(delivery.isClosed)
        #expect(delivery.status.obstacle == nil)
        #expect(delivery.status.lastObstacle == "no such device")

        let other = FakeTransport()
        let next = self.delivery(other, queue, .ordered)
        next.step(at: .zero)
        other.report(.failed(cause: "away", isRefusal: false))
        next.step(at: .seconds(1))
        #expect(next.status.lastObstacle == "away")
        next.step(at: .seconds(60))
        other.acknowledge()
        next.step(at: .seconds(61))
        #expect(next.status.lastObstacle == nil)
    }

    @Test func `a server that asks for time gets it, at most five minutes`() {
        let (transport, _, delivery) = started(.ordered, count: 1)
        transport.report(.decided(.tryAgain(cause: "busy", after: .seconds(40)), numbers: [0]))
        delivery.step(at: .seconds(1))
        #expect(delivery.deadline(after: .seconds(1)) == .seconds(41))
        delivery.step(at: .seconds(41))
        transport.report(.decided(.tryAgain(cause: "busy", after: .seconds(86_400)), numbers: [0]))
        delivery.step(at: .seconds(42))
        #expect(delivery.deadline(after: .seconds(42)) == .seconds(342))
    }

    @Test func `the delays between attempts grow to five minutes, and differ between seeds`() {
        func delays(seed: UInt64) -> [Duration] {
            let transport = FakeTransport()
            transport.accepts = false
            let delivery = TargetDelivery(transport, PositionQueue(count: 1, step: 0), options: .init(seed: seed))
            var now = Duration.zero
            return (0..<30).map { _ in
                delivery.step(at: now)
                transport.report(.failed(cause: "down", isRefusal: false))
                delivery.step(at: now)
                let next = delivery.deadline(after: now) ?? .zero
                defer { now = next }
                return next - now
            }
        }
        let first = delays(seed: 1)
        #expect(first[0] <= .milliseconds(500) && first.allSatisfy { $0 > .zero && $0 <= .seconds(300) })
        #expect(first.max() ?? .zero > .seconds(60))
        #expect(first != delays(seed: 2))
    }

    @Test func `connections that end shortly after they began are tried less and less often, and at least every 16 s`()
    {
        let (transport, queue, delivery) = started(.ordered, count: 1)
        var now = Duration.zero
        /// Connects, delivers a record, and ends the connection; returns the delay before the next attempt.
        func delay(after life: Duration) -> Duration {
            delivery.step(at: now)
            queue.end += 1
            delivery.step(at: now)
            transport.acknowledge()
            delivery.step(at: now)
            now += life
            transport.report(.failed(cause: "cut", isRefusal: false))
            delivery.step(at: now)
            let next = delivery.deadline(after: now) ?? .zero
            defer { now = next }
            return next - now
        }
        let brief = (0..<40).map { _ in delay(after: .milliseconds(50)) }
        #expect(delivery.status.taken == queue.end)
        #expect(brief[0] <= .milliseconds(500))
        #expect(brief.suffix(30).allSatisfy { $0 >= .milliseconds(1600) && $0 <= .seconds(16) })
        #expect(brief.max() ?? .zero > .seconds(8))
        #expect(delay(after: .seconds(10)) <= .milliseconds(500))
    }

    @Test func `a delivery whose next attempt comes after the limit ends at once`() {
        let (transport, _, delivery) = started(.ordered, count: 3, accepts: false)
        transport.report(.failed(cause: "no", isRefusal: true))
        delivery.step(at: .seconds(1))
        delivery.finish(by: .seconds(10))
        delivery.step(at: .seconds(2))
        #expect(delivery.isClosed && delivery.status.queued == 3)
    }

    @Test func `a target that could not be reached is tried once more shortly before the end`() {
        let (transport, _, delivery) = started(.ordered, count: 3, accepts: false)
        delivery.finish(by: .seconds(10))
        for second in 0..<9 {
            delivery.step(at: .seconds(second))
            transport.report(.failed(cause: "no", isRefusal: false))
            delivery.step(at: .seconds(second))
            delivery.retry(at: .seconds(second))
        }
        transport.report(.failed(cause: "no", isRefusal: false))
        delivery.step(at: .seconds(8))
        let attempts = transport.opened
        #expect(delivery.deadline(after: .seconds(8)) == .seconds(9) && !delivery.isClosed)
        transport.accepts = true
        delivery.step(at: .seconds(9))
        #expect(transport.opened == attempts + 1)
        transport.acknowledge()
        delivery.step(at: .milliseconds(9_100))
        #expect(delivery.status.isComplete && delivery.status.taken == 3)
    }

    @Test func `a last attempt that fails is the last one`() {
        let (transport, _, delivery) = started(.ordered, count: 3, accepts: false)
        delivery.finish(by: .seconds(10))
        for tenth in 0..<95 where !delivery.isClosed {
            delivery.step(at: .milliseconds(100 * tenth))
            transport.report(.failed(cause: "no", isRefusal: false))
            delivery.step(at: .milliseconds(100 * tenth))
        }
        #expect(delivery.isClosed && delivery.status.queued == 3)
    }

    @Test func `a record that needs no message is omitted, and says nothing about the target`() {
        let (transport, queue, delivery) = started(.ordered, count: 3, answers: false)
        var fates: [RecordFate] = []
        delivery.onFate = { fate, numbers in fates += numbers.map { _ in fate } }
        transport.report(.decided(.omitted, numbers: [0, 1]))
        delivery.step(at: .seconds(1))
        #expect(delivery.status.phase == .ready && delivery.status.lastTaken == nil)
        #expect(delivery.status.omitted == 2 && delivery.status.taken == 0 && delivery.status.queued == 1)
        transport.acknowledge()
        delivery.step(at: .seconds(2))
        #expect(delivery.status.phase == .connected && delivery.status.taken == 1 && queue.cursor.low == 3)
        #expect(fates == [.omitted, .omitted, .taken])
    }

    @Test func `at the end what is queued is sent first, until the limit`() {
        let (transport, _, delivery) = started(.ordered, count: 3, window: 1)
        delivery.finish(by: .seconds(5))
        transport.acknowledge()
        delivery.step(at: .seconds(1))
        #expect(!delivery.isClosed)
        delivery.step(at: .seconds(5))
        #expect(delivery.isClosed && transport.closed == 1)
        #expect(delivery.status.queued == 2)
    }

    @Test(arguments: [BacklogOrder.ordered, .newestFirst], 0..<40)
    func `whatever fails, every record is taken, and none is sent again after it was taken`(
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
        #expect(queue.cursor == .init(low: queue.end))
        #expect(Set(transport.sent.map(\.number)) == Set(0..<queue.end))
    }

    // MARK: Limits

    @Test(arguments: [(UInt64(63), UInt64(36)), (64, 99)])
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
        #expect(fates.last == "taken 8..<9" && queue.cursor == .init(low: 9))
    }

    @Test func `a queue that cannot be read is read again after a second, and nothing is lost`() {
        /// A queue whose disk fails for a while.
        final class FailingPlace: TargetPlace {
            let queue = PositionQueue(count: 3, step: 0)
            var fails = false
            var reads = 0
            var stored: DeliveryProgress.Cursor { queue.stored }
            var start: UInt64 { queue.start }
            var end: UInt64 { queue.end }
            func records(from number: UInt64, limit: Int) -> [QueuedRecord]? {
                reads += 1
                return fails ? nil : queue.records(from: number, limit: limit)
            }
            func store(_ cursor: DeliveryProgress.Cursor) { queue.store(cursor) }
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

    @Test func `a slow backlog has its burst again after a second, and never more`() {
        let (transport, _, delivery) = started(.ordered, count: 100, window: .max, rate: 4)
        #expect(transport.sent.count == 4 && delivery.deadline(after: .zero) == .milliseconds(250))
        delivery.step(at: .milliseconds(249))
        #expect(transport.sent.count == 4)
        delivery.step(at: .milliseconds(250))
        #expect(transport.sent.count == 5 && delivery.deadline(after: .milliseconds(250)) == .milliseconds(500))
        delivery.step(at: .seconds(100))
        #expect(transport.sent.count == 9)
        delivery.step(at: .seconds(99))
        #expect(transport.sent.count == 9)
    }

    @Test func `a backlog of less than one record a second goes one by one`() {
        let (transport, _, delivery) = started(.ordered, count: 10, window: .max, rate: 0.5)
        #expect(transport.sent.count == 1 && delivery.deadline(after: .zero) == .seconds(2))
        delivery.step(at: .seconds(2))
        #expect(transport.sent.count == 2)
    }

    @Test func `a cursor keeps the oldest thousand ranges, and the records of the others are sent again`() {
        var progress = DeliveryProgress(.newestFirst, from: .init(low: 0))
        _ = progress.begin(end: 5000)
        progress.take((0..<1001).map { UInt64(2 * $0 + 1) })
        #expect(progress.cursor.ahead.count == 1000 && progress.cursor.ahead.last == 1999..<2000)
        #expect(progress.remaining(before: 5000) == 4000)
        // Ranges that meet are one, and those below the cursor are gone.
        progress.take([2, 0, 6, 4])
        #expect(progress.cursor.low == 8 && progress.cursor.ahead.first == 9..<10)
        #expect(progress.lose(8..<12) == 2 && progress.cursor.low == 12 && progress.lose(3..<3) == 0)
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
