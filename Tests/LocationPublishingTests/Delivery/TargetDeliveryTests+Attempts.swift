import LocationCore
import TestSupport
import Testing

@testable import LocationPublishing

/// Refusals, attempts and the end of a delivery.
extension TargetDeliveryTests {
    @Test func `a target that refuses all records is held for five minutes`() {
        let (transport, _, delivery) = started(.ordered, count: 2, window: 1)
        var fates: [String] = []
        delivery.onFate = { fates.append("\($0) \($1)") }
        transport.report(.decided(.refused(cause: "no such device"), numbers: [0]))
        delivery.step(at: .seconds(1))
        #expect(delivery.status.rejected == 0 && fates.isEmpty && delivery.low == 0)
        #expect(delivery.status.phase == .held(cause: "no such device", until: .seconds(301)))
        delivery.step(at: .seconds(300))
        #expect(transport.opened == 1)
        delivery.step(at: .seconds(301))
        #expect(transport.sent.map(\.number) == [0, 0])
    }

    @Test func `a record that is refused as such five times is set aside, and the rest goes on`() {
        let (transport, _, delivery) = started(.ordered, count: 3, window: 1)
        var fates: [String] = []
        delivery.onFate = { fates.append("\($0) \($1)") }
        for attempt in 1...5 {
            #expect(transport.sent.map(\.number) == Array(repeating: 0, count: attempt) && fates.isEmpty)
            transport.report(.decided(.rejected(cause: "too large"), numbers: [0]))
            delivery.step(at: .seconds(attempt * 100))
            guard attempt < 5 else { break }
            #expect(delivery.status.obstacle == "too large" && delivery.status.rejected == 0)
            delivery.step(at: .seconds(attempt * 100 + 50))
        }
        #expect(transport.sent.map(\.number) == [0, 0, 0, 0, 0, 1] && fates == ["rejected 0..<1"])
        #expect(delivery.status.rejected == 1 && delivery.status.obstacle == nil && delivery.low == 1)
        transport.acknowledge()
        delivery.step(at: .seconds(600))
        #expect(transport.sent.last?.number == 2 && delivery.status.taken == 1 && delivery.status.lastObstacle == nil)
    }

    @Test func `of several records that are refused together, only the one that is refused by itself is set aside`() {
        let (transport, _, delivery) = started(.ordered, count: 9)
        var seen = 0
        for second in 0..<200 {
            for batch in transport.batches[seen...] where transport.inFlight.contains(batch[0]) {
                transport.report(.decided(batch.contains(2) ? .rejected(cause: "wrong") : .taken, numbers: batch))
            }
            seen = transport.batches.count
            delivery.step(at: .seconds(second * 10))
        }
        #expect(transport.batches.prefix(4) == [[0, 1, 2, 3], [4, 5, 6, 7], [8], [0]])
        #expect(transport.batches.filter { $0 == [2] }.count == 5 && transport.batches.filter { $0 == [1] }.count == 1)
        #expect(delivery.status.rejected == 1 && delivery.status.taken == 8 && delivery.low == 9)
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
        // The next deadline is that of the attempt.
        queue.survives = false
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
        // An attempt that is not accepted, long after the last connection, says nothing about how long that has lasted.
        now += .seconds(20)
        transport.accepts = false
        delivery.step(at: now)
        transport.report(.failed(cause: "down", isRefusal: false))
        delivery.step(at: now)
        transport.accepts = true
        now = delivery.deadline(after: now) ?? .zero
        #expect(delay(after: .milliseconds(50)) >= .milliseconds(1600))
        #expect(delay(after: .seconds(10)) <= .milliseconds(500))
    }

    @Test func `targets of one server that is away are tried at the same time`() {
        let server = ServerPause()
        let deliveries = (1...2).map { seed in
            TargetDelivery(
                FakeTransport(.fails), PositionQueue(count: 1, step: 0), options: .init(seed: UInt64(seed)),
                server: server)
        }
        var now = Duration.zero
        for _ in 0..<20 {
            for delivery in deliveries { delivery.step(at: now) }
            let times = deliveries.map { $0.deadline(after: now) ?? .zero }
            #expect(times[0] == times[1] && times[0] > now)
            now = times[0]
        }
    }

    @Test func `a target whose server takes the records of another one does not wait for a third one`() {
        let server = ServerPause()
        #expect(server.next(.seconds(300), isAsked: false, at: .zero) == .seconds(300))
        #expect(server.next(.seconds(1), isAsked: false, at: .zero) == .seconds(300))
        // The time that a server asks for is the least one.
        #expect(server.next(.seconds(400), isAsked: true, at: .zero) == .seconds(400))
        server.noteSuccess()
        #expect(server.next(.seconds(2), isAsked: false, at: .seconds(1)) == .seconds(2))
    }

    @Test func `a connection that fails during its goodbye has ended, and the goodbye is said once`() {
        let (transport, _, delivery) = started(.ordered, count: 1)
        transport.behavior = .ignores
        transport.acknowledge()
        delivery.finish(by: .seconds(10))
        for second in 1...3 { delivery.step(at: .seconds(second)) }
        #expect(delivery.status.phase == .closing && transport.closed == 1 && !delivery.isClosed)
        // Only the transport itself has a limit for the goodbye.
        #expect(delivery.deadline(after: .seconds(3)) == nil)
        transport.report(.failed(cause: "cut", isRefusal: false))
        delivery.step(at: .seconds(4))
        #expect(delivery.isClosed && delivery.status.lastObstacle == "cut" && delivery.status.obstacle == nil)
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
        let (transport, _, delivery) = started(.ordered, count: 3, answers: false)
        var fates: [RecordFate] = []
        delivery.onFate = { fate, numbers in fates += numbers.map { _ in fate } }
        transport.report(.decided(.omitted, numbers: [0, 1]))
        delivery.step(at: .seconds(1))
        #expect(delivery.status.phase == .ready && delivery.status.lastTaken == nil)
        #expect(delivery.status.omitted == 2 && delivery.status.taken == 0 && delivery.status.queued == 1)
        transport.acknowledge()
        delivery.step(at: .seconds(2))
        #expect(delivery.status.phase == .connected && delivery.status.taken == 1 && delivery.low == 3)
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
}
