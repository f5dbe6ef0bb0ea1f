import LocationCore
@testable import LocationPublishing
import LocationTesting
import LocwatchPlatform
import Synchronization
import TestSupport
import Testing

@Suite(.serialized, .alone) struct MQTTLocationSourceTests {
    private static let limit = Duration.seconds(60)

    private static let conformance = LocationProviderConformance("a source over a scripted broker", patience: limit) {
        let broker = try LoopbackBroker()
        let source = MQTTLocationSource(settings(broker), reconnects: false)
        let second = Atomic(0)
        return ConformanceSubject(
            source,
            emit: {
                // A client that is cancelled before it has subscribed never does.
                try await eventually("a subscription on each connection", within: limit) {
                    (state: broker.state, open: connections(to: broker.port))
                } is: {
                    !$0.state.clients.isEmpty && $0.state.subscriberCount == $0.open
                }
                let now = second.add(1, ordering: .relaxed).newValue
                broker.publish(location(now))
            },
            fail: {
                for connection in 0..<broker.state.clients.count { broker.end(connection) }
                return .broker(
                    address: "127.0.0.1:\(broker.port)", cause: "connection lost: the broker closed the connection")
            },
            runningSessions: { connections(to: broker.port) })
    }

    // A live session ends only by a failure.
    @Test(arguments: MQTTLocationSourceTests.conformance.checks(leavingOut: [.nothingAfterEnd]))
    func `a source over a scripted broker conforms`(check: LocationProviderConformance.Check) async throws {
        try await check.run()
    }

    @Test func `a session subscribes to positions, events and status with the lowest quality`() async throws {
        let broker = try LoopbackBroker()
        let recorder = LocationRecorder(MQTTLocationSource(Self.settings(broker)))
        try await broker.wait(for: "subscriptions", within: .seconds(60)) {
            $0.subscriptions.map(\.filter) == ["owntracks/+/+", "owntracks/+/+/event", "owntracks/+/+/status"]
        }
        #expect(broker.state.subscriptions.allSatisfy { $0.quality == 0 })
        #expect(broker.state.clients.allSatisfy { $0.clientID.hasPrefix("test-") && $0.clientID.utf8.count <= 23 })
        recorder.stop()
        try await broker.wait(for: "a goodbye", within: .seconds(60)) { $0.goodbyes == 1 }
    }

    @Test func `a retained position is known, and the next one is found`() async throws {
        let broker = try LoopbackBroker()
        var old = Self.location(1)
        old.isRetained = true
        broker.publish(old)
        let log = EventLog<LocationEvent>()
        let source = MQTTLocationSource(Self.settings(broker))
        let task = Task {
            for try await update in source.updates(for: .everything) { log.append(update.event) }
        }
        defer { task.cancel() }
        _ = try await log.wait(for: "the known position", within: Self.limit) {
            $0.contains { if case .lastKnown = $0.notice { true } else { false } }
        }
        broker.publish(Self.location(2))
        let events = try await log.wait(for: "a position", within: Self.limit) {
            $0.contains { $0.location != nil }
        }
        #expect(events.compactMap(\.location).map(\.timestamp) == [Timestamp(secondsSince1970: 1_795_161_602)])
        #expect(events.compactMap(\.location).map(\.device) == ["owntracks/anna/boat"])
    }

    @Test func `a wrong password ends a session that does not reconnect, in words`() async throws {
        let broker = try LoopbackBroker([[.refuses(code: 4)]])
        let error = await Self.failure(of: MQTTLocationSource(Self.settings(broker), reconnects: false))
        #expect(
            error
                == .denied(
                    what: "the connection to the broker at 127.0.0.1:\(broker.port)",
                    cause: "the broker refused the user or the password"))
    }

    @Test func `a refused subscription ends the session, in words`() async throws {
        let broker = try LoopbackBroker([[.refusesSubscriptions], [.refusesVersion5], [.refusesSubscriptions]])
        let error = await Self.failure(of: MQTTLocationSource(Self.settings(broker), reconnects: false))
        #expect(
            error
                == .denied(
                    what: "the subscription to owntracks/+/+ at 127.0.0.1:\(broker.port)",
                    cause: "the broker refused the subscription to owntracks/+/+: not authorized"))
        let old = await Self.failure(of: MQTTLocationSource(Self.settings(broker), reconnects: false))
        #expect(
            old
                == .broker(
                    address: "127.0.0.1:\(broker.port)",
                    cause: "the broker refused the subscription to owntracks/+/+: no reason given"))
    }

    // MARK: Helpers of the tests

    private static func settings(_ broker: LoopbackBroker) -> MQTTSettings {
        MQTTSettings(host: "127.0.0.1", port: broker.port, clientID: "test")
    }

    private static func location(_ second: Int) -> MQTTMessage {
        let text = #"{"_type":"location","lat":45.5,"lon":7.5,"tst":\#(1_795_161_600 + second)}"#
        return MQTTMessage("owntracks/anna/boat", Array(text.utf8))
    }

    private static func failure(of source: MQTTLocationSource) async -> LocationError? {
        var iterator = source.updates(for: .everything).makeAsyncIterator()
        do throws(LocationError) {
            while try await iterator.next() != nil {}
            return nil
        } catch {
            return error
        }
    }

    /// Returns the number of connections of this process to a port of this machine.
    private static func connections(to port: UInt16) -> Int {
        (0..<1024).count { SocketAddress.peer(of: $0)?.port == port }
    }
}
