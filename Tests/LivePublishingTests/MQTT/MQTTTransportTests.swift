import Foundation
import LocationCore
@testable import LocationPublishing
import LocationTesting
import LocwatchPlatform
import TestSupport
import Testing

/// Deliveries over MQTT to a broker that fails as a script says.
@Suite(.serialized, .alone) struct MQTTTransportTests {
    /// A delivery and its broker, on the test's own time.
    private final class Run {
        let broker: LoopbackBroker
        let queue: PositionQueue
        let transport: MQTTTransport
        let delivery: TargetDelivery
        var now = Duration.zero
        let wallClock = WallClock()

        init(
            _ script: [[BrokerFault]] = [], count: UInt64 = 3, _ target: (any MQTTTarget)? = nil
        ) throws {
            broker = try LoopbackBroker(script)
            queue = PositionQueue(count: count)
            let target =
                try target
                ?? OwnTracksTarget(
                    OwnTracksDevice(user: "anna", device: "boat"), started: Timestamp(secondsSince1970: 1))
            transport = MQTTTransport(try MosquittoConnection(broker.settings), target) { [wallClock] in wallClock.now }
            delivery = TargetDelivery(transport, queue)
        }

        final class WallClock {
            var now = Timestamp(secondsSince1970: 1_773_990_000)
        }

        var isHeld: Bool { if case .held = delivery.status.phase { true } else { false } }

        func step(until isSo: (Run) -> Bool, location: SourceLocation = #_sourceLocation) throws {
            try drive(until: { isSo(self) }, state: "\(delivery.status)", location: location) {
                delivery.step(at: now)
                return ([pollfd(delivery.poll)], delivery.deadline(after: now).map { $0 <= now } == true)
            }
        }

        /// Passes over all waits until everything is delivered, and returns their causes.
        func causesOfWaits() throws -> [String] {
            var causes: [String] = []
            try step {
                if case .waiting(let cause, let until) = $0.delivery.status.phase {
                    causes.append(cause)
                    $0.now = until
                }
                return $0.delivery.status.isComplete
            }
            return causes
        }

        /// The latitudes of the positions that the broker has received, which are the numbers of the records.
        var received: [String] {
            broker.state.published.map { message in
                let text = String(decoding: message.payload, as: UTF8.self)
                guard let start = text.range(of: "\"lat\":")?.upperBound else { return "?" }
                return String(text[start...].prefix { $0.isNumber })
            }
        }
    }

    /// A target whose messages depend on the number of the record.
    private struct NumberedTarget: MQTTTarget {
        let backlog = BacklogOrder.ordered
        let encode: @Sendable (Double?) -> [MQTTMessage]

        func messages(for record: PublishRecord, isOld: Bool) -> [MQTTMessage] {
            encode(record.location?.coordinate.latitude)
        }
    }

    // MARK: Failures

    @Test func `a lost acknowledgement is noticed although a later one has arrived, and its record is sent again`()
        throws
    {
        let run = try Run([[.losesAcknowledgement(of: 2)]])
        try run.step { $0.delivery.low == 1 && $0.delivery.status.taken == 2 }
        run.now = .seconds(31)
        try run.step { $0.delivery.status.obstacle != nil }
        #expect(
            run.delivery.status.obstacle
                == "connection lost: a message was not acknowledged within 30.0 seconds")
        run.now = .seconds(60)
        try run.step { $0.delivery.status.isComplete }
        #expect(run.received == ["0", "1", "2", "1"] && run.delivery.low == 3)
    }

    @Test(arguments: [[BrokerFault.closes(atPacket: 3)], [.cutsAnswers(after: 6)], [.closes(atPacket: 1)]])
    func `what was in flight when a connection ended is sent again`(faults: [BrokerFault]) throws {
        let run = try Run([faults])
        try run.step { $0.delivery.status.obstacle != nil }
        run.now = .seconds(10)
        try run.step { $0.delivery.status.isComplete }
        #expect(Set(run.received) == ["0", "1", "2"] && run.delivery.low == 3)
        #expect(run.delivery.status.taken == 3)
    }

    @Test(arguments: [(UInt8(3), false), (4, true), (5, true)])
    func `a refused client is held, unless the broker is not available`(code: UInt8, isHeld: Bool) throws {
        let run = try Run([[.refuses(code: code)]])
        try run.step { $0.delivery.status.obstacle != nil }
        #expect(run.isHeld == isHeld)
    }

    @Test(arguments: [
        (UInt8(0x87), true, "not authorized"), (0x90, true, "the topic is not valid"), (0x97, false, "quota exceeded"),
    ])
    func `a refused message holds the target with the reason, and one beyond a limit is sent again soon`(
        code: UInt8, isHeld: Bool, reason: String
    ) throws {
        let run = try Run([[.refusesMessages(to: "owntracks/anna/boat", reason: code)], []])
        try run.step { $0.delivery.status.obstacle != nil }
        #expect(run.delivery.status.obstacle == "the broker refused a message to owntracks/anna/boat: \(reason)")
        #expect(run.isHeld == isHeld && run.delivery.status.taken == 0)
        // Several refusals at once are one failure.
        for _ in 0..<50 { run.delivery.step(at: run.now) }
        if !isHeld, case .waiting(_, let until) = run.delivery.status.phase { #expect(until <= .milliseconds(500)) }
        // The connection is still open, and takes what is not refused.
        #expect(run.transport.poll.descriptor >= 0 && run.broker.state.clients.count == 1)
    }

    @Test func `a record whose content a broker refuses five times is set aside, and the others are sent`() throws {
        // A record of which two messages are refused is one.
        let target = NumberedTarget { number in
            number == 1 ? [MQTTMessage("secret", [1]), MQTTMessage("secret", [2])] : [MQTTMessage("open", [])]
        }
        for fault in [
            BrokerFault.refusesMessages(to: "secret", reason: 0x99), .disconnects(atMessageTo: "secret", reason: 0x99),
        ] {
            let run = try Run(Array(repeating: [fault], count: 8), target)
            try run.step {
                if $0.delivery.status.obstacle != nil { $0.now += .seconds(300) }
                return $0.delivery.status.isComplete
            }
            #expect(run.delivery.status.taken == 2 && run.delivery.status.rejected == 1)
        }
    }

    @Test func `a broker without MQTT 5 that ends the connection at a message three times refuses it`() throws {
        let faults = [BrokerFault.refusesVersion5, .disconnects(atMessageTo: "owntracks/anna/boat", reason: 0x87)]
        let run = try Run(Array(repeating: faults, count: 8))
        try run.step {
            if case .waiting(_, let until) = $0.delivery.status.phase { $0.now = until }
            return $0.isHeld
        }
        #expect(
            run.delivery.status.obstacle == "the broker ends the connection at a message to owntracks/anna/boat")
        #expect(run.broker.state.clients.count == 6 && run.now < .seconds(3))
        // Then the ends are counted anew.
        run.now += .seconds(300)
        try run.step { $0.broker.state.clients.count == 8 && $0.delivery.status.phase != .connecting }
        try run.step { $0.delivery.status.phase != .connected }
        #expect(!run.isHeld)
    }

    @Test func `a second connection that ends at once suggests that another client has the same name`() throws {
        let run = try Run([[.closes(atPacket: 3)], [.closes(atPacket: 3)], []], count: 6)
        #expect(
            try run.causesOfWaits() == [
                "connection lost: the broker closed the connection", "closed: another client may have the name test",
            ])
    }

    @Test func `a connection that is lost before the broker has accepted the client says nothing about its name`()
        throws
    {
        let run = try Run([[.closes(atPacket: 3)], [.closes(atPacket: 1)], []])
        #expect(
            try run.causesOfWaits() == [
                "connection lost: the broker closed the connection",
                "connection lost: the server closed the connection without an answer",
            ])
    }

    @Test func `a goodbye that a broker does not read is waited for after the messages, two seconds each`() throws {
        let peer = LoopbackPeer()
        peer.listen()
        let settings = MQTTSettings(host: "127.0.0.1", port: peer.port, clientID: "test")
        let large = MQTTMessage("a/b", [UInt8](repeating: 0, count: 1 << 20), quality: .atMostOnce)
        let target = NumberedTarget { _ in Array(repeating: large, count: 16) }
        let connection = try MosquittoConnection(settings)
        let rig = TransportRig(MQTTTransport(connection, target) { .now })
        // The address of the first family is missing, which a step finds out.
        try rig.step { connection.peer != nil }
        peer.accept()
        // The broker accepts the client, and reads nothing.
        peer.send("\u{20}\u{3}\u{0}\u{0}\u{0}")
        try rig.step { rig.events == [.opened(isAccepted: true)] }
        rig.send(1)
        rig.transport.close(at: .seconds(1))
        for (now, isClosed) in [
            (Duration.milliseconds(2999), false), (.seconds(3), false), (.milliseconds(4999), false),
        ]
            + [(.seconds(5), true)]
        {
            rig.step(at: now)
            #expect(rig.events.contains(.closed) == isClosed, "after \(now)")
        }
    }

    @Test func `Home Assistant's target is held if the broker refuses its discovery`() throws {
        let target = HomeAssistantTarget(name: "boat", version: "1")
        let topic = try #require(target.greeting().first?.topic)
        let run = try Run([[.refusesMessages(to: topic, reason: 0x87)]], count: 1, target)
        try run.step { $0.isHeld }
        #expect(run.delivery.status.obstacle == "the broker refused a message to \(topic): not authorized")
    }

    @Test func `a record whose messages can never be sent is refused`() throws {
        let target = NumberedTarget { _ in [MQTTMessage("a", []), MQTTMessage("a/#", [])] }
        let run = try Run(count: 1, target)
        try run.step { $0.delivery.status.obstacle != nil }
        #expect(run.delivery.status.obstacle?.contains("cannot be sent") == true)
    }

    @Test(arguments: [(Duration.seconds(5) - .nanoseconds(1), true), (.seconds(5), false)])
    func `an end with a reason is the answer to a message of the last five seconds, and not to an older one`(
        now: Duration, isAnswer: Bool
    ) throws {
        let run = try Run([[.losesAcknowledgement(of: 1)]], count: 1)
        try run.step { $0.broker.state.published.count == 1 }
        run.now = now
        // A goodbye of the broker, because the client is not authorized.
        run.broker.send([0xE0, 2, 0x87, 0], on: 0)
        try run.step { $0.delivery.status.obstacle != nil }
        let cause = "the broker ended the connection at a message to owntracks/anna/boat: not authorized"
        #expect((run.delivery.status.obstacle == cause) == isAnswer && run.isHeld)
        #expect(run.delivery.status.queued == 1)
    }

    @Test(
        arguments: [
            (
                [0x40, 2, 0, 1, 0x40, 3, 0, 2, 0x87],
                "the broker refused a message to owntracks/anna/boat: not authorized"
            ),
            (
                [0x40, 2, 0, 1, 0xE0, 2, 0x87, 0],
                "the broker ended the connection at a message to owntracks/anna/boat: not authorized"
            ),
        ] as [([UInt8], String)])
    func `a record that was acknowledged together with the refusal of the next one counts before that`(
        packets: [UInt8], cause: String
    ) throws {
        let run = try Run([[.losesAcknowledgement(of: 1), .losesAcknowledgement(of: 2)]], count: 2)
        try run.step { $0.broker.state.published.count == 2 }
        run.broker.send(packets, on: 0)
        var events: [DeliveryEvent] = []
        try drive(until: { events.count >= 2 }, state: "\(events)") {
            run.transport.step(at: .zero) { events.append($0) }
            return ([pollfd(run.transport.poll)], false)
        }
        #expect(events.prefix(2) == [.decided(.taken, numbers: [0]), .decided(.refused(cause: cause), numbers: [1])])
    }

    // MARK: Records

    @Test func `all records arrive in order, with at most 20 in flight`() throws {
        let run = try Run([[.acknowledgesLate(.milliseconds(20))]], count: 80)
        var most = 0
        try run.step {
            if $0.delivery.status.phase == .connected { most = max(most, 20 - $0.transport.room) }
            return $0.delivery.status.isComplete
        }
        #expect(run.received == (0..<80).map(String.init) && most == 20 && run.transport.room == 20)
        // Nothing is due before the connection is maintained.
        #expect(run.transport.deadline == .seconds(6))
        #expect(run.delivery.low == 80)
    }

    @Test func `a record counts when all of its messages are acknowledged, and one without messages at once`() throws {
        let target = NumberedTarget { number in
            switch number {
            case 0: []
            case 1: [MQTTMessage("a", [1]), MQTTMessage("b", [2], quality: .atMostOnce)]
            default: [MQTTMessage("a", [3]), MQTTMessage("b", [4])]
            }
        }
        let run = try Run([[.losesAcknowledgement(of: 4)]], target)
        try run.step { $0.delivery.low == 2 && $0.broker.state.published.count == 4 }
        #expect(run.delivery.status.queued == 1)
    }

    // MARK: Connection

    @Test func `the will has the time of its own connection`() throws {
        let run = try Run([[.closes(atPacket: 1)]], count: 1)
        try run.step { $0.delivery.status.obstacle != nil }
        run.now = .seconds(10)
        run.wallClock.now = Timestamp(secondsSince1970: 1_773_990_010)
        try run.step { $0.delivery.status.isComplete }
        let wills = run.broker.state.clients.compactMap { $0.will.map { String(decoding: $0.payload, as: UTF8.self) } }
        // The first connection was closed before its client was admitted.
        #expect(wills == [#"{"_type":"lwt","tst":1773990010}"#])
    }

    @Test func `Home Assistant is greeted after each connection and when it starts, and gets a farewell`() async throws
    {
        let target = HomeAssistantTarget(name: "boat", version: "1")
        let run = try Run(count: 1, target)
        let greeting = target.greeting()
        try run.step { $0.delivery.status.isComplete && $0.broker.state.published.count == greeting.count + 1 }
        #expect(Array(run.broker.state.published.prefix(greeting.count)) == greeting)
        #expect(run.broker.state.subscriptions.map(\.filter) == ["homeassistant/status"])
        run.broker.publish(MQTTMessage("homeassistant/status", Array("online".utf8)))
        try run.step { $0.broker.state.published.count == 2 * greeting.count + 1 }
        #expect(Array(run.broker.state.published.suffix(greeting.count)) == greeting)
        run.delivery.finish(by: .zero)
        try run.step { $0.delivery.isClosed }
        #expect(run.broker.state.published.last == target.farewell().first)
        let broker = run.broker
        try await broker.wait(for: "the goodbye") { $0.goodbyes == 1 }
        #expect(broker.state.publishedWills.isEmpty)
    }

    @Test func `a farewell that is not acknowledged holds up the end for 2 s at most`() async throws {
        let target = HomeAssistantTarget(name: "boat", version: "1")
        let run = try Run([[.losesAcknowledgement(of: target.greeting().count + 2)]], count: 1, target)
        try run.step { $0.delivery.status.isComplete }
        run.delivery.finish(by: .zero)
        run.delivery.step(at: .zero)
        #expect(run.transport.deadline.map { $0 <= .seconds(2) } == true && !run.delivery.isClosed)
        // An answer during the goodbye would make the entities available again.
        run.broker.publish(MQTTMessage("homeassistant/status", Array("online".utf8)))
        run.now = .seconds(2)
        try run.step { $0.delivery.isClosed }
        let (broker, farewell) = (run.broker, target.farewell().first)
        try await broker.wait(for: "the farewell") { $0.published.last == farewell }
    }

    @Test func `the end waits for what is in flight, at most two seconds, and then says goodbye`() async throws {
        let run = try Run([[.losesAcknowledgement(of: 1)]], count: 1)
        let broker = run.broker
        try run.step { $0.broker.state.published.count == 1 }
        run.transport.close(at: .seconds(1))
        var events: [DeliveryEvent] = []
        for now in [Duration.seconds(1), .milliseconds(2999)] {
            run.transport.step(at: now) { events.append($0) }
            #expect(run.transport.room == 0 && events.isEmpty && run.broker.state.goodbyes == 0)
        }
        run.transport.step(at: .seconds(3)) { events.append($0) }
        try await broker.wait(for: "the goodbye") { $0.goodbyes == 1 }
    }

    @Test func `a transport without a connection ends at once`() throws {
        let run = try Run()
        #expect(run.transport.room == 0 && run.transport.poll.descriptor == -1)
        var events: [DeliveryEvent] = []
        run.transport.close(at: .zero)
        #expect(run.transport.deadline == .zero)
        run.transport.step(at: .zero) { events.append($0) }
        #expect(events == [.closed])
    }

    @Test func `a connection that has lasted ten seconds does not end because of another client`() throws {
        let run = try Run([[.closes(atPacket: 3)], [], []], count: 6)
        var causes: [String] = []
        try run.step { $0.delivery.status.obstacle != nil }
        run.now = .seconds(5)
        try run.step { $0.delivery.status.isComplete }
        run.now = .seconds(15)
        run.broker.end(1)
        try run.step {
            if let obstacle = $0.delivery.status.obstacle { causes.append(obstacle) }
            return !causes.isEmpty
        }
        #expect(causes.first == "connection lost: the broker closed the connection")
    }
}
