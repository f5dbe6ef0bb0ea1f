import LocationCore
@testable import LocationPublishing
import LocationTesting
import TestSupport
import Testing

/// Deliveries over an HTTP session that answers from a script.
@Suite(.serialized, .alone) struct HTTPTransportTests {
    private func delivery(
        _ session: ScriptedHTTPSession, _ queue: PositionQueue, limits: HTTPLimits = HTTPLimits()
    ) throws -> TargetDelivery {
        let headers = try HTTPHeaders(["Authorization": "Bearer x", "X-Van": "7"])
        let target = TraccarTarget(try HTTPURL("http://traccar.example:5055/"), id: "van", headers: headers)
        var options = TargetDelivery.Options()
        options.backlogRate = nil
        return TargetDelivery(
            try HTTPTransport(session, target, limits: limits), queue, from: queue.cursor, options: options)
    }

    /// Steps a delivery at a time until a condition holds, as its thread would do at each event.
    private func step(
        _ delivery: TargetDelivery, at now: Duration, until isSo: (TargetDelivery) -> Bool
    ) async throws {
        try await eventually("the state of the delivery", within: .seconds(60)) {
            delivery.step(at: now)
            return delivery.status
        } is: { _ in
            isSo(delivery)
        }
    }

    @Test func `records that a request does not contain are omitted, and a server that was not asked is not connected`()
        async throws
    {
        let session = ScriptedHTTPSession([.response(HTTPResponse(status: 200, body: Array(#"{"result":"ok"}"#.utf8)))])
        let target = try OverlandTarget(HTTPURL("http://overland.example/"), device: "van")
        let queue = PositionQueue(count: 2)
        queue.losses = [0, 1]
        var options = TargetDelivery.Options()
        options.batchSize = target.batchSize
        let delivery = TargetDelivery(
            try HTTPTransport(session, target), queue, from: queue.cursor, options: options)
        try await step(delivery, at: .zero) { $0.status.queued == 0 }
        #expect(session.requests.isEmpty && delivery.status.omitted == 2 && delivery.status.taken == 0)
        #expect(delivery.status.phase == .ready)
        queue.losses.insert(3)
        queue.end = 6
        try await step(delivery, at: .seconds(1)) { $0.status.queued == 0 }
        #expect(session.requests.count == 1 && delivery.status.omitted == 3 && delivery.status.taken == 3)
        #expect(delivery.status.phase == .connected && queue.cursor == .init(low: 6))
    }

    @Test func `an unknown device holds the target and says what to do`() async throws {
        let delivery = try delivery(ScriptedHTTPSession([.status(400)]), PositionQueue(count: 1))
        try await step(delivery, at: .zero) { $0.status.obstacle != nil }
        let cause = "add a device with the identifier van in Traccar"
        #expect(delivery.status.phase == .held(cause: cause, until: .seconds(300)))
    }

    @Test func `a certificate that is not trusted is a refusal, a broken connection is tried again soon`() async throws
    {
        for (error, isHeld) in [
            (HTTPError.tls(host: "h", .untrusted), true), (.connectionLost(host: "h", port: 80, cause: "reset"), false),
        ] {
            let delivery = try delivery(ScriptedHTTPSession([.error(error)]), PositionQueue(count: 1))
            try await step(delivery, at: .zero) { $0.status.obstacle != nil }
            let limit = try #require(delivery.deadline(after: .zero))
            #expect((limit == .seconds(300)) == isHeld, "\(limit)")
        }
    }

    private func redirect(_ status: Int, to target: String) throws -> ScriptedHTTPAnswer {
        .response(HTTPResponse(status: status, headers: try HTTPHeaders(["Location": target])))
    }

    @Test func `a redirect is a refusal that names the new address, and the record stays`() async throws {
        let session = ScriptedHTTPSession([try redirect(307, to: "https://b/x?y"), .status(200)])
        let delivery = try delivery(session, PositionQueue(count: 1))
        try await step(delivery, at: .zero) { $0.status.obstacle != nil }
        #expect(delivery.status.obstacle == "the server answered with status 307: use the address https://b/x")
        #expect(session.requests.count == 1 && delivery.status.taken == 0 && delivery.status.queued == 1)
        #expect(delivery.deadline(after: .zero) == .seconds(300))
    }

    @Test func `a request that must not be sent is a failure, and the session does not see it`() async throws {
        let session = ScriptedHTTPSession([.status(200)])
        let headers = try HTTPHeaders(["Host": "other.example"])
        let target = TraccarTarget(try HTTPURL("http://traccar.example:5055/"), id: "van", headers: headers)
        let queue = PositionQueue(count: 1)
        let delivery = TargetDelivery(try HTTPTransport(session, target), queue, from: queue.cursor)
        try await step(delivery, at: .zero) { $0.status.obstacle != nil }
        #expect(delivery.status.obstacle == "invalid header \"Host\"" && session.requests.isEmpty)
    }

    @Test func `a released transport cancels its request`() async throws {
        let session = ScriptedHTTPSession([.never])
        var delivery: TargetDelivery? = try delivery(session, PositionQueue(count: 1))
        delivery?.step(at: .zero)
        try await session.untilRequested()
        #expect(session.requests[0].state == .waiting)
        delivery = nil
        try await eventually("the cancellation") {
            session.requests[0].state
        } is: {
            $0 == .cancelled
        }
    }

    @Test func `at the end the response that is awaited still counts`() async throws {
        let queue = PositionQueue(count: 2)
        let clock = ManualClock()
        let session = ScriptedHTTPSession([.status(200, after: .seconds(1))], clock: clock)
        let delivery = try delivery(session, queue)
        delivery.step(at: .zero)
        try await session.untilRequested()
        delivery.finish(by: .zero)
        delivery.step(at: .zero)
        #expect(!delivery.isClosed)
        try await clock.untilSleeping()
        clock.advance(by: .seconds(1))
        try await step(delivery, at: .zero) { $0.isClosed }
        #expect(queue.cursor == .init(low: 1) && delivery.status.queued == 1)
    }
}
