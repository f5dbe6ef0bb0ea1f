@testable import LocationPublishing
import LocationTesting
import TestSupport
import Testing

@Suite(.serialized, .withFew) struct BrokerProbeTests {
    private let message = MQTTMessage("a/b", [1], isRetained: true)

    private func findings(
        _ faults: [BrokerFault] = [], then others: [BrokerFault]? = nil, change: (inout MQTTSettings) -> Void = { _ in }
    ) throws -> ([BrokerProbe.Finding], LoopbackBroker) {
        let broker = try LoopbackBroker([faults, others ?? faults])
        var settings = broker.settings
        change(&settings)
        return (BrokerProbe.findings(settings, messages: [message]), broker)
    }

    private let address: [BrokerProbe.Finding] = [
        .resolved(addresses: ["127.0.0.1"]), .connected(address: "127.0.0.1"),
    ]

    // MARK: Failures

    @Test func `a host without an address ends the probe`() {
        let settings = MQTTSettings(host: "locwatch.invalid", clientID: "test")
        let findings = BrokerProbe.findings(settings, messages: [message])
        #expect(findings == [.failed(.unresolvable(host: "locwatch.invalid"))])
    }

    @Test func `a port without a server ends the probe after the name`() throws {
        let port = ReservedPort().number
        let (findings, _) = try findings { $0.port = port }
        let error = MQTTError.unreachable(host: "127.0.0.1", port: port, cause: "Connection refused")
        #expect(findings == [.resolved(addresses: ["127.0.0.1"]), .failed(error)])
    }

    @Test(
        arguments: [
            ([.refuses(code: 5)], .refused(.notAuthorized)), ([.garbage([0x48])], .notABroker),
            ([.closes(atPacket: 1)], .connectionLost(cause: "the server closed the connection without an answer")),
            ([.silent], .timeout(.seconds(2))),
        ] as [([BrokerFault], MQTTError)])
    func `a server that does not accept the client ends the probe`(faults: [BrokerFault], error: MQTTError) throws {
        let (findings, _) = try findings(faults) {
            if faults == [.silent] { $0.connectionTimeout = .seconds(2) }
        }
        #expect(findings == address + [.failed(error)])
    }

    // MARK: Topics

    @Test func `a message that comes back shows that the topic may be used`() async throws {
        let (findings, broker) = try findings { $0.will = MQTTMessage("will", []) }
        #expect(findings == address + [.accepted(.version5), .delivered(topic: "a/b")])
        // The probe leaves nothing behind, and disturbs no client of the same name.
        #expect(broker.state.retained.isEmpty)
        try await broker.wait(for: "the goodbye arrives") { $0.goodbyes == 1 }
        let client = try #require(broker.state.clients.first)
        #expect(client.will == nil && client.clientID != "test" && client.clientID.utf8.count <= 23)
    }

    @Test(
        arguments: [
            (.dropsMessages, .notDelivered(topic: "a/b", .version5)),
            (.refusesMessages(to: "a/b", reason: 0x87), .rejected(topic: "a/b", .notAuthorized)),
            (.refusesSubscriptions, .subscriptionRefused(topic: "a/b")),
            (.closes(atPacket: 3), .failed(.connectionLost(cause: "the broker closed the connection"))),
        ] as [(BrokerFault, BrokerProbe.Finding)])
    func `a message that does not come back is reported with the reason`(
        fault: BrokerFault, finding: BrokerProbe.Finding
    ) throws {
        #expect(try findings([fault]).0 == address + [.accepted(.version5), finding])
    }

    @Test func `a broker without MQTT 5 is named, also if it closes the connection instead of refusing the version`()
        throws
    {
        for fault in [BrokerFault.refusesVersion5, .closes(atPacket: 1)] {
            let (findings, _) = try findings([fault], then: [.dropsMessages])
            #expect(findings == address + [.accepted(.version3), .notDelivered(topic: "a/b", .version3)])
        }
    }
}
