import Glibc
import LocationCore
@testable import LocationPublishing
import LocationTesting
import LocwatchSupport
import TestSupport
import Testing

@Suite(.serialized, .alone) struct LocationPublisherTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    private var options: TargetOptions {
        TargetOptions(hostName: "boat", version: "1", started: Timestamp(secondsSince1970: 0))
    }

    /// Returns a publisher over transports that behave as scripted.
    private func publisher(
        _ behaviors: [FakeTransport.Behavior], clock: (@Sendable () -> Duration)? = nil
    ) throws -> LocationPublisher {
        let words = behaviors.indices.map { "http://h/\($0)?lat=%{lat}" }
        var left = behaviors[...]
        let start = ContinuousClock.now
        return try LocationPublisher(
            try PreparedTarget.prepare(words, options), opening: { MemoryQueue(capacity: 1000) },
            clock ?? { start.duration(to: .now) }
        ) { _ in FakeTransport(left.removeFirst()) }
    }

    /// Waits until each target has a number of records left.
    private func wait(for queued: [Int], at publisher: LocationPublisher) async throws {
        try await eventually(
            "the targets", within: .seconds(60), { publisher.statuses.map(\.delivery.queued) }, is: { $0 == queued })
    }

    @Test func `a record that was published counts until its target has taken it`() async throws {
        let publisher = try publisher([.takes, .holds])
        for number in 1...200 {
            publisher.publish(record(number))
            let statuses = publisher.statuses.map(\.delivery)
            #expect(UInt64(statuses[0].queued) + statuses[0].taken == number)
            #expect(!statuses[0].isComplete || statuses[0].taken == number)
            #expect(statuses[1].queued == number)
        }
    }

    @Test func `a publication returns the fate of the record at each target when all of them are decided`() async throws
    {
        let publisher = try publisher([.takes, .rejects])
        publisher.publish(record(1))
        let start = ContinuousClock.now
        let publication = Task { [record = record(2)] in
            try await publisher.publish(record, within: .seconds(600))
        }
        try await eventually(
            "the refusals", within: .seconds(60),
            { () -> UInt64 in
                publisher.retryNow()
                return publisher.statuses[1].delivery.rejected
            }, is: { $0 == 2 })
        #expect(try await publication.value == [.taken, .rejected])
        #expect(start.duration(to: .now) < .seconds(60))
    }

    @Test func `a publication that is late, cancelled or ended returns what is known, and the record stays queued`()
        async throws
    {
        let publisher = try publisher([.takes, .holds])
        let (first, second) = (record(1), record(2))
        #expect(try await publisher.publish(record(0), within: .milliseconds(1)).last == .queued)
        let cancelled = Task { try await publisher.publish(first, within: .seconds(600)) }
        try await wait(for: [0, 2], at: publisher)
        cancelled.cancel()
        #expect(try await cancelled.value == [.taken, .queued])
        let ended = Task { try await publisher.publish(second, within: .seconds(600)) }
        try await wait(for: [0, 3], at: publisher)
        await publisher.finish(within: .zero)
        #expect(try await ended.value == [.taken, .queued])
        #expect(publisher.statuses[1].delivery.queued == 3)
    }

    @Test func `finishing waits until what is queued was sent, and returns the states`() async throws {
        // The time begins when the first target has taken everything, as a busy machine can need longer than the limit.
        let start = Lock<ContinuousClock.Instant?>(nil)
        let publisher = try publisher([.takes, .fails]) { start.withLock { $0 }?.duration(to: .now) ?? .zero }
        for number in 1...20 { publisher.publish(record(number)) }
        async let finished = publisher.finish(within: .milliseconds(500))
        try await wait(for: [0, 20], at: publisher)
        start.withLock { $0 = .now }
        let statuses = await finished.map(\.delivery)
        #expect(statuses.map(\.phase) == [.closed, .closed] && statuses.map(\.isComplete) == [true, false])
        #expect(statuses[0].taken == 20 && statuses[1].queued == 20 && publisher.hasEnded)
        #expect(publisher.queueFailure == nil && publisher.dropped == 0)
    }

    @Test func `a cancelled finish ends at once`() async throws {
        let publisher = try publisher([.fails])
        publisher.publish(record(1))
        let start = ContinuousClock.now
        let finish = Task { await publisher.finish(within: .seconds(600)) }
        finish.cancel()
        #expect(await finish.value[0].delivery.phase == .closed)
        #expect(start.duration(to: .now) < .seconds(60))
    }

    @Test func `the changes begin with the states at the time, and end with the deliveries`() async throws {
        let publisher = try publisher([.takes])
        let log = EventLog<DeliveryStatus.Phase>()
        let changes = publisher.changes
        let watching = Task { for await statuses in changes { log.append(statuses[0].delivery.phase) } }
        try await log.wait(for: "the connection") { $0.contains(.connected) }
        await publisher.finish(within: .seconds(5))
        await watching.value
        #expect(log.events.last == .closed)
        var late = publisher.changes.makeAsyncIterator()
        #expect(try await late.next()?[0].delivery.phase == .closed)
        #expect(try await late.next() == nil)
    }

    @Test func `a record that comes after the end is lost, which is a change once`() async throws {
        let publisher = try publisher([.takes])
        await publisher.finish(within: .seconds(60))
        // The last change comes before the end of the thread.
        publisher.waitUntilEnded()
        func isSignalled() -> Bool {
            var watched = pollfd((publisher.changesDescriptor, Int16(POLLIN)))
            defer { publisher.acknowledgeChanges() }
            return poll(&watched, 1, 0) == 1
        }
        var changes = publisher.changes.makeAsyncIterator()
        #expect(isSignalled() && publisher.queueFailure == nil)
        #expect(try await changes.next() != nil)
        publisher.publish(record(0))
        #expect(isSignalled() && publisher.dropped == 1 && publisher.queueFailure == .ended)
        #expect(try await changes.next() != nil)
        publisher.publish(record(1))
        await #expect(throws: PublishError.ended) { try await publisher.publish(record(2), within: .seconds(600)) }
        #expect(!isSignalled() && publisher.dropped == 3)
        #expect(try await changes.next() == nil)
    }

    @Test func `targets with the same certificates share the connections of one session`() throws {
        let server = try LoopbackServer([.response(), .response()])
        let words = ["a", "b"].map { "http://127.0.0.1:\(server.port)/\($0)?lat=%{lat}" }
        var factory = TransportFactory()
        for target in try PreparedTarget.prepare(words, options) {
            let rig = TransportRig(try factory.transport(for: target))
            rig.send(1)
            try rig.step { rig.tookAll }
        }
        #expect(server.requests.count == 2 && server.connections == 1)
    }

    @Test func `watching the changes ends when its task is cancelled and when the publisher is released`() async throws
    {
        var publisher: LocationPublisher? = try publisher([.holds])
        let changes = try #require(publisher?.changes)
        let cancelled = Task { for await _ in changes {} }
        cancelled.cancel()
        await cancelled.value
        let released = Task { for await _ in changes {} }
        publisher?.publish(record(0))
        publisher = nil
        await released.value
    }

    @Test func `records arrive while another target's name is being resolved, and everything ends in time`() throws {
        let receiver = ReservedPort(receivesDatagrams: true)
        defer { close(receiver.descriptor) }
        let publisher = try LocationPublisher(
            PreparedTarget.prepare(["udp://host.invalid", "udp://127.0.0.1:\(receiver.number)"], options),
            queue: .memory())
        publisher.publish(record(0))
        var watched = pollfd(fd: receiver.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&watched, 1, 60_000) == 1)
        publisher.startFinishing(within: .milliseconds(100))
        publisher.waitUntilEnded()
        #expect(publisher.hasEnded && publisher.statuses[1].delivery.taken == 1)
        let waiting = publisher.statuses[0]
        #expect(waiting.delivery.queued == 1 && waiting.target.description == "udp://host.invalid")
        var changes = pollfd(fd: publisher.changesDescriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&changes, 1, 0) == 1)
        publisher.acknowledgeChanges()
        #expect(poll(&changes, 1, 0) == 0)
    }

    @Test func `each record that cannot be stored is counted, and the reason is there`() async throws {
        let path = folder.path("queue")
        var limits = QueueLimits()
        limits.reserve = .max / 2
        let publisher = try LocationPublisher(
            PreparedTarget.prepare(["tcp-listen://192.0.2.1:9"], options), queue: .folder(path, limits))
        publisher.publish(record(0))
        publisher.publish(record(1))
        try await eventually("the losses", within: .seconds(60), { publisher.dropped }, is: { $0 == 2 })
        #expect(publisher.queueFailure == .noSpace(reserve: .max / 2))
        await #expect(throws: PublishError.noSpace(reserve: .max / 2)) {
            try await publisher.publish(record(2), within: .seconds(600))
        }
    }
}
