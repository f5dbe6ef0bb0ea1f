import LocationPublishing
import TestSupport
import Testing

@testable import LocationTesting

@Suite struct ScriptedBrokerTests {
    private static let hello = MQTTPacket.connect(BrokerClient(clientID: "a"))
    private static let accepted = MQTTPacket.connectionAcknowledgement(code: 0, isSessionPresent: false)

    /// A broker and what it has sent on each connection.
    private final class Exchange {
        var broker: ScriptedBroker
        private var parsers: [Int: MQTTPacketParser] = [:]

        init(_ script: [[BrokerFault]] = []) { broker = ScriptedBroker(script) }

        /// Connects a client and returns the number of the connection.
        func connect(_ client: BrokerClient = BrokerClient(clientID: "a")) throws -> Int {
            let connection = broker.accept()
            #expect(try send(.connect(client), on: connection) == [ScriptedBrokerTests.accepted])
            return connection
        }

        /// Sends a packet and returns the answers that are due.
        func send(_ packet: MQTTPacket, on connection: Int, at now: Duration = .zero) throws -> [MQTTPacket] {
            broker.receive(packet.bytes, on: connection, at: now)
            return try answers(on: connection, at: now)
        }

        func answers(on connection: Int, at now: Duration = .zero) throws -> [MQTTPacket] {
            parsers[connection, default: MQTTPacketParser()].append(broker.takeOutput(of: connection, at: now).bytes)
            var packets: [MQTTPacket] = []
            while let packet = try parsers[connection]?.next() { packets.append(packet) }
            return packets
        }

        func isClosed(_ connection: Int, at now: Duration = .zero) -> Bool {
            broker.takeOutput(of: connection, at: now).isClosed
        }
    }

    private func message(_ number: UInt16, _ topic: String = "a", isRetained: Bool = false) -> MQTTPacket {
        .publish(MQTTMessage(topic, [UInt8(clamping: number)], isRetained: isRetained), number: number)
    }

    @Test func `a client that sends something else than MQTT is disconnected`() {
        for bytes in [Array("GET / HTTP/1.1\r\n\r\n".utf8), [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]] {
            let exchange = Exchange()
            let connection = exchange.broker.accept()
            exchange.broker.receive(bytes, on: connection, at: .zero)
            #expect(exchange.isClosed(connection) && exchange.broker.violations == 1)
        }
    }

    @Test func `a silent broker answers nothing but remembers what it received`() throws {
        let exchange = Exchange([[.silent]])
        let connection = exchange.broker.accept()
        #expect(try exchange.send(Self.hello, on: connection) == [] && !exchange.isClosed(connection))
        #expect(exchange.broker.clients.map(\.clientID) == ["a"])
    }

    @Test(arguments: 1...5 as ClosedRange<UInt8>)
    func `a refused client gets the code, and is disconnected`(code: UInt8) throws {
        let exchange = Exchange([[.refuses(code: code)]])
        let connection = exchange.broker.accept()
        #expect(
            try exchange.send(Self.hello, on: connection) == [
                .connectionAcknowledgement(code: code, isSessionPresent: false)
            ])
        #expect(exchange.isClosed(connection))
    }

    @Test func `garbage takes the place of the first answer`() {
        var broker = ScriptedBroker([[.garbage([1, 2, 3])]])
        let connection = broker.accept()
        broker.receive(Self.hello.bytes, on: connection, at: .zero)
        #expect(broker.takeOutput(of: connection, at: .zero).bytes == [1, 2, 3])
    }

    @Test func `acknowledgements are late, lost, doubled or for nothing`() throws {
        for (fault, early, late) in [
            (.acknowledgesLate(.seconds(1)), [], [1, 2]), (.losesAcknowledgement(of: 1), [2], []),
            (.acknowledgesTwice, [1, 1, 2, 2], []), (.acknowledgesUnsent, [1001, 1, 1002, 2], []),
        ] as [(BrokerFault, [UInt16], [UInt16])] {
            let exchange = Exchange([[fault]])
            let connection = try exchange.connect()
            let found = try exchange.send(message(1), on: connection) + exchange.send(message(2), on: connection)
            #expect(found == early.map { .acknowledgement($0) })
            #expect(exchange.broker.deadline == (late.isEmpty ? nil : .seconds(1)))
            #expect(try exchange.answers(on: connection, at: .seconds(1)) == late.map { .acknowledgement($0) })
        }
    }

    @Test func `an answer is cut in the middle, and the connection ends`() {
        var broker = ScriptedBroker([[.cutsAnswers(after: 3)]])
        let connection = broker.accept()
        broker.receive(Self.hello.bytes, on: connection, at: .zero)
        let (bytes, isClosed) = broker.takeOutput(of: connection, at: .zero)
        #expect(bytes == Array(Self.accepted.bytes.prefix(3)) && isClosed)
    }

    @Test func `bytes trickle one by one`() {
        var broker = ScriptedBroker([[.trickles(.seconds(1))]])
        let connection = broker.accept()
        broker.receive(Self.hello.bytes, on: connection, at: .zero)
        #expect(broker.deadline == .seconds(1))
        for time in 1...4 { #expect(broker.takeOutput(of: connection, at: .seconds(time)).bytes.count == 1) }
        #expect(broker.deadline == nil)
    }

    @Test func `a connection ends at a packet, which is not answered and publishes the will`() throws {
        let exchange = Exchange([[.closes(atPacket: 2)]])
        var client = BrokerClient(clientID: "a")
        client.will = MQTTMessage("will", [1])
        let connection = try exchange.connect(client)
        #expect(try exchange.send(message(1), on: connection) == [] && exchange.isClosed(connection))
        #expect(exchange.broker.published.isEmpty && exchange.broker.publishedWills == [MQTTMessage("will", [1])])
        let next = try exchange.connect()
        #expect(try exchange.send(message(1), on: next) == [.acknowledgement(1)])
    }

    @Test func `a broker that drops messages acknowledges them, and one that refuses subscriptions says so`() throws {
        let exchange = Exchange([[.dropsMessages, .refusesSubscriptions], [.dropsMessages]])
        let first = try exchange.connect()
        #expect(
            try exchange.send(.subscribe(1, [.init(text: "#", quality: 1)]), on: first) == [
                .subscriptionAcknowledgement(1, granted: [128])
            ])
        let second = try exchange.connect()
        _ = try exchange.send(.subscribe(1, [.init(text: "#", quality: 1)]), on: second)
        #expect(try exchange.send(message(2), on: second) == [.acknowledgement(2)])
    }

}
