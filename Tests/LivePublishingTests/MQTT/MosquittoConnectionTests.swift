import Glibc
@testable import LocationPublishing
import LocationTesting
import LocwatchPlatform
import TestSupport
import Testing

@Suite(.serialized, .alone) struct MosquittoConnectionTests {
    // MARK: Failures

    @Test(arguments: ["libmosquitto-missing.so.1", "libm.so.6"])
    func `a library that is missing, or without the functions, is an error that names its package`(library: String) {
        let error = #expect(throws: MQTTError.self) { try MosquittoLibrary.load(library) }
        #expect(error == .libraryMissing(library: library, package: "libmosquitto1"))
    }

    @Test(arguments: MQTTRefusal.allCases.filter { $0 != .version })
    func `a refusal is an error with its reason`(refusal: MQTTRefusal) throws {
        let broker = try LoopbackBroker([[.refuses(code: refusal.rawValue)]])
        let driver = try ConnectionDriver(port: broker.port)
        #expect(try driver.failure() == .refused(refusal))
    }

    @Test(
        arguments: zip(
            1...5 as ClosedRange<UInt8>,
            [.version, .clientID, .unavailable, .credentials, .notAuthorized] as [MQTTRefusal]))
    func `a refusal of a broker without MQTT 5 is an error with its reason`(code: UInt8, refusal: MQTTRefusal) throws {
        let broker = try LoopbackBroker([[.refusesVersion5], [.refuses(code: code)]])
        let driver = try ConnectionDriver(port: broker.port)
        #expect(try driver.failure() == .refused(refusal))
        #expect(driver.events.count == 1 && driver.connection.poll.descriptor == -1)
    }

    /// nats-server and mosquitto before 1.6 refuse MQTT 5 in a packet of MQTT 3.1.1, others in one of MQTT 5.
    @Test(arguments: [BrokerFault.refusesVersion5, .refuses(code: 0x84)])
    func `a broker without MQTT 5 gets MQTT 3.1.1 in the same attempt`(refusal: BrokerFault) throws {
        let broker = try LoopbackBroker([[refusal]])
        let driver = try ConnectionDriver.opened(to: broker)
        #expect(driver.connection.version == .version3 && driver.events == [.opened])
        #expect(broker.state.clients.map(\.version) == [.version5, .version3])
        let number = try driver.publish("x")
        try driver.run { $0.events.last == .acknowledged(number) }
    }

    @Test func `after a broker that closes the connection without an answer MQTT 3.1.1 is tried, and then MQTT 5`()
        throws
    {
        let broker = try LoopbackBroker([[.closes(atPacket: 1)], [.closes(atPacket: 2)]])
        let driver = try ConnectionDriver(port: broker.port)
        #expect(
            try driver.failure() == .connectionLost(cause: "the server closed the connection without an answer"))
        #expect(driver.connection.version == .version3)
        driver.connection.open(at: .zero)
        try driver.run { $0.connection.isOpen }
        #expect(broker.state.clients.map(\.version) == [.version3])
        try driver.publish("x")
        try driver.run { $0.connection.version == .version5 }
    }

    @Test(arguments: [MQTTRefusal.notAuthorized, .quota, .packetTooLarge])
    func `a broker with MQTT 5 refuses a message with a reason, and one without acknowledges it`(refusal: MQTTRefusal)
        throws
    {
        let faults = [BrokerFault.refusesMessages(to: "a/b", reason: refusal.rawValue)]
        let broker = try LoopbackBroker([faults, faults + [.refusesVersion5], faults])
        let new = try ConnectionDriver.opened(to: broker)
        let number = try new.publish("x")
        try new.run { $0.events.last == .rejected(number, refusal) }
        let old = try ConnectionDriver.opened(to: broker)
        let second = try old.publish("x")
        try old.run { $0.events.last == .acknowledged(second) }
    }

    @Test func `a broker that ends the connection says why`() throws {
        let broker = try LoopbackBroker([[.disconnects(atMessageTo: "a/b", reason: 0x90)]])
        let driver = try ConnectionDriver.opened(to: broker)
        _ = try driver.publish("x")
        #expect(try driver.nextFailure() == .disconnected(.topic))
        #expect(driver.events.count == 2 && driver.connection.poll.descriptor == -1)
    }

    @Test(arguments: [BrokerFault.silent, .garbage([0x20, 0xFF, 0xFF, 0xFF, 0x7F])])
    func `a server that does not answer, or only announces a giant answer, runs into the time limit`(
        fault: BrokerFault
    ) throws {
        let broker = try LoopbackBroker([[fault]])
        let driver = try ConnectionDriver(port: broker.port)
        driver.connection.open(at: .zero)
        try driver.run { _ in broker.state.clients.count == 1 }
        #expect(driver.connection.deadline == .seconds(10))
        driver.now = .seconds(10)
        #expect(try driver.nextFailure() == .timeout(.seconds(10)))
        #expect(driver.events.count == 1)
    }

    @Test func `a name that does not exist cannot be resolved`() throws {
        let driver = try ConnectionDriver(port: 1) { $0.host = "locwatch.invalid" }
        #expect(try driver.failure() == .unresolvable(host: "locwatch.invalid"))
    }

    @Test func `a name with addresses of both families reaches a broker that listens on IPv4 only`() throws {
        let broker = try LoopbackBroker()
        _ = try ConnectionDriver.opened(to: broker) { $0.host = "localhost" }
    }

    @Test func `an address that does not answer leaves half of the time to the next one`() throws {
        let hole = try BlackHole()
        let driver = try ConnectionDriver(port: hole.port)
        driver.connection.familyOrder = [.version4, .version4]
        driver.connection.open(at: .zero)
        try driver.run { $0.connection.poll.events == Int16(POLLOUT) }
        #expect(driver.connection.deadline == .seconds(5))
        hole.vanish()
        driver.now = .seconds(5)
        #expect(
            try driver.nextFailure()
                == .unreachable(host: "127.0.0.1", port: hole.port, cause: "Connection refused"))
    }

    @Test func `addresses that do not answer run into the time limit`() throws {
        let hole = try BlackHole()
        let driver = try ConnectionDriver(port: hole.port)
        driver.connection.open(at: .zero)
        // The host has no address of the first family.
        try driver.run { $0.connection.poll.events == Int16(POLLOUT) }
        driver.now = .seconds(10)
        #expect(try driver.nextFailure() == .timeout(.seconds(10)))
    }

    @Test func `a host whose resolution takes longer than the limit is given up at the limit, and not before it`()
        throws
    {
        // The library waits for the file of the authority as it would for a name server.
        let folder = try Scratch()
        let file = folder.path("authority.pem")
        try #require(mkfifo(file, 0o600) == 0)
        let driver = try ConnectionDriver(port: 1) {
            var encryption = MQTTSettings.Encryption()
            encryption.authorityFile = file
            $0.encryption = encryption
        }
        let connection = driver.connection
        connection.open(at: .seconds(1))
        let (descriptor, events) = connection.poll
        #expect(descriptor >= 0 && events == Int16(POLLIN) && connection.deadline == .seconds(11))
        var found: [MosquittoConnection.Event] = []
        connection.step(at: .seconds(11) - .nanoseconds(1)) { found.append($0) }
        #expect(found.isEmpty && connection.poll.descriptor == descriptor)
        connection.step(at: .seconds(11)) { found.append($0) }
        #expect(found == [.failed(.timeout(.seconds(10)))] && connection.poll.descriptor == -1)
        // Ends the wait of the thread, which has opened the pipe already or opens the file that takes its place.
        let pipe = open(file, O_RDWR)
        try folder.write("", to: "empty")
        rename(folder.path("empty"), file)
        close(pipe)
    }

    @Test func `a missing address of the first family that is found out after the time limit is a timeout`() throws {
        let hole = try BlackHole()
        let driver = try ConnectionDriver(port: hole.port)
        driver.connection.open(at: .zero)
        var watched = pollfd(driver.connection.poll)
        #expect(poll(&watched, 1, 30_000) == 1)
        driver.now = .seconds(11)
        #expect(try driver.nextFailure() == .timeout(.seconds(10)))
    }

    @Test(arguments: [true, false])
    func `a file that cannot be read is named before anything is sent`(isClient: Bool) throws {
        let file = "/missing/file.pem"
        let driver = try ConnectionDriver(port: 1) {
            var encryption = MQTTSettings.Encryption()
            if isClient { encryption.certificateFile = file } else { encryption.authorityFile = file }
            $0.encryption = encryption
        }
        let cause = "\(file): No such file or directory"
        let fault = isClient ? HTTPTLSFault.Reason.clientCertificate(cause: cause) : .authorityFile(cause: cause)
        #expect(try driver.failure() == .tls(host: "127.0.0.1", fault))
    }

    // MARK: Acknowledgements

    @Test func `acknowledgements that come late or byte by byte count`() throws {
        let broker = try LoopbackBroker([[.acknowledgesLate(.milliseconds(30)), .trickles(.milliseconds(1))]])
        let driver = try ConnectionDriver.opened(to: broker)
        let numbers = try (0..<20).map { try driver.publish("\($0)") }
        try driver.run { $0.events.count == 21 }
        #expect(Array(driver.events.dropFirst()) == numbers.map { .acknowledged($0) })
    }

    @Test func `a message of quality 0 is acknowledged when it is written`() throws {
        let broker = try LoopbackBroker()
        let driver = try ConnectionDriver.opened(to: broker)
        let number = try driver.publish("x", quality: .atMostOnce)
        try driver.run { $0.events.last == .acknowledged(number) }
        try driver.run { _ in broker.state.published.count == 1 }
        #expect(broker.state.published.first?.quality == .atMostOnce)
    }

    @Test(arguments: ["", "a/+", "a/#"])
    func `a message to a topic that does not exist is refused at once`(topic: String) throws {
        let driver = try ConnectionDriver.opened(to: LoopbackBroker())
        #expect(throws: MQTTError.self) { try driver.connection.publish(MQTTMessage(topic, []), at: .zero) }
    }

    // MARK: Settings

    @Test func `user, will and keep-alive reach the broker`() throws {
        let broker = try LoopbackBroker()
        let will = MQTTMessage("will", [0, 0xFF], isRetained: true)
        let driver = try ConnectionDriver.opened(to: broker) {
            ($0.user, $0.password, $0.will, $0.keepAlive) = ("anna", "secret", will, .seconds(30))
        }
        let client = try #require(broker.state.clients.first)
        #expect(client.clientID == "test" && client.isCleanSession && client.keepAlive == 30)
        #expect(client.user == "anna" && client.password == "secret" && client.will == will)
        withExtendedLifetime(driver) {}
    }

    @Test func `subscriptions are granted, and retained messages are marked`() throws {
        let broker = try LoopbackBroker()
        broker.publish(MQTTMessage("a/old", [1], isRetained: true))
        let driver = try ConnectionDriver.opened(to: broker)
        let number = try driver.connection.subscribe(["a/+", "b/#"], quality: .atMostOnce, at: .zero)
        try driver.run { $0.events.count == 3 }
        broker.publish(MQTTMessage("b/c/d", [2]))
        try driver.run { $0.events.count == 4 }
        #expect(
            driver.events.dropFirst() == [
                .subscribed(number, refusals: [nil, nil]),
                .received(MQTTMessage("a/old", [1], quality: .atMostOnce, isRetained: true)),
                .received(MQTTMessage("b/c/d", [2], quality: .atMostOnce)),
            ])
    }

    // MARK: Goodbye

    @Test func `a connection that is released ends without a goodbye`() async throws {
        let broker = try LoopbackBroker()
        _ = try ConnectionDriver.opened(to: broker) { $0.will = MQTTMessage("will", []) }
        try await broker.wait(for: "the will") { $0.publishedWills.count == 1 }
        #expect(broker.state.goodbyes == 0)
    }

    @Test func `closing a connection that is not open ends it at once`() throws {
        let driver = try ConnectionDriver(port: 1)
        driver.connection.close(at: .zero)
        try driver.run { $0.events == [.closed] }
    }

    // MARK: Time

    @Test func `a message without an acknowledgement is given up after thirty seconds`() throws {
        let broker = try LoopbackBroker([[.losesAcknowledgement(of: 1)]])
        let driver = try ConnectionDriver.opened(to: broker) { $0.keepAlive = .seconds(6000) }
        #expect(driver.connection.deadline == .seconds(600))
        driver.now = .seconds(5)
        try driver.publish("x")
        #expect(driver.connection.deadline == .seconds(35))
        try driver.run { _ in broker.state.published.count == 1 }
        driver.now = .seconds(35) - .milliseconds(1)
        for _ in 0..<3 { driver.connection.step(at: driver.now) { _ in } }
        #expect(driver.connection.isOpen)
        driver.now = .seconds(35)
        let cause = "a message was not acknowledged within 30.0 seconds"
        #expect(try driver.nextFailure() == .connectionLost(cause: cause))
    }

    @Test func `nothing is waited for after a message was acknowledged`() throws {
        let broker = try LoopbackBroker()
        let driver = try ConnectionDriver.opened(to: broker) { $0.keepAlive = .seconds(6000) }
        let number = try driver.publish("x")
        #expect(driver.connection.deadline == .seconds(30))
        try driver.run { $0.events.last == .acknowledged(number) }
        #expect(driver.connection.deadline == .seconds(600))
    }

    @Test func `one step handles 256 packets, and the next one follows at once`() throws {
        let broker = try LoopbackBroker()
        let driver = try ConnectionDriver.opened(to: broker)
        let packet: [UInt8] = [0x30, 5, 0, 1, 0x61, 0, 0x78]
        broker.send(Array(repeating: packet, count: 600).flatMap(\.self), on: 0)
        let descriptor = driver.connection.poll.descriptor
        var count: Int32 = 0
        try drive(until: { Int(count) == 600 * packet.count }, state: "\(count) bytes") {
            _ = ioctl(descriptor, UInt(FIONREAD), &count)
            return ([], false)
        }
        for (expected, deadline) in [(256, Duration.zero), (256, .zero), (88, .seconds(6))] {
            var events: [MosquittoConnection.Event] = []
            driver.connection.step(at: .zero) { events.append($0) }
            let message = MQTTMessage("a", [0x78], quality: .atMostOnce)
            #expect(events == Array(repeating: .received(message), count: expected))
            #expect(driver.connection.deadline == deadline)
        }
    }

    @Test func `a message that is larger than the buffers of the system is written while the broker reads it`() throws {
        let broker = try LoopbackBroker()
        let driver = try ConnectionDriver.opened(to: broker)
        let message = MQTTMessage("a/b", [UInt8](repeating: 0x78, count: 8 << 20))
        let number = try driver.publish(message)
        try driver.run { $0.events.last == .acknowledged(number) }
        #expect(broker.state.published == [message])
    }

    @Test func `a silent connection is maintained ten times in the time after which it is tested`() throws {
        let broker = try LoopbackBroker()
        let driver = try ConnectionDriver.opened(to: broker) { $0.keepAlive = .seconds(50) }
        #expect(driver.connection.deadline == .seconds(5))
        driver.now = .seconds(5)
        driver.connection.step(at: driver.now) { _ in }
        #expect(driver.connection.deadline == .seconds(10) && broker.state.clients.count == 1)
    }

    @Test(arguments: [(Duration.seconds(1), UInt16(5)), (.seconds(6), 6), (.seconds(100_000), 65_535)])
    func `a broker is asked for a keep-alive that it can have`(keepAlive: Duration, seconds: UInt16) throws {
        let broker = try LoopbackBroker()
        _ = try ConnectionDriver.opened(to: broker) { $0.keepAlive = keepAlive }
        #expect(broker.state.clients.first.map { Int($0.keepAlive) } == Int(seconds))
    }

    @Test func `a goodbye arrives, after which the connection is closed and can be opened again`() async throws {
        let broker = try LoopbackBroker()
        let driver = try ConnectionDriver.opened(to: broker)
        driver.connection.close(at: .seconds(1))
        try driver.run { $0.events.last == .closed }
        #expect(!driver.connection.isOpen && driver.connection.poll.descriptor == -1)
        try await broker.wait(for: "the goodbye") { $0.goodbyes == 1 }
        driver.connection.open(at: .seconds(2))
        try driver.run { $0.connection.isOpen }
        #expect(driver.events.count(where: { $0 == .opened }) == 2 && driver.connection.peer == "127.0.0.1")
    }

    @Test func `a goodbye that a broker does not read is given up after two seconds`() throws {
        let peer = LoopbackPeer()
        peer.listen()
        let driver = try ConnectionDriver(port: peer.port)
        driver.connection.open(at: .zero)
        try driver.run { $0.connection.poll.events == Int16(POLLIN) && $0.connection.peer != nil }
        peer.accept()
        // The broker accepts the client, and reads nothing.
        peer.send("\u{20}\u{3}\u{0}\u{0}\u{0}")
        try driver.run { $0.connection.isOpen }
        for _ in 0..<16 {
            try driver.publish(MQTTMessage("a/b", [UInt8](repeating: 0, count: 1 << 20), quality: .atMostOnce))
        }
        driver.connection.close(at: .seconds(1))
        #expect(driver.connection.deadline == .seconds(3) && !driver.connection.isOpen)
        var found: [MosquittoConnection.Event] = []
        driver.connection.step(at: .seconds(3) - .nanoseconds(1)) { found.append($0) }
        #expect(!found.contains(.closed) && driver.connection.poll.events == Int16(POLLIN | POLLOUT))
        driver.connection.step(at: .seconds(3)) { found.append($0) }
        #expect(found.last == .closed && driver.connection.poll.descriptor == -1 && driver.connection.deadline == nil)
    }

    @Test func `closing a connection that is being made ends it at once`() throws {
        let hole = try BlackHole()
        let driver = try ConnectionDriver(port: hole.port)
        driver.connection.open(at: .zero)
        try driver.run { $0.connection.poll.events == Int16(POLLOUT) }
        driver.connection.close(at: .seconds(1))
        #expect(driver.connection.deadline == .zero)
        try driver.run { $0.events == [.closed] }
        #expect(driver.connection.poll.descriptor == -1 && driver.connection.deadline == nil)
    }

    @Test func `nothing can be sent without a connection`() throws {
        let driver = try ConnectionDriver(port: 1)
        let error = MQTTError.connectionLost(cause: "there is no connection")
        #expect(throws: error) { try driver.publish("x") }
        #expect(throws: error) { try driver.connection.subscribe(["a"], at: .zero) }
    }
}
