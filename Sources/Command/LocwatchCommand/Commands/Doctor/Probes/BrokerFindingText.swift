import LocationPublishing
import LocwatchArguments
import LocwatchSession
import LocwatchTerminal

extension BrokerProbe {
    /// Probes a broker, and returns the checks of what it found.
    static func checks(_ settings: MQTTSettings, messages: [MQTTMessage]) -> [Check<Void>] {
        BrokerProbe.findings(settings, messages: messages).map { found in Check(found.check, found.finding(settings)) }
    }
}

extension BrokerProbe.Finding {
    /// The check that the finding of the probe answers.
    var check: CheckName {
        switch self {
        case .resolved: .name
        case .connected: .connection
        case .encrypted: .encryption
        case .accepted: .server
        case .delivered, .subscriptionRefused, .rejected, .notDelivered: .topic
        case .failed(let error): error.check
        }
    }

    func finding(_ settings: MQTTSettings) -> Finding {
        switch self {
        case .resolved(let addresses):
            .ok(
                addresses == [settings.host]
                    ? "\(settings.host) is an address" : "\(settings.host) is \(EnglishList.and(addresses))")
        case .connected(let address): .ok("connected to \(address)")
        case .encrypted: .ok("the certificate is valid for \(settings.host)")
        case .accepted(let version):
            .ok(
                "the broker accepts \(settings.user.map { "the user \($0)" } ?? "the client without a user"), "
                    + "and speaks \(version)"
                    + (version == .version3 ? ", in which it acknowledges also what it drops" : ""))
        case .delivered(let topic): .ok("a message to \(topic) came back")
        case .subscriptionRefused(let topic):
            .remark(
                "the user may not read \(topic)", why: "so it is not known whether messages to it arrive",
                remedy: "allow the user to read the topic for the time of this check, or look at a subscriber")
        case .rejected(let topic, let refusal):
            .fault(
                refusal == .notAuthorized ? .denied : .unavailable,
                "the broker refused a message to \(topic): \(refusal)", why: "the broker says so",
                remedy: refusal == .notAuthorized
                    ? "allow the user to write it: 'topic readwrite \(topic)' in mosquitto's acl_file"
                    : "see the log of the broker")
        case .notDelivered(let topic, .version5):
            .remark(
                "the broker accepts messages to \(topic), and the user may not read them",
                why: "one was acknowledged over MQTT 5 and did not come back",
                remedy: "nothing is needed to publish; a subscriber shows whether they arrive")
        case .notDelivered(let topic, .version3):
            .fault(
                .denied, "a message to \(topic) was acknowledged and did not come back",
                why: "over MQTT 3.1.1 a broker drops a forbidden message silently; or the user may write the topic "
                    + "and not read it",
                remedy: "allow the user to write and read it: 'topic readwrite \(topic)' in mosquitto's acl_file",
                "if the user may only write it, look at a subscriber instead")
        case .failed(let error): error.finding(settings)
        }
    }
}
