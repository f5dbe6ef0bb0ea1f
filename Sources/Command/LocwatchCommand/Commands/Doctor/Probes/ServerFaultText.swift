import LocationPublishing
import LocwatchSession
import LocwatchTerminal

// The table of the faults on the way to a server: the check that finds one, its reason, and what to do.

extension HTTPError {
    /// The check that the error is a fault of.
    var check: CheckName {
        switch self {
        case .unresolvable: .name
        case .unreachable, .connectionTimeout, .libraryMissing: .connection
        case .tls: .encryption
        default: .server
        }
    }

    var finding: Finding {
        func fault(_ why: String, _ remedy: String) -> Finding {
            .fault(.unavailable, description, why: why, remedy: remedy)
        }
        return switch self {
        case .unresolvable: .unknownName(description)
        case .unreachable:
            fault(
                "nothing accepts connections there, or a firewall forbids them",
                "check that the server runs, and the port")
        case .tls(_, let fault): fault.reason.finding(description)
        case .timeout: fault("the server accepts the connection and does not answer", "see the log of the server")
        case .connectionTimeout:
            fault("a firewall drops the packets, or the server is busy", "check the address and the port")
        case .libraryMissing(_, let package): .missingLibrary(description, package)
        default: fault("the server does not answer as an HTTP server does", "check the port")
        }
    }
}

extension MQTTError {
    /// The check that the error is a fault of.
    var check: CheckName {
        switch self {
        case .unresolvable: .name
        case .unreachable, .timeout, .libraryMissing, .other: .connection
        case .tls: .encryption
        case .refused, .disconnected, .connectionLost, .notABroker: .server
        case .subscriptionRefused: .topic
        }
    }

    func finding(_ settings: MQTTSettings) -> Finding {
        func fault(_ why: String, _ remedy: String, _ code: ExitCode = .unavailable) -> Finding {
            .fault(code, description, why: why, remedy: remedy)
        }
        return switch self {
        case .unresolvable: .unknownName(description)
        case .unreachable(_, let port, _):
            fault(
                "nothing accepts connections there, or a firewall forbids them",
                "check that the broker runs and listens at port \(port) for other machines: mosquitto needs a 'listener' line"
            )
        case .timeout:
            fault(
                "a firewall drops the packets, or the server does not speak MQTT",
                "check the address and the port; MQTT has 1883, MQTT over TLS 8883")
        case .tls(_, let fault): fault.reason.finding(description)
        case .refused(let refusal): fault("the broker says so", refusal.remedy(settings), refusal.code)
        case .subscriptionRefused: fault("the broker says so", "allow the user to read the topic", .denied)
        case .disconnected(let refusal):
            fault(
                "the broker says so", "see the log of the broker",
                refusal == .notAuthorized ? .denied : .unavailable)
        case .connectionLost, .notABroker:
            fault(
                "the server ended the connection instead of answering",
                settings.encryption == nil
                    ? "check the port; a broker that wants TLS needs mqtts://"
                    : "check the port; a broker without TLS needs mqtt://")
        case .libraryMissing(_, let package): .missingLibrary(description, package)
        case .other: fault("the library reports it", "see the log of the broker")
        }
    }
}

extension MQTTRefusal {
    fileprivate var code: ExitCode { self == .credentials || self == .notAuthorized ? .denied : .unavailable }

    fileprivate func remedy(_ settings: MQTTSettings) -> String {
        switch self {
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
    }
}

extension HTTPTLSFault.Reason {
    fileprivate func finding(_ found: String) -> Finding {
        func fault(_ why: String, _ remedy: String) -> Finding {
            .fault(.unavailable, found, why: why, remedy: remedy)
        }
        return switch self {
        case .untrusted:
            fault("its authority is not among the trusted ones", "give the authority's certificate with ?ca-file=FILE")
        case .wrongName:
            fault("the certificate is for another name", "use the name in the certificate as the host of the target")
        case .expired:
            fault("the certificate is too old, or this machine's clock is wrong", "renew it, or check 'date'")
        case .notYetValid: fault("this machine's clock can be wrong", "check 'date'")
        case .revoked: fault("its authority has revoked the certificate", "renew it")
        case .authorityFile:
            fault("the file of ?ca-file is needed", "check that it exists and is in PEM form")
        case .clientCertificate:
            fault(
                "the server or the library rejects the client's certificate",
                "give one that it accepts with ?cert=FILE,KEY")
        case .handshake:
            fault(
                "client and server do not agree",
                "check the port; a server without TLS needs the scheme without the s")
        }
    }
}

extension Finding {
    static func unknownName(_ found: String) -> Finding {
        .fault(
            .unavailable, found, why: "no name server knows the name, or none answers",
            remedy: "check the name, and the network")
    }

    fileprivate static func missingLibrary(_ found: String, _ package: String) -> Finding {
        .fault(.unavailable, found, why: "it is opened when it is needed", remedy: "run 'sudo apt install \(package)'")
    }
}
