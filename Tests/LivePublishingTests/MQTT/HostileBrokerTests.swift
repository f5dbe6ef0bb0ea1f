@testable import LocationPublishing
import LocationTesting
import TestSupport
import Testing

/// Servers that answer with something else than a broker should.
@Suite(.serialized, .alone) struct HostileBrokerTests {
    @Test(
        arguments: [
            Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8),
            Array("SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n".utf8), [0, 0, 0, 0], [0x15, 3, 1, 0, 2, 2, 70],
            [0x20, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x20, 0], [0xF0, 0],
            // A refusal with an unknown code.
            [0x20, 3, 0, 77, 0],
            // An acknowledgement and a message before the answer.
            [0x40, 2, 0, 1], [0x30, 5, 0, 1, 0x61, 0x62, 0x63],
        ] as [[UInt8]])
    func `a server that answers with something else is not a broker`(answer: [UInt8]) throws {
        let broker = try LoopbackBroker([[.garbage(answer)]])
        #expect(try ConnectionDriver(port: broker.port).failure() == .notABroker)
    }

    @Test func `an answer that is cut in the middle is a lost connection, and does not keep the thread busy`() throws {
        for count in 1...3 {
            let broker = try LoopbackBroker([[.cutsAnswers(after: count)]])
            guard case .connectionLost = try ConnectionDriver(port: broker.port).failure() else {
                Issue.record("another failure")
                continue
            }
        }
    }

    @Test func `acknowledgements of messages that were never sent, or were acknowledged, mean nothing`() throws {
        let broker = try LoopbackBroker([[.acknowledgesUnsent, .acknowledgesTwice]])
        let driver = try ConnectionDriver.opened(to: broker)
        let numbers = try (0..<3).map { try driver.publish("\($0)") }
        try driver.run { $0.events.count >= 4 }
        let second = try driver.publish("again")
        try driver.run { $0.events.last == .acknowledged(second) }
        #expect(driver.events.dropFirst() == ArraySlice((numbers + [second]).map { .acknowledged($0) }))
    }

    @Test(
        arguments: [
            // A topic with a control character, one that is not UTF-8, one with a zero byte, and an empty one.
            [0x30, 6, 0, 3, 0x61, 0x0A, 0x62, 0x78], [0x30, 5, 0, 2, 0xC3, 0x28, 0x78], [0x30, 4, 0, 1, 0, 0x78],
            [0x30, 2, 0, 0],
            // A length of the topic beyond the packet, a message without a number, and the quality 3.
            [0x30, 3, 0xFF, 0xFF, 0x61], [0x32, 3, 0, 1, 0x61], [0x36, 5, 0, 1, 0x61, 0, 1],
        ] as [[UInt8]])
    func `a malformed message ends the connection`(packet: [UInt8]) throws {
        let broker = try LoopbackBroker()
        let driver = try ConnectionDriver.opened(to: broker)
        _ = try driver.connection.subscribe(["#"], at: .zero)
        broker.send(packet, on: 0)
        broker.publish(MQTTMessage("end", []))
        #expect(try driver.nextFailure() == .connectionLost(cause: "the broker sent a malformed packet"))
        #expect(!driver.events.contains { if case .received = $0 { true } else { false } })
    }

    @Test func `a message without bytes is received as such`() throws {
        let broker = try LoopbackBroker()
        let driver = try ConnectionDriver.opened(to: broker)
        _ = try driver.connection.subscribe(["a/b"], at: .zero)
        try driver.publish("")
        let message = MQTTMessage("a/b", [])
        try driver.run { $0.events.contains(.received(message)) }
        #expect(broker.state.published == [message])
    }

    @Test func `a message of more than 1 MiB is dropped, and the next one arrives`() throws {
        let broker = try LoopbackBroker()
        let driver = try ConnectionDriver.opened(to: broker)
        _ = try driver.connection.subscribe(["#"], at: .zero)
        try driver.run { $0.events.count == 2 }
        let size = MosquittoInbox.sizeLimit
        broker.publish(MQTTMessage("large", [UInt8](repeating: 0x78, count: size)))
        broker.publish(MQTTMessage("too/large", [UInt8](repeating: 0x78, count: size + 1)))
        broker.publish(MQTTMessage("small", [1]))
        try driver.run { $0.events.count == 5 }
        #expect(
            driver.events.suffix(2) == [
                .oversized(topic: "too/large", size: size + 1), .received(MQTTMessage("small", [1])),
            ])
    }

    @Test func `a packet that is larger than any message ends the connection before it is complete`() throws {
        let broker = try LoopbackBroker()
        let driver = try ConnectionDriver.opened(to: broker)
        // 256 MiB are announced, of which 8 MiB follow.
        broker.send([0x30, 0xFF, 0xFF, 0xFF, 0x7F, 0, 1, 0x61] + [UInt8](repeating: 0, count: 8 << 20), on: 0)
        #expect(try driver.nextFailure() == .connectionLost(cause: "the broker sent a packet of more than 2 MiB"))
    }

    @Test func `a flood of large messages is handed on in steps of 1 MiB`() throws {
        let broker = try LoopbackBroker()
        let driver = try ConnectionDriver.opened(to: broker)
        _ = try driver.connection.subscribe(["#"], at: .zero)
        try driver.run { $0.events.count == 2 }
        for _ in 0..<12 { broker.publish(MQTTMessage("a", [UInt8](repeating: 0x78, count: 1 << 18))) }
        var (most, count) = (0, 2)
        try driver.run {
            (most, count) = (max(most, $0.events.count - count), $0.events.count)
            return count == 14
        }
        #expect(most <= 5)
    }
}
