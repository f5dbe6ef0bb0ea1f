import LocationCore
import LocationPublishing
import LocationPublishingTesting
import LocationTesting
import Synchronization
import TestSupport
import Testing

@Suite(.serialized, .alone) struct ScriptedDeliveryTests {
    private func record(_ second: Int) -> PublishRecord {
        let time = Timestamp(secondsSince1970: 1_700_000_000 + Double(second))
        let location = Location(coordinate: Coordinate(latitude: 1, longitude: 2), timestamp: time)
        return PublishRecord(.moved, created: time, location: location)
    }

    private func publisher(
        over delivery: ScriptedDelivery, targets: [String] = ["http://h/?lat=%{lat}"]
    ) throws -> LocationPublisher {
        let options = TargetOptions(hostName: "boat", version: "1", started: Timestamp(secondsSince1970: 0))
        return try LocationPublisher(try PreparedTarget.prepare(targets, options), over: delivery)
    }

    @Test func `records go to the script in order, for each target`() async throws {
        let delivery = ScriptedDelivery()
        let publisher = try publisher(over: delivery, targets: ["http://a/?lat=%{lat}", "http://b/?lat=%{lat}"])
        for second in 1...3 { publisher.publish(record(second)) }
        try await delivery.untilTaken(6)
        for target in Set(delivery.attempts.map(\.target)) {
            let records = delivery.attempts.filter { $0.target == target }.map(\.record)
            #expect(records == (1...3).map(record))
        }
        let statuses = await publisher.finish(within: .seconds(10))
        #expect(statuses.map(\.delivery.taken) == [3, 3])
    }

    @Test func `an answer may depend on the attempts so far`() async throws {
        let known = Mutex<ScriptedDelivery?>(nil)
        let delivery = ScriptedDelivery { _, _ in
            known.withLock { $0 }?.attempts.isEmpty == true ? .later("the first one") : .taken
        }
        known.withLock { $0 = delivery }
        let publisher = try publisher(over: delivery)
        #expect(try await publisher.publish(record(1), within: .seconds(60)) == [.taken])
        #expect(try await publisher.publish(record(2), within: .seconds(60)) == [.taken])
        known.withLock { $0 = nil }
    }

    @Test func `a refusal, a later time and a lost connection are those of a real target`() async throws {
        let delivery = ScriptedDelivery(Array(repeating: .rejected("too large"), count: 5) + [.taken])
        let publisher = try publisher(over: delivery)
        publisher.publish(record(1))
        publisher.publish(record(2))
        try await eventually(
            "the refusals",
            { () -> UInt64 in
                publisher.retryNow()
                return publisher.statuses[0].delivery.rejected
            }, is: { $0 == 1 })
        try await delivery.untilTaken(within: .seconds(60))
        var repeated = record(1)
        repeated.isRepeated = true
        let again = Array(repeating: repeated, count: 4)
        #expect(delivery.attempts.map(\.record) == [record(1)] + again + [record(2)])

        for answer in [ScriptedDelivery.Answer.later("busy"), .lost("no route to host"), .refused("no such user")] {
            let delivery = ScriptedDelivery([answer, .taken])
            let publisher = try self.publisher(over: delivery)
            publisher.publish(record(1))
            try await eventually("the obstacle", { publisher.statuses.first?.delivery.lastObstacle }, is: { $0 != nil })
            publisher.retryNow()
            try await delivery.untilTaken(within: .seconds(60))
            #expect(delivery.attempts.map(\.record) == [record(1), repeated])
            #expect(delivery.attempts.map(\.answer) == [answer, .taken])
        }
    }

    @Test func `a target that never answers keeps its record queued, and a wait says what was sent`() async throws {
        let delivery = ScriptedDelivery { _, _ in .never }
        let publisher = try publisher(over: delivery)
        publisher.publish(record(1))
        try await eventually("the attempt", { delivery.attempts.count }, is: { $0 == 1 })
        #expect(publisher.statuses.first?.delivery.queued == 1)
        let failure = try await expectFailure { try await delivery.untilTaken(within: .zero) }
        #expect(failure.message.contains("moved to http://h/"))
        #expect(failure.message.contains("never"))
    }

    @Test func `answers of a scripted HTTP session are compared and described`() throws {
        #expect(ScriptedHTTPAnswer.status(200, "ok") == .status(200, "ok"))
        #expect(ScriptedHTTPAnswer.status(200, after: .seconds(1)) != .status(200))
        #expect("\(ScriptedHTTPAnswer.status(503, "busy", after: .seconds(2)))" == "503, 4 bytes after 2.0 seconds")
        #expect("\(ScriptedHTTPAnswer.never)" == "never")
        #expect("\(ScriptedHTTPAnswer.error(.cancelled))" == "\(HTTPError.cancelled)")
        let url = try HTTPURL("http://example.org/pub?token=secret")
        #expect("\(HTTPRequest(.get, url))" == "GET http://example.org/pub?…")
    }
}
