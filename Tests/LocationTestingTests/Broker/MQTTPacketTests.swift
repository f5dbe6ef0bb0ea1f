import LocationPublishing
@testable import TestSupport
import Testing

import LocationTesting

@Suite struct MQTTPacketTests {
    private static let client: BrokerClient = {
        var client = BrokerClient(clientID: "boat")
        client.will = MQTTMessage("a", [0, 0xFF], isRetained: true)
        (client.user, client.password, client.keepAlive) = ("anna", "secret", 30)
        return client
    }()

    private static let packets: [MQTTPacket] = [
        .connect(BrokerClient(clientID: "")), .connect(client),
        .connectionAcknowledgement(code: 5, isSessionPresent: true),
        .publish(MQTTMessage("a/ü", [], quality: .atMostOnce), number: nil),
        .publish(MQTTMessage("a", [UInt8](repeating: 7, count: 300), isRetained: true), number: 0xABCD),
        .acknowledgement(1), .subscribe(2, [.init(text: "#", quality: 1), .init(text: "a/+", quality: 0)]),
        .subscriptionAcknowledgement(2, granted: [1, 128]), .unsubscribe(3, ["#"]), .unsubscriptionAcknowledgement(3),
        .ping, .pong, .disconnect(),
    ]

    /// Packets of MQTT 5 after the one that introduces the client.
    private static let newPackets: [MQTTPacket] = {
        var client = Self.client
        client.version = .version5
        return [
            .connect(client), .connectionAcknowledgement(code: 0x87, isSessionPresent: false),
            .publish(MQTTMessage("a", [1, 2], isRetained: true), number: 7),
            .publish(MQTTMessage("a", [], quality: .atMostOnce), number: nil), .acknowledgement(7),
            .acknowledgement(8, reason: 0x97), .subscribe(2, [.init(text: "#", quality: 1)]),
            .subscriptionAcknowledgement(2, granted: [0x87]), .unsubscribe(3, ["#", "a"]),
            .unsubscriptionAcknowledgement(3, reasons: [0, 0x11]), .ping, .disconnect(), .disconnect(reason: 0x90),
        ]
    }()

    /// Returns the packets and the fault of a stream that comes in pieces of a size.
    private func parse(_ bytes: [UInt8], by size: Int = 1) -> ([MQTTPacket], MQTTPacketFault?) {
        var parser = MQTTPacketParser()
        var packets: [MQTTPacket] = []
        do throws(MQTTPacketFault) {
            for start in stride(from: 0, to: bytes.count, by: size) {
                parser.append(bytes[start..<min(start + size, bytes.count)])
                while let packet = try parser.next() { packets.append(packet) }
            }
        } catch {
            return (packets, error)
        }
        return (packets, nil)
    }

    // MARK: Hostile input

    @Test(
        arguments: [
            ([0x30, 0xFF, 0xFF, 0xFF, 0xFF, 1], .length), ([0x30, 0xFF, 0xFF, 0xFF, 0x7F], .tooLarge(268_435_455)),
            ([0, 0], .kind(0)), ([0xF0, 0], .kind(0xF0)), ([0x34, 5, 0, 1, 0x61, 0, 1], .kind(0x34)),
            ([0x40, 1, 0], .malformed), ([0x40, 3, 0, 1, 2], .malformed), ([0x30, 2, 0, 5], .malformed),
            ([0x30, 4, 0, 2, 0xC3, 0x28], .malformed), ([0x82, 2, 0, 1], .malformed),
            ([0x82, 5, 0, 1, 0, 1, 0x61], .malformed), ([0x10, 0], .malformed),
            ([0x10, 10, 0, 4, 0x4D, 0x51, 0x54, 0x54, 5, 2, 0, 60], .malformed),
            ([0x10, 10, 0, 4, 0x4D, 0x51, 0x54, 0x54, 3, 2, 0, 60], .malformed),
            ([0x10, 13, 0, 4, 0x4D, 0x51, 0x54, 0x54, 5, 2, 0, 60, 9, 0, 0], .malformed),
        ] as [([UInt8], MQTTPacketFault)])
    func `bytes that are not a packet are refused`(bytes: [UInt8], fault: MQTTPacketFault) {
        let (packets, found) = parse(bytes)
        #expect(packets.isEmpty && found == fault)
    }

    @Test func `random bytes, and packets with random changes, never crash the parser`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            var bytes = Self.packets.randomElement(using: &random)?.bytes ?? []
            for _ in 0..<3 {
                bytes[.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            _ = parse(bytes, by: .random(in: 1...20, using: &random))
        }
    }

    @Test(arguments: packets)
    func `a packet that is cut off is waited for`(packet: MQTTPacket) {
        #expect(parse(packet.bytes.dropLast()) == ([], nil))
    }

    // MARK: Packets

    @Test(arguments: [1, 2, 7, 10_000])
    func `packets are read from a stream in pieces of any size`(size: Int) {
        #expect(parse(Self.packets.flatMap(\.bytes), by: size) == (Self.packets, nil))
    }

    @Test(arguments: [1, 3, 10_000])
    func `a client that speaks MQTT 5 is followed in that version`(size: Int) {
        let bytes = Self.newPackets.flatMap { $0.bytes(in: .version5) }
        #expect(parse(bytes, by: size) == (Self.newPackets, nil))
    }

    @Test func `the properties of MQTT 5 are read over`() {
        let hello: [UInt8] = [0x10, 19, 0, 4, 0x4D, 0x51, 0x54, 0x54, 5, 2, 0, 60, 5, 0x11, 0, 0, 0, 9, 0, 1, 0x61]
        let message: [UInt8] = [0x32, 9, 0, 1, 0x61, 0, 5, 2, 1, 1, 0x78]
        var client = BrokerClient(clientID: "a")
        client.version = .version5
        let packets: [MQTTPacket] = [.connect(client), .publish(MQTTMessage("a", [0x78]), number: 5)]
        #expect(parse(hello + message) == (packets, nil))
    }

    @Test func `packets have the bytes of the standard`() {
        let connect = MQTTPacket.connect(Self.client).bytes
        #expect(
            connect.prefix(2) == [0x10, 37]
                && connect.dropFirst(2).prefix(10) == [0, 4, 77, 81, 84, 84, 4, 0xEE, 0, 30])
        #expect(MQTTPacket.acknowledgement(0x0102).bytes == [0x40, 2, 1, 2])
        #expect(
            MQTTPacket.publish(MQTTMessage("a", [9], isRetained: true), number: 3).bytes == [
                0x33, 6, 0, 1, 0x61, 0, 3, 9,
            ])
    }

    @Test func `a description of a client has no password`() {
        let texts = ["\(Self.client)", String(reflecting: Self.client), "\(MQTTPacket.connect(Self.client))"]
        #expect(texts.allSatisfy { !$0.contains("secret") && $0.contains("anna") })
    }

    @Test(
        arguments: [
            ("#", "a/b", true), ("a/#", "a", true), ("a/#", "a/b/c", true), ("a/+", "a/b", true), ("a/+", "a", false),
            ("a/+", "a/b/c", false), ("+/+", "/a", true), ("a", "a/b", false), ("a/b", "a", false),
            ("#", "$SYS/x", false), ("+/x", "$SYS/x", false), ("$SYS/#", "$SYS/x", true), ("a//b", "a//b", true),
        ])
    func `a filter matches topics`(filter: String, topic: String, matches: Bool) {
        #expect(TopicFilter(filter).matches(topic) == matches)
    }
}
