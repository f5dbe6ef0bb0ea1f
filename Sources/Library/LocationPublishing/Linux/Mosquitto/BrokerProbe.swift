import Glibc
import LocwatchPlatform

/// A test of the way to a broker, step by step until one fails.
///
/// Over MQTT 3.1.1 brokers acknowledge a forbidden message and drop it, so the probe subscribes to the topic and waits for its
/// own message.
/// The client of the probe has a name of its own, because a second client with the name of a running one would end that.
package struct BrokerProbe: Sendable {
    package enum Finding: Hashable, Sendable {
        /// The name of the host has these addresses.
        case resolved(addresses: [String])
        /// A TCP connection to an address was established.
        case connected(address: String)
        /// The connection is encrypted, and chain, name and dates of the certificate are right.
        case encrypted
        /// The broker has accepted the client, and speaks a version of the protocol.
        case accepted(MQTTVersion)
        /// The broker refuses a subscription to the topic, so that it is not known whether messages reach it.
        case subscriptionRefused(topic: String)
        /// A message to the topic has come back.
        case delivered(topic: String)
        /// The broker has refused a message to the topic, which it can say with MQTT 5 only.
        case rejected(topic: String, MQTTRefusal)
        /// The broker has acknowledged a message to the topic, and it has not come back.
        ///
        /// Over MQTT 5 the user may publish to the topic, but not read it. Over MQTT 3.1.1 the topic can also be forbidden: a
        /// broker does not say which.
        case notDelivered(topic: String, MQTTVersion)
        case failed(MQTTError)
    }

    private let settings: MQTTSettings
    private let messages: [MQTTMessage]

    /// Creates a probe.
    ///
    /// - Parameters:
    ///   - settings: The settings of the connection; neither its name of the client nor its will is used.
    ///   - messages: Messages that subscribers ignore, one for each topic that is tested. They are not retained.
    package init(_ settings: MQTTSettings, messages: [MQTTMessage]) {
        self.settings = settings
        self.messages = messages.map { MQTTMessage($0.topic, $0.payload) }
    }

    /// Runs the steps on the caller's thread, which can take as long as the limits of the connection and a few seconds.
    package func run() -> [Finding] {
        var settings = settings
        settings.clientID = "locwatch-probe-\(getpid())"
        settings.will = nil
        let deadline = ContinuousClock.now + settings.connectionTimeout
        guard let addresses = (try? HostLookup(settings.host))?.wait(before: deadline) else {
            return [.failed(.timeout(settings.connectionTimeout))]
        }
        guard !addresses.isEmpty else { return [.failed(.unresolvable(host: settings.host))] }
        var findings = [Finding.resolved(addresses: addresses)]
        do throws(MQTTError) {
            findings += ProbeRun(try MosquittoConnection(settings)).findings(of: messages)
        } catch {
            findings.append(.failed(error))
        }
        return findings
    }
}
