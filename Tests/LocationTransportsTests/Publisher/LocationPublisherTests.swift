import Foundation
import Glibc
import LocationCore
import LocationPublishing
import LocwatchSupport
import Testing

@testable import LocationTransports

@Suite struct LocationPublisherTests {
    private func record(_ number: Int) -> PublishRecord {
        let time = Timestamp(secondsSince1970: 1_700_000_000 + Double(number))
        let location = Location(coordinate: Coordinate(latitude: 1, longitude: 2), timestamp: time)
        return PublishRecord(.moved, created: time, location: location)
    }

    private func targets(_ words: [String]) throws -> [PreparedTarget] {
        let options = TargetOptions(hostName: "boat", version: "1", started: Timestamp(secondsSince1970: 0))
        return try PreparedTarget.prepare(words.map { try TargetWord($0) }, options)
    }

    /// Returns a socket at a free port, and the port.
    private func receiver() throws -> (Int32, UInt16) {
        let receiver = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(receiver, $0, length) == 0 && getsockname(receiver, $0, &length) == 0
            }
        }
        try #require(isBound)
        return (receiver, UInt16(bigEndian: address.sin_port))
    }

    @Test func `records arrive while another target's name is being resolved, and everything ends in time`() throws {
        let (socket, port) = try receiver()
        defer { close(socket) }
        let publisher = try LocationPublisher(
            targets(["udp://host.invalid", "udp://127.0.0.1:\(port)"]), queue: .memory())
        publisher.publish(record(0))
        var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        #expect(poll(&watched, 1, 20_000) == 1)
        publisher.finish(within: .milliseconds(100))
        publisher.waitUntilEnded()
        #expect(publisher.hasEnded && publisher.statuses[1].delivery.taken == 1)
        let waiting = publisher.statuses[0]
        #expect(waiting.delivery.queued == 1 && waiting.target.description == "udp://host.invalid")
        var changes = pollfd(fd: publisher.changesDescriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&changes, 1, 0) == 1)
        publisher.acknowledgeChanges()
        #expect(poll(&changes, 1, 0) == 0)
    }

    @Test func `what a target has not taken is sent by the next run`() throws {
        let path = NSTemporaryDirectory() + "locwatch-publisher-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let listener = try targets(["tcp-listen://192.0.2.1:9"])
        do {
            let publisher = try LocationPublisher(listener, queue: .folder(path))
            for number in 0..<3 { publisher.publish(record(number)) }
            publisher.finish(within: .zero)
            publisher.waitUntilEnded()
            #expect(publisher.statuses[0].delivery.queued == 3)
            #expect(throws: PublisherError(.queue(.inUse(path: path)))) {
                try LocationPublisher(listener, queue: .folder(path))
            }
        }
        let publisher = try LocationPublisher(listener, queue: .folder(path))
        publisher.finish(within: .zero)
        publisher.waitUntilEnded()
        #expect(publisher.statuses[0].delivery.queued == 3)
    }

    @Test func `a record that cannot be stored is counted and reported once, and the next one is stored`() throws {
        let path = NSTemporaryDirectory() + "locwatch-publisher-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        var limits = QueueLimits()
        limits.reserve = .max / 2
        let publisher = try LocationPublisher(
            targets(["tcp-listen://192.0.2.1:9"]), queue: .folder(path, limits))
        publisher.publish(record(0))
        publisher.publish(record(1))
        #expect(publisher.queueFailure == .noSpace(reserve: .max / 2) && publisher.dropped == 2)
    }

    @Test func `a publisher says how long its thread has been held up`() throws {
        let time = Lock(Duration.zero)
        let publisher = try LocationPublisher(
            targets(["tcp-listen://192.0.2.1:9"]), queue: .memory(), clock: { time.withLock { $0 } })
        #expect(publisher.isResponsive(within: .zero))
        time.withLock { $0 = .seconds(60) }
        // The thread waits by the real clock, and has noticed nothing yet, or is awake.
        publisher.retryNow()
        let limit = ContinuousClock.now + .seconds(60)
        while !publisher.isResponsive(within: .seconds(1)), ContinuousClock.now < limit { sched_yield() }
        #expect(publisher.isResponsive(within: .seconds(1)))
    }

    @Test func `a publisher that is released ends its thread at once`() throws {
        let publisher = try LocationPublisher(targets(["udp://host.invalid"]), queue: .memory())
        publisher.publish(record(0))
    }
}
