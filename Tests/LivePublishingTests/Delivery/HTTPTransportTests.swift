import Glibc
import LocationCore
import LocationPublishingTesting
import LocationTesting
import LocwatchSupport
import TestSupport
import Testing

@testable import LocationPublishing

/// Deliveries over an HTTP session that answers from a script.
@Suite(.serialized, .alone) struct HTTPTransportTests {
    /// Returns a delivery to a target, by default a server that gets the number of each record.
    private func delivery(
        _ session: ScriptedHTTPSession, _ queue: PositionQueue, to target: HTTPTarget? = nil
    ) throws -> TargetDelivery {
        let target = try target ?? HTTPTarget.webhook(PublishTemplate("http://webhook.example/?n=%{lat:.0}"))
        let transport = try HTTPTransport(target) { request, completion in
            let task = Task {
                do throws(HTTPError) {
                    completion(.success(try await session.response(to: request)))
                } catch {
                    completion(.failure(error))
                }
            }
            return { task.cancel() }
        }
        return TargetDelivery(transport, queue, options: .init(batchSize: target.batchSize))
    }

    /// Steps a delivery at a time until a condition holds, as its thread would do at each event.
    private func step(_ delivery: TargetDelivery, at now: Duration, until isSo: (TargetDelivery) -> Bool) async throws {
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
        let target = try HTTPTarget.overland(HTTPURL("http://overland.example/"), device: "van")
        let queue = PositionQueue(count: 2)
        queue.occasions = [0: .lost, 1: .lost]
        let delivery = try delivery(session, queue, to: target)
        try await step(delivery, at: .zero) { $0.status.queued == 0 }
        #expect(session.requests.isEmpty && delivery.status.omitted == 2 && delivery.status.taken == 0)
        #expect(delivery.status.phase == .ready)
        queue.occasions[3] = .lost
        queue.end = 6
        try await step(delivery, at: .seconds(1)) { $0.status.queued == 0 }
        #expect(session.requests.count == 1 && delivery.status.omitted == 3 && delivery.status.taken == 3)
        #expect(delivery.status.phase == .connected && delivery.low == 6)
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503])
    func `a temporary status is tried again, and the order of the records is kept`(status: Int) async throws {
        let session = ScriptedHTTPSession([.status(200), .status(status), .status(200)])
        let delivery = try delivery(session, PositionQueue(count: 4))
        try await step(delivery, at: .zero) { $0.status.obstacle != nil }
        try await step(delivery, at: .seconds(1)) { $0.status.isComplete }
        #expect(session.requests.map(\.request.url.query) == [0, 1, 1, 2, 3].map { "n=\($0)" })
        #expect(delivery.status.taken == 4)
    }

    @Test(arguments: [301, 401, 403, 404])
    func `a refusal holds the target with its reason, and nothing is lost`(status: Int) async throws {
        let session = ScriptedHTTPSession([.status(status), .status(status), .status(200)])
        let delivery = try delivery(session, PositionQueue(count: 3))
        let cause = "the server answered with status \(status)"
        for time in [Duration.zero, .seconds(1)] {
            delivery.retry(at: time)
            try await step(delivery, at: time) { $0.status.phase == .held(cause: cause, until: time + .seconds(300)) }
        }
        delivery.retry(at: .seconds(2))
        try await step(delivery, at: .seconds(2)) { $0.status.isComplete }
        #expect(session.requests.map(\.request.url.query) == [0, 0, 0, 1, 2].map { "n=\($0)" })
        #expect(delivery.status.taken == 3)
    }

    @Test(arguments: [400, 413, 422])
    func `a record that a server refuses as such five times is set aside, and the others are sent`(status: Int)
        async throws
    {
        let session = ScriptedHTTPSession(Array(repeating: .status(status), count: 5) + [.status(200)])
        let delivery = try delivery(session, PositionQueue(count: 3))
        for second in 0..<4 {
            try await step(delivery, at: .seconds(second)) { $0.status.obstacle != nil }
            #expect(delivery.status.obstacle == "the server answered with status \(status)")
            delivery.retry(at: .seconds(second + 1))
        }
        try await step(delivery, at: .seconds(5)) { $0.status.isComplete }
        #expect(session.requests.map(\.request.url.query) == [0, 0, 0, 0, 0, 1, 2].map { "n=\($0)" })
        #expect(delivery.status.taken == 2 && delivery.status.rejected == 1)
    }

    @Test(
        arguments: [
            (.tls(host: "h", .untrusted), true), (.connectionLost(host: "h", port: 80, cause: "reset"), false),
            (.unreachable(host: "h", port: 80, cause: "refused"), false),
        ] as [(HTTPError, Bool)])
    func `a certificate that is not trusted is a refusal, a server that is away is tried again soon`(
        error: HTTPError, isHeld: Bool
    ) async throws {
        let delivery = try delivery(ScriptedHTTPSession([.error(error), .status(200)]), PositionQueue(count: 1))
        try await step(delivery, at: .zero) { $0.status.obstacle != nil }
        #expect((delivery.deadline(after: .zero) == .seconds(300)) == isHeld)
        if !isHeld { try await step(delivery, at: .seconds(1)) { $0.status.isComplete } }
    }

    @Test(
        arguments: [
            (.unreachable(host: "h", port: 80, cause: "refused"), false),
            (.connectionTimeout(limit: .seconds(1)), false),
            (.timeout(limit: .seconds(1)), true), (.connectionLost(host: "h", port: 80, cause: "reset"), true),
        ] as [(HTTPError, Bool)])
    func `a record is marked as repeated after a failure in which the server may have got it`(
        error: HTTPError, isRepeated: Bool
    ) async throws {
        let session = ScriptedHTTPSession([.error(error), .status(500), .status(200)])
        let target = HTTPTarget.traccar(try HTTPURL("http://traccar.example:5055/"), id: "van")
        let delivery = try delivery(session, PositionQueue(count: 2), to: target)
        for second in 0..<2 {
            try await step(delivery, at: .seconds(second)) { $0.status.obstacle != nil }
            delivery.retry(at: .seconds(second + 1))
        }
        try await step(delivery, at: .seconds(3)) { $0.status.isComplete }
        let marks = session.requests.map { $0.request.url.query?.contains("&repeated=true") }
        #expect(marks == [false, isRepeated, true, false])
    }

    @Test func `a redirect is a refusal that names the new address, and the record stays`() async throws {
        let redirect = HTTPResponse(status: 307, headers: ["Location": "https://b/x?y"])
        let session = ScriptedHTTPSession([.response(redirect), .status(200)])
        let delivery = try delivery(session, PositionQueue(count: 1))
        try await step(delivery, at: .zero) { $0.status.obstacle != nil }
        #expect(delivery.status.obstacle == "the server answered with status 307: use the address https://b/x")
        #expect(session.requests.count == 1 && delivery.status.taken == 0 && delivery.status.queued == 1)
        #expect(delivery.deadline(after: .zero) == .seconds(300))
    }

    @Test func `a request that must not be sent is a failure, and the session does not see it`() async throws {
        let session = ScriptedHTTPSession([.status(200)])
        let headers = try HTTPHeaders(["Host": "other.example"])
        let target = HTTPTarget.traccar(try HTTPURL("http://traccar.example:5055/"), id: "van", headers: headers)
        let delivery = try delivery(session, PositionQueue(count: 1), to: target)
        try await step(delivery, at: .zero) { $0.status.obstacle != nil }
        #expect(delivery.status.obstacle == "invalid header \"Host\"" && session.requests.isEmpty)
    }

    @Test func `a transport takes records while no request is in flight, and none after a failure`() throws {
        let completion = Lock<(@Sendable (HTTPTransport.Outcome) -> Void)?>(nil)
        let target = try HTTPTarget.overland(HTTPURL("http://overland.example/"), device: "van")
        let transport = try HTTPTransport(target) { _, done in
            completion.withLock { $0 = done }
            return {}
        }
        #expect(transport.room == 0 && transport.deadline == nil)
        let rig = TransportRig(transport)
        #expect(rig.events == [.opened(isAccepted: false)] && transport.room == target.batchSize)
        rig.send(1)
        #expect(transport.room == 0 && rig.events.count == 1)
        let body = Array(#"{"result":"ok"}"#.utf8)
        completion.withLock { $0 }?(.success(HTTPResponse(status: 200, body: body)))
        var watched = pollfd(transport.poll)
        #expect(poll(&watched, 1, 0) == 1)
        rig.step()
        #expect(rig.tookAll && transport.room == target.batchSize && poll(&watched, 1, 0) == 0)
        rig.send(2)
        completion.withLock { $0 }?(.failure(.timeout(limit: .seconds(1))))
        rig.step()
        #expect(rig.events.count == 3 && transport.room == 0 && transport.deadline == nil)
        rig.open()
        #expect(transport.room == target.batchSize)
        rig.transport.close(at: .zero)
        #expect(transport.room == 0 && transport.deadline == .zero)
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
        #expect(delivery.low == 1 && delivery.status.queued == 1)
    }
}
