import Glibc
import LocationCore
import LocationPublishing
import LocationTesting
import TestSupport
import Testing

/// Tests of a fleet's source over a real mosquitto.
@Suite(.serialized, .withFew) struct FleetTests {
    private static let limit = Duration.seconds(60)

    @Test func `each position of a hundred devices arrives once, and a will is a loss, but no goodbye`() async throws {
        // By default mosquitto drops what a subscriber does not take at once.
        let server = try MosquittoServer(["max_queued_messages 0"])
        let log = EventLog<LocationEvent>()
        let source = MQTTLocationSource(server.settings("fleet"))
        let task = Task { for try await update in source.updates(for: .everything) { log.append(update.event) } }
        defer { task.cancel() }
        _ = try await log.wait(for: "the connection", within: Self.limit) {
            $0.contains(.searching(.connected(release: nil)))
        }
        var settings = server.settings("publisher")
        settings.will = MQTTMessage("owntracks/fleet/d7/status", Array("offline".utf8))
        var publisher: ConnectionDriver? = try .opened(settings)
        var events: [LocationEvent] = []
        for second in 1...20 {
            for device in 0..<100 { try publisher?.write(Self.location("d\(device)", second)) }
            // A session of a task drops what its consumer does not take, so the next second waits for this one.
            events = try await log.wait(for: "the positions of second \(second)", within: Self.limit) {
                $0.count { $0.location != nil } == 100 * second
            }
        }
        let positions = events.compactMap(\.location)
        #expect(Set(positions.map { "\($0.device ?? "-") \($0.timestamp?.secondsSince1970 ?? 0)" }).count == 2000)
        #expect(positions.allSatisfy { !$0.isLate })
        settings = server.settings("polite")
        settings.will = MQTTMessage("owntracks/fleet/d8/status", Array("offline".utf8))
        let polite = try ConnectionDriver.opened(settings)
        polite.connection.close(at: .zero)
        try polite.run { $0.events.contains(.closed) }
        // Closes the socket without a goodbye, so that the broker publishes the will.
        publisher = nil
        let lost = "owntracks/fleet/d7"
        events = try await log.wait(for: "the loss", within: Self.limit) {
            $0.contains(.searching(.deviceLost(path: lost), device: lost))
        }
        #expect(events.count { if case .searching(.deviceLost, _) = $0 { true } else { false } } == 1)
    }

    @Test func `a session goes on after the broker was killed and started again`() async throws {
        let server = try MosquittoServer()
        let log = EventLog<LocationEvent>()
        let source = MQTTLocationSource(server.settings("fleet"))
        let task = Task { for try await update in source.updates(for: .everything) { log.append(update.event) } }
        defer { task.cancel() }
        func waitForConnections(_ count: Int) async throws {
            _ = try await log.wait(for: "connection \(count)", within: Self.limit) {
                $0.count { $0 == .searching(.connected(release: nil)) } == count
            }
        }
        try await waitForConnections(1)
        server.kill()
        _ = try await log.wait(for: "the failure", within: Self.limit) {
            $0.contains { if case .failure(.broker, .some) = $0 { true } else { false } }
        }
        try server.start()
        try await waitForConnections(2)
        try ConnectionDriver.opened(server.settings("publisher")).write(Self.location("boat", 1))
        _ = try await log.wait(for: "a position", within: Self.limit) { $0.contains { $0.location != nil } }
    }

    private static func location(_ device: String, _ second: Int) -> MQTTMessage {
        let text = #"{"_type":"location","lat":45.5,"lon":7.5,"tst":\#(1_795_161_600 + second)}"#
        return MQTTMessage("owntracks/fleet/\(device)", Array(text.utf8), quality: .atMostOnce)
    }
}

extension ConnectionDriver {
    /// Publishes a message and writes it to the socket.
    fileprivate func write(_ message: MQTTMessage) throws {
        try publish(message)
        try run { $0.connection.poll.events & Int16(POLLOUT) == 0 }
    }
}
