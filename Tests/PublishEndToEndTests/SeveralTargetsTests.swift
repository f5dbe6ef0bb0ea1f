import Foundation
import LocationCore
import LocationPublishing
import LocwatchPlatform
import TestSupport
import Testing

@Suite(.serialized, .alone) struct SeveralTargetsTests {
    private func record(_ number: Int) -> PublishRecord {
        let time = Timestamp(secondsSince1970: 1_700_000_000 + Double(number))
        let place = Coordinate(latitude: Double(number) / 1000, longitude: 7)
        return PublishRecord(.moved, created: time, location: Location(coordinate: place, timestamp: time))
    }

    @Test func `two targets at one broker get everything, whatever another broker and another name do`() async throws {
        let server = try MosquittoServer()
        let path = NSTemporaryDirectory() + "locwatch-publisher-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let subscriber = try Subscriber(server.settings("subscriber"), "owntracks/#")
        func wait(_ condition: () -> Bool) async throws {
            let limit = ContinuousClock.now + .seconds(60)
            while !condition(), ContinuousClock.now < limit {
                subscriber.step()
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(condition(), "\(subscriber.messages.count) messages")
        }
        try await wait { subscriber.isReady }
        let words = [
            "mqtt://127.0.0.1:\(server.port)/owntracks/anna/boat", "mqtt+ha://127.0.0.1:\(server.port)",
            "mqtt://127.0.0.1:\(try LoopbackPort.free())/owntracks/anna/down", "udp://host.invalid",
        ]
        var options = TargetOptions(hostName: "boat", version: "1", started: Timestamp(secondsSince1970: 0))
        options.backlogRate = nil
        let targets = try PreparedTarget.prepare(words.map { try TargetWord($0) }, options)
        for run in 0..<2 {
            let publisher = try LocationPublisher(targets, queue: .folder(path))
            try await wait { publisher.statuses.prefix(2).allSatisfy { $0.delivery.phase == .connected } }
            for number in 1...10 { publisher.publish(record(run * 10 + number)) }
            try await wait {
                publisher.statuses.prefix(2).allSatisfy { $0.delivery.isComplete && $0.delivery.taken >= 10 }
            }
            #expect(publisher.statuses[2].delivery.queued == 10 * (run + 1) && publisher.dropped == 0)
            let statuses = await publisher.finish(within: .milliseconds(100))
            #expect(statuses[0].delivery.phase == .closed && publisher.queueFailure == nil)
        }
        // A will would come if a connection had ended without a goodbye.
        try await wait { subscriber.numbers.count >= 20 }
        #expect(subscriber.numbers == Array(1...20))
    }
}
