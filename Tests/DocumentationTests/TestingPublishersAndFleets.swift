import BrokerSimulation
import LocationCore
import LocationPublishing
import LocationTesting
import LocationTransports
import Testing

struct PublisherAndFleetTests {
    func makePublisher(to broker: LoopbackBroker) throws -> LocationPublisher {
        let options = TargetOptions(hostName: "boat", version: "1.0", started: .testEpoch)
        let target = "mqtt://127.0.0.1:\(broker.port)/owntracks/anna/boat"
        return try LocationPublisher(try PreparedTarget.prepare([target], options), queue: .memory())
    }

    func positions(_ broker: ScriptedBroker) -> [MQTTMessage] {
        broker.published.filter { $0.topic == "owntracks/anna/boat" }
    }

    let here = PublishRecord(
        .moved, created: .testEpoch,
        location: Location(coordinate: Coordinate(latitude: 52.5163, longitude: 13.3777), timestamp: .testEpoch))

    @Test func `a position reaches the broker`() async throws {
        let broker = try LoopbackBroker()
        let publisher = try makePublisher(to: broker)
        #expect(try await publisher.publish(here, within: .seconds(30)) == [.taken])
        let message = try #require(positions(broker.state).first)
        #expect(message.isRetained)
        #expect(String(decoding: message.payload, as: UTF8.self).contains(#""lat":52.5163"#))
        await publisher.finish(within: .seconds(5))
    }

    @Test func `a position is sent again after the connection was lost`() async throws {
        let broker = try LoopbackBroker([[.losesAcknowledgement(of: 1)]])
        let publisher = try makePublisher(to: broker)
        publisher.publish(here)
        try await broker.wait(for: "the position", within: .seconds(30)) { positions($0).count == 1 }
        broker.end(0)
        try await broker.wait(for: "the position again", within: .seconds(30)) { positions($0).count == 2 }
        #expect(broker.state.clients.count == 2)
        #expect(await publisher.finish(within: .seconds(30))[0].delivery.isComplete)
    }

    @Test func `a device is found, and lost when it is offline`() async throws {
        let broker = try LoopbackBroker()
        let recorder = LocationRecorder(MQTTLocationSource(broker.settings()))
        try await broker.wait(for: "the subscriptions", within: .seconds(30)) { $0.subscriptions.count == 3 }

        let position = #"{"_type":"location","lat":52.5163,"lon":13.3777,"tst":1795161601}"#
        broker.publish(MQTTMessage("owntracks/anna/boat", Array(position.utf8)))
        broker.publish(MQTTMessage("owntracks/anna/boat/status", Array("offline".utf8)))

        let recording = try await recorder.wait(for: "the loss", within: .seconds(30)) { recording in
            recording.updates.contains { update in
                if case .searching(.deviceLost, _) = update.event { true } else { false }
            }
        }
        #expect(recording.locations.map(\.device) == ["owntracks/anna/boat"])
        recorder.stop()
    }
}
