import LocationPublishing
import LocationTransports
import LocwatchArguments
import LocwatchTerminal

/// The findings of a broker's probe in words.
enum BrokerFindingText {
    static func result(_ finding: BrokerProbe.Finding, _ settings: MQTTSettings) -> TargetDoctor.Result {
        switch finding {
        case .resolved(let addresses):
            (
                .name,
                .ok(
                    addresses == [settings.host]
                        ? "\(settings.host) is an address" : "\(settings.host) is \(EnglishList.and(addresses))")
            )
        case .connected(let address): (.connection, .ok("connected to \(address)"))
        case .encrypted: (.encryption, .ok("the certificate is valid for \(settings.host)"))
        case .accepted(let version):
            (
                .server,
                .ok(
                    "the broker accepts \(settings.user.map { "the user \($0)" } ?? "the client without a user"), "
                        + "and speaks \(version)"
                        + (version == .version3 ? ", in which it acknowledges also what it drops" : ""))
            )
        case .delivered(let topic): (.topic, .ok("a message to \(topic) came back"))
        case .subscriptionRefused(let topic):
            (
                .topic,
                .remark(
                    "the user may not read \(topic)", why: "so it is not known whether messages to it arrive",
                    remedy: ["allow the user to read the topic for the time of this check, or look at a subscriber"])
            )
        case .rejected(let topic, let refusal):
            (
                .topic,
                .fault(
                    refusal == .notAuthorized ? .denied : .unavailable,
                    "the broker refused a message to \(topic): \(refusal)", why: "the broker says so",
                    remedy: [
                        refusal == .notAuthorized
                            ? "allow the user to write it: 'topic readwrite \(topic)' in mosquitto's acl_file"
                            : "see the log of the broker"
                    ])
            )
        case .notDelivered(let topic, .version5):
            (
                .topic,
                .remark(
                    "the broker accepts messages to \(topic), and the user may not read them",
                    why: "one was acknowledged over MQTT 5 and did not come back",
                    remedy: ["nothing is needed to publish; a subscriber shows whether they arrive"])
            )
        case .notDelivered(let topic, .version3):
            (
                .topic,
                .fault(
                    .denied, "a message to \(topic) was acknowledged and did not come back",
                    why: "over MQTT 3.1.1 a broker drops a forbidden message silently; or the user may write the topic "
                        + "and not read it",
                    remedy: [
                        "allow the user to write and read it: 'topic readwrite \(topic)' in mosquitto's acl_file",
                        "if the user may only write it, look at a subscriber instead",
                    ])
            )
        case .failed(let error): failure(error, settings)
        }
    }

    /// Returns the step at which the probe failed, with the reason and the remedy.
    static func failure(_ error: MQTTError, _ settings: MQTTSettings) -> TargetDoctor.Result {
        func fault(_ step: TargetDoctor.Step, _ code: ExitCode = .unavailable, why: String, _ remedy: String...)
            -> TargetDoctor.Result
        {
            (step, .fault(code, error.description, why: why, remedy: remedy))
        }
        return switch error {
        case .unresolvable: TargetFaultText.unknownName(error.description)
        case .unreachable(_, let port, _):
            fault(
                .connection, why: "nothing accepts connections there, or a firewall forbids them",
                "check that the broker runs and listens at port \(port) for other machines: mosquitto needs a 'listener' line"
            )
        case .timeout:
            fault(
                .connection, why: "a firewall drops the packets, or the server does not speak MQTT",
                "check the address and the port; MQTT has 1883, MQTT over TLS 8883")
        case .tls(_, let fault): TargetFaultText.encryption(fault, error.description)
        case .refused(let refusal): Self.refusal(refusal, error, settings)
        case .subscriptionRefused:
            fault(.topic, .denied, why: "the broker says so", "allow the user to read the topic")
        case .disconnected(let refusal):
            fault(
                .server, refusal == .notAuthorized ? .denied : .unavailable, why: "the broker says so",
                "see the log of the broker")
        case .connectionLost, .notABroker:
            fault(
                .server, why: "the server ended the connection instead of answering",
                settings.encryption == nil
                    ? "check the port; a broker that wants TLS needs mqtts://"
                    : "check the port; a broker without TLS needs mqtt://")
        case .libraryMissing(_, let package):
            fault(.connection, why: "it is opened when it is needed", "run 'sudo apt install \(package)'")
        case .other: fault(.connection, why: "the library reports it", "see the log of the broker")
        }
    }

    private static func refusal(
        _ refusal: MQTTRefusal, _ error: MQTTError, _ settings: MQTTSettings
    ) -> TargetDoctor.Result {
        let remedy =
            switch refusal {
            case .credentials, .notAuthorized:
                settings.user == nil
                    ? "name the user in the target, as in mqtt://USER@\(settings.host)/…, and give --password-file"
                    : settings.password == nil
                        ? "give the password with --password-file or LOCWATCH_PASSWORD"
                        : "check the user and the password"
            case .clientID: "choose another name, as in ?client=NAME"
            case .version: "use a broker that speaks MQTT 3.1.1"
            default: "see the log of the broker, and try again later"
            }
        let isDenied = refusal == .credentials || refusal == .notAuthorized
        return (
            .server,
            .fault(isDenied ? .denied : .unavailable, error.description, why: "the broker says so", remedy: [remedy])
        )
    }
}
