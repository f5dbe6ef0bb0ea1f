import LocationCore
@testable import LocationPublishing
import LocationTesting
import LocwatchPlatform
import LocwatchSupport
import Synchronization
import TestSupport
import Testing

@Suite(.serialized, .withFew) struct MQTTLocationSourceTests {
    private static let limit = Duration.seconds(60)

    private static let conformance = LocationProviderConformance("a source over a scripted broker", patience: limit) {
        let broker = try LoopbackBroker()
        let source = MQTTLocationSource(broker.settings, reconnects: false)
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
    @Test(arguments: MQTTLocationSourceTests.conformance.checks(leavingOut: [.nothingAfterEnd, .measuresLimits]))
    func `a source over a scripted broker conforms`(check: LocationProviderConformance.Check) async throws {
        try await check.run()
    }

    @Test func `a session subscribes to positions, events and status with the lowest quality`() async throws {
        let broker = try LoopbackBroker()
        let recorder = LocationRecorder(MQTTLocationSource(broker.settings))
        try await broker.wait(for: "subscriptions") {
            $0.subscriptions.map(\.filter) == ["owntracks/+/+", "owntracks/+/+/event", "owntracks/+/+/status"]
        }
        #expect(broker.state.subscriptions.allSatisfy { $0.quality == 0 })
        #expect(broker.state.clients.allSatisfy { $0.clientID.hasPrefix("test-") && $0.clientID.utf8.count <= 23 })
        recorder.stop()
        try await broker.wait(for: "a goodbye") { $0.goodbyes == 1 }
    }

    @Test func `a long name of the client is cut, so that the name of each session has the 23 characters of a broker`()
        async throws
    {
        let broker = try LoopbackBroker()
        var settings = broker.settings
        settings.clientID = String(repeating: "x", count: 40)
        let recorders = (0..<2).map { _ in LocationRecorder(MQTTLocationSource(settings)) }
        let names = try await broker.wait(for: "two clients") { $0.clients.count == 2 }.clients.map(\.clientID)
        #expect(names.allSatisfy { $0.utf8.count == 23 && $0.hasPrefix("xxxxxxxx") } && names[0] != names[1])
        recorders.forEach { $0.stop() }
    }

    @Test func `a wrong password ends a session that does not reconnect, in words`() async throws {
        let broker = try LoopbackBroker([[.refuses(code: 4)]])
        #expect(
            await failure(at: broker)
                == .denied(
                    what: "the connection to the broker at 127.0.0.1:\(broker.port)",
                    cause: "the broker refused the user or the password"))
    }

    @Test func `a refused subscription ends the session, in words`() async throws {
        let broker = try LoopbackBroker([[.refusesSubscriptions], [.refusesVersion5], [.refusesSubscriptions]])
        #expect(
            await failure(at: broker)
                == .denied(
                    what: "the subscription to owntracks/+/+ at 127.0.0.1:\(broker.port)",
                    cause: "the broker refused the subscription to owntracks/+/+: not authorized"))
        #expect(
            await failure(at: broker)
                == .broker(
                    address: "127.0.0.1:\(broker.port)",
                    cause: "the broker refused the subscription to owntracks/+/+: no reason given"))
    }

    @Test func `a session whose connection ends says so, waits longer each time, and subscribes again`() async throws {
        let broker = try LoopbackBroker([[.closes(atPacket: 2)], [.refuses(code: 0x88)], [.closes(atPacket: 2)]])
        var options = SessionOptions()
        options.timeouts.retries = RetryPauses(first: .milliseconds(1), longest: .milliseconds(1))
        let source = MQTTLocationSource(broker.settings, filter: "a/+/event", options: options)
        var words: [String] = []
        for try await update in source.updates(for: .everything) {
            switch update.event {
            case .searching(.connecting(let attempt), _): words.append("attempt \(attempt)")
            case .searching(let reason, _): words.append(reason.code)
            case .failure: words.append("failure")
            case .authorization(let authorization): words.append("\(authorization)")
            default: break
            }
            if update.event == .searching(.connected(release: nil)) { break }
        }
        #expect(words.last == "connected" && words.count(where: { $0 == "failure" }) == 3)
        #expect(words.filter { $0.hasPrefix("attempt") } == (1...4).map { "attempt \($0)" })
        #expect(broker.state.subscriptions.last?.filter == "a/+/event")
        #expect(Set(broker.state.clients.map(\.clientID)).count == 1)
    }

    @Test(arguments: [(Duration.milliseconds(9999), [1, 2, 3, 4]), (.seconds(10), [1, 2, 2, 2])])
    func `the attempts are counted anew after a connection that has lasted ten seconds`(
        life: Duration, expected: [Int]
    ) async throws {
        let broker = try LoopbackBroker([[], [], [], []])
        let elapsed = Lock(Duration.zero)
        var options = SessionOptions()
        options.timeouts.retries = RetryPauses(first: .milliseconds(1), longest: .milliseconds(1))
        options.clock = SessionClock(
            elapsed: { elapsed.withLock { $0 } }, wall: { .testEpoch.advanced(by: $0) },
            sleepUntil: { _ in try await Task.sleep(for: .seconds(1000)) })
        var (attempts, failures, connections) = ([Int](), 0, 0)
        let source = MQTTLocationSource(broker.settings, filter: "a/+", options: options)
        for try await update in source.updates(for: .everything) {
            switch update.event {
            case .searching(.connecting(let attempt), _): attempts.append(attempt)
            case .searching(.connected, _):
                elapsed.withLock { $0 += life }
                broker.end(connections)
                connections += 1
            case .failure:
                failures += 1
                elapsed.withLock { $0 += .milliseconds(2) }
            default: break
            }
            if attempts.count == 4 { break }
        }
        #expect(attempts == expected && failures == 3)
    }

    // MARK: Helpers of the tests

    private static func location(_ second: Int) -> MQTTMessage {
        let text = #"{"_type":"location","lat":45.5,"lon":7.5,"tst":\#(1_795_161_600 + second)}"#
        return MQTTMessage("owntracks/anna/boat", Array(text.utf8))
    }

    /// Returns the error that ends a session that does not reconnect.
    private func failure(at broker: LoopbackBroker) async -> LocationError? {
        let source = MQTTLocationSource(broker.settings, reconnects: false)
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
