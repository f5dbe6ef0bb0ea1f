import Glibc
import LocationPublishing
import TestSupport
import Testing

/// Deliveries to Debian's mosquitto that is killed, suspended or not there.
@Suite(.serialized, .alone) struct MosquittoTests {
    @Test func `a broker that is killed gets everything that it had not acknowledged after its restart`() throws {
        let server = try MosquittoServer()
        let publisher = try Publisher(
            server.settings(), count: 300, subscriber: Subscriber(server.settings("subscriber")))
        try publisher.run(false) { $0.subscriber?.isReady == true }
        for round in 1...3 {
            try publisher.run {
                $0.now += .milliseconds(20)
                return $0.delivery.status.taken >= 80 * UInt64(round)
            }
            server.kill()
            // Messages that were on their way still arrive.
            try publisher.run(false) { $0.subscriber?.failure != nil }
            try server.start()
            publisher.subscriber?.open()
            try publisher.run(false) { $0.subscriber?.isReady == true }
        }
        try publisher.run {
            $0.now += .milliseconds(20)
            return $0.delivery.status.isComplete && $0.subscriber?.numbers.contains(299) == true
        }
        #expect(Set(publisher.subscriber?.numbers ?? []) == Set(0..<300))
        #expect(publisher.delivery.status.taken == 300)
    }

    @Test func `a broker that is suspended is left, and gets everything when it goes on`() throws {
        let server = try MosquittoServer()
        let publisher = try Publisher(
            server.settings(), count: 20, subscriber: Subscriber(server.settings("subscriber")))
        try publisher.run(false) { $0.subscriber?.isReady == true }
        try publisher.run { $0.delivery.status.taken >= 10 }
        try publisher.run { $0.delivery.status.isComplete }
        try server.suspend()
        publisher.queue.end = 100
        publisher.delivery.step(at: publisher.now)
        #expect(publisher.transport.room == 0)
        publisher.now = .seconds(31)
        #expect(try publisher.obstacle().contains("not acknowledged"))
        // The kernel accepts the connection, but nothing answers.
        publisher.now = .seconds(60)
        try publisher.run { $0.delivery.status.phase == .connecting }
        publisher.now = .seconds(71)
        #expect(try publisher.obstacle().contains("did not answer"))
        server.resume()
        publisher.now = .seconds(120)
        // The broker now also sees the attempts that were given up, and can take the new connection for one of them.
        try publisher.run {
            $0.now += .milliseconds(20)
            return $0.delivery.status.isComplete && $0.subscriber?.numbers.contains(99) == true
        }
        #expect(Set(publisher.subscriber?.numbers ?? []) == Set(0..<100))
    }

    @Test func `the last position is retained, the backlog after it is not`() throws {
        let server = try MosquittoServer()
        let publisher = try Publisher(server.settings(), count: 5, backlog: .newestFirst)
        try publisher.run { $0.delivery.status.isComplete }
        publisher.subscriber = try Subscriber(server.settings("subscriber"))
        try publisher.run { $0.subscriber?.messages.isEmpty == false }
        #expect(publisher.subscriber?.messages.map(\.isRetained) == [true])
        #expect(publisher.subscriber?.numbers == [4])
    }

    @Test func `connections leave no descriptors open`() throws {
        let server = try MosquittoServer()
        let publisher = try Publisher(server.settings(), count: 1)
        try publisher.run { $0.delivery.status.isComplete }
        let before = RunningProcess.own.descriptors.count
        for _ in 0..<20 {
            publisher.transport.open(at: .zero)
            try publisher.run { $0.transport.room > 0 || $0.delivery.status.obstacle != nil }
        }
        #expect(RunningProcess.own.descriptors.count <= before + 1)
    }
}
