import Glibc
import LocationCore
import LocationPublishing
import LocwatchPlatform
import TestSupport
import Testing

@Suite(.serialized, .alone) struct HTTPPublishingTests {
    /// A publisher and its server.
    private struct Rig {
        let server: AnsweringServer
        let publisher: LocationPublisher

        init(_ answers: [AnsweringServer.Answer], change: (inout TargetOptions) -> Void = { _ in }) throws {
            // A proxy of the environment must not see the requests.
            setenv("no_proxy", "127.0.0.1", 1)
            server = try AnsweringServer(answers)
            var options = TargetOptions(hostName: "boat", version: "1", started: Timestamp(secondsSince1970: 0))
            change(&options)
            let word = try TargetWord("http://127.0.0.1:\(server.port)/?n=%{lat:.0}")
            let targets = try PreparedTarget.prepare([word], options)
            publisher = try LocationPublisher(targets, queue: .memory())
        }

        var status: DeliveryStatus { publisher.statuses[0].delivery }

        func publish(_ numbers: ClosedRange<Int>) {
            for number in numbers {
                let time = Timestamp(secondsSince1970: 1_700_000_000 + Double(number))
                let place = Coordinate(latitude: Double(number), longitude: 0)
                publisher.publish(
                    PublishRecord(.moved, created: time, location: Location(coordinate: place, timestamp: time)))
            }
        }

        /// Waits until a condition holds, for 60 s at most, without holding up the tasks that send the requests.
        func wait(_ condition: (DeliveryStatus) -> Bool) async throws {
            let limit = ContinuousClock.now + .seconds(60)
            while !condition(status), ContinuousClock.now < limit { try await Task.sleep(for: .milliseconds(5)) }
            #expect(condition(status), "\(status)")
        }

    }

    private func line(_ number: Int) -> String { "GET /?n=\(number) HTTP/1.1" }

    @Test(arguments: [408, 425, 429, 500, 502, 503])
    func `a temporary status is tried again, and the order of the records is kept`(status: Int) async throws {
        let rig = try Rig([.status(200), .status(status)])
        defer { rig.server.stop() }
        rig.publish(1...4)
        try await rig.wait { $0.taken == 4 }
        #expect(rig.server.lines == [1, 2, 2, 3, 4].map(line))
        #expect(rig.status.dropped == 0 && rig.status.rejected == 0)
    }

    @Test func `a connection that ends without an answer is tried again`() async throws {
        let rig = try Rig([.closed])
        defer { rig.server.stop() }
        rig.publish(1...2)
        try await rig.wait { $0.taken == 2 }
        #expect(Set(rig.server.lines) == [line(1), line(2)] && rig.server.lines.last == line(2))
    }

    @Test(arguments: [301, 400, 401, 403, 404, 413, 422])
    func `a refusal holds the target with its reason, and nothing is lost`(status: Int) async throws {
        let rig = try Rig([.status(status), .status(status)])
        defer { rig.server.stop() }
        rig.publish(1...3)
        try await rig.wait { if case .held = $0.phase { true } else { false } }
        #expect(rig.status.obstacle == "the server answered with status \(status)")
        #expect(rig.server.lines == [line(1)] && rig.status.queued == 3)
        rig.publisher.retryNow()
        try await rig.wait { _ in rig.server.lines.count == 2 }
        try await rig.wait { if case .held = $0.phase { true } else { false } }
        rig.publisher.retryNow()
        try await rig.wait { $0.taken == 3 }
        #expect(rig.server.lines == [1, 1, 1, 2, 3].map(line))
    }

    @Test func `a refused record is skipped and counted if that is wanted`() async throws {
        let rig = try Rig([.status(200), .status(422), .status(413)], change: { $0.skipsRejected = true })
        defer { rig.server.stop() }
        rig.publish(1...5)
        try await rig.wait { $0.isComplete && $0.taken == 3 }
        #expect(rig.status.rejected == 2 && rig.server.lines == (1...5).map(line))
    }

    @Test func `records wait while no server is there, and the end does not wait for it`() async throws {
        let rig = try Rig([])
        rig.publish(1...1)
        try await rig.wait { $0.taken == 1 }
        rig.server.stop()
        rig.publish(2...5)
        try await rig.wait { $0.obstacle != nil }
        #expect(rig.status.queued == 4)
        await rig.publisher.finish(within: .zero)
        #expect(rig.status.queued == 4)
    }
}
