import Glibc
import LocationCore
import LocationTesting
import LocwatchPlatform
import LocwatchSupport
import TestSupport
import Testing

@testable import LocationPublishing

/// A publisher whose thread waits for nothing but the next call: nothing else would ever wake it.
@Suite(.serialized, .alone) struct IdlePublisherTests {
    /// The numbers of times that a transport was opened, and that its thread asked what to wait for.
    private final class Calls: Sendable {
        let counts = Lock((opened: 0, waits: 0))
        /// The event for which the transport waits.
        let arrival: Event

        init() throws { arrival = try Event() }
    }

    /// A transport that counts the calls of its thread.
    private final class CountingTransport: DeliveryTransport {
        private let transport: FakeTransport
        private let calls: Calls

        init(_ behavior: FakeTransport.Behavior, _ calls: Calls) {
            (transport, self.calls) = (FakeTransport(behavior), calls)
        }

        var room: Int { transport.room }
        var deadline: Duration? { transport.deadline }
        var poll: (descriptor: Int32, events: Int16) {
            calls.counts.withLock { $0.waits += 1 }
            return (calls.arrival.descriptor, Int16(POLLIN))
        }
        func open(at now: Duration) {
            calls.counts.withLock { $0.opened += 1 }
            transport.open(at: now)
        }
        func send(_ records: [QueuedRecord], isOld: Bool, at now: Duration) {
            transport.send(records, isOld: isOld, at: now)
        }
        func close(at now: Duration) { transport.close(at: now) }
        func step(at now: Duration, _ emit: (DeliveryEvent) -> Void) {
            calls.arrival.clear()
            transport.step(at: now, emit)
        }
    }

    private let calls: Calls

    init() throws { calls = try Calls() }

    /// Returns a publisher whose queue was written to the disk once, and whose thread waits.
    private func idle(_ behavior: FakeTransport.Behavior) async throws -> LocationPublisher {
        let options = TargetOptions(hostName: "boat", version: "1", started: Timestamp(secondsSince1970: 0))
        let publisher = try LocationPublisher(
            PreparedTarget.prepare(["http://h/?lat=%{lat}"], options), opening: { MemoryQueue(capacity: 10) },
            syncInterval: .seconds(1_000_000), { .zero }
        ) { [calls] _ in CountingTransport(behavior, calls) }
        try await wait(for: 2, "the first steps")
        return publisher
    }

    /// Waits until the thread has asked a number of times what to wait for.
    private func wait(for waits: Int, _ name: String) async throws {
        try await eventually(name, within: .seconds(60), { calls.counts.withLock { $0.waits } }, is: { $0 == waits })
    }

    private func wait(for publisher: LocationPublisher, _ isSo: (LocationPublisher) -> Bool) async throws {
        try await eventually("the thread", within: .seconds(60), { publisher.statuses }, is: { _ in isSo(publisher) })
    }

    @Test func `a record is sent at once`() async throws {
        let publisher = try await idle(.takes)
        publisher.publish(record(1))
        try await wait(for: publisher) { $0.statuses[0].delivery.taken == 1 }
        // The answer of the target is the second step.
        try await wait(for: 4, "the answer")
        #expect(try await publisher.publish(record(2), within: .seconds(60)) == [.taken])
    }

    @Test func `a target whose descriptor is ready is served at once`() async throws {
        let publisher = try await idle(.takes)
        calls.arrival.happen()
        try await wait(for: 3, "the step")
        withExtendedLifetime(publisher) {}
    }

    @Test func `a target that has refused a record is tried again at once when that is asked for`() async throws {
        let publisher = try await idle(.refuses)
        publisher.publish(record(1))
        try await wait(for: 4, "the refusal")
        #expect(publisher.statuses[0].delivery.obstacle == "scripted" && calls.counts.withLock { $0.opened } == 1)
        publisher.retryNow()
        try await wait(for: 6, "the second refusal")
        #expect(calls.counts.withLock { $0.opened } == 2)
    }

    @Test func `a publisher that is finished, abandoned or released ends at once`() async throws {
        let finished = try await idle(.holds)
        finished.startFinishing(within: .seconds(600))
        try await wait(for: finished) { $0.hasEnded }
        calls.counts.withLock { $0 = (0, 0) }
        let abandoned = try await idle(.holds)
        abandoned.publish(record(1))
        try await wait(for: 3, "the record")
        abandoned.abandon()
        try await wait(for: abandoned) { $0.hasEnded }
        #expect(abandoned.statuses[0].delivery.queued == 1)
        calls.counts.withLock { $0 = (0, 0) }
        var released: LocationPublisher? = try await idle(.holds)
        weak let publisher = released
        released = nil
        #expect(publisher == nil)
    }

    @Test func `a refusal is signalled once, and nothing else is`() async throws {
        let publisher = try await idle(.refuses)
        func isSignalled() -> Bool {
            var watched = pollfd((publisher.changesDescriptor, Int16(POLLIN)))
            return poll(&watched, 1, 0) == 1
        }
        #expect(isSignalled())
        publisher.acknowledgeChanges()
        #expect(!isSignalled())
        publisher.publish(record(1))
        try await wait(for: 4, "the refusal")
        #expect(isSignalled())
        publisher.acknowledgeChanges()
        calls.arrival.happen()
        try await wait(for: 5, "a step without a change")
        #expect(!isSignalled() && publisher.statuses[0].delivery.rejected == 0)
    }
}
