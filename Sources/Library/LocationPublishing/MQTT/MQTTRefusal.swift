/// A reason that a broker gives for refusing a client, a message or a subscription, or for ending a connection.
///
/// The raw values are the reason codes of MQTT 5.
package enum MQTTRefusal: UInt8, Hashable, Sendable, CaseIterable {
    /// The broker gives no reason, or one that has no case of its own.
    case unspecified = 0x80
    /// The broker does not understand what the client has sent.
    case malformed = 0x81
    /// The client has broken the rules of the protocol.
    case protocolError = 0x82
    /// The broker does not take something that the protocol allows.
    case implementation = 0x83
    /// The broker does not speak this version of the protocol.
    case version = 0x84
    /// The broker does not accept the name of the client.
    case clientID = 0x85
    /// The user or the password is wrong.
    case credentials = 0x86
    /// The client is not authorized.
    case notAuthorized = 0x87
    /// The broker is not available.
    case unavailable = 0x88
    /// The broker is busy.
    case busy = 0x89
    /// The broker has banned the client.
    case banned = 0x8A
    /// The broker is shutting down.
    case shuttingDown = 0x8B
    /// Another client has connected with the same name.
    case sessionTakenOver = 0x8E
    /// The broker does not accept the filter of a subscription.
    case filter = 0x8F
    /// The broker does not accept the topic.
    case topic = 0x90
    /// A packet is larger than the broker allows.
    case packetTooLarge = 0x95
    /// The client sends too many messages in a time.
    case messageRate = 0x96
    /// A limit of the broker is exceeded.
    case quota = 0x97
    /// An administrator has ended the connection.
    case administrative = 0x98
    /// The broker does not accept the content of a message.
    case payload = 0x99
    /// The broker keeps no messages for later subscribers.
    case retention = 0x9A
    /// The broker does not acknowledge messages.
    case quality = 0x9B
    /// The client should use another broker.
    case otherBroker = 0x9C
    /// The broker has moved.
    case moved = 0x9D
    /// Clients connect too often.
    case connectionRate = 0x9F

    /// Creates a refusal from a reason code of MQTT 5, or `nil` if the code is none of a refusal.
    package init?(reason code: UInt8) {
        guard code >= 0x80 else { return nil }
        self = MQTTRefusal(rawValue: code) ?? .unspecified
    }

    /// Creates a refusal from the code with which a broker answers a connection over MQTT 3.1.1, or `nil` for another code.
    package init?(version3 code: UInt8) {
        switch code {
        case 1: self = .version
        case 2: self = .clientID
        case 3: self = .unavailable
        case 4: self = .credentials
        case 5: self = .notAuthorized
        default: return nil
        }
    }

    /// Whether another attempt soon will not change the outcome.
    package var isFinal: Bool {
        switch self {
        case .version, .clientID, .credentials, .notAuthorized, .banned, .sessionTakenOver, .filter, .topic,
            .packetTooLarge, .payload, .retention, .quality, .otherBroker, .moved:
            true
        case .unspecified, .malformed, .protocolError, .implementation, .unavailable, .busy, .shuttingDown,
            .messageRate, .quota, .administrative, .connectionRate:
            false
        }
    }

    /// Whether a broker ends a connection for this reason because of a message that it does not accept.
    package var concernsMessages: Bool {
        switch self {
        case .notAuthorized, .topic, .packetTooLarge, .payload, .retention, .quality: true
        default: false
        }
    }
}

extension MQTTRefusal: CustomStringConvertible {
    /// The reason in a few words, which follow a colon.
    package var description: String {
        switch self {
        case .unspecified: "no reason given"
        case .malformed: "malformed packet"
        case .protocolError: "protocol error"
        case .implementation: "not accepted by this broker"
        case .version: "the version of the protocol is not supported"
        case .clientID: "the name of the client is not valid"
        case .credentials: "wrong user or password"
        case .notAuthorized: "not authorized"
        case .unavailable: "not available"
        case .busy: "busy"
        case .banned: "the client is banned"
        case .shuttingDown: "shutting down"
        case .sessionTakenOver: "another client has connected with the same name"
        case .filter: "the filter is not valid"
        case .topic: "the topic is not valid"
        case .packetTooLarge: "the packet is too large"
        case .messageRate: "too many messages in a time"
        case .quota: "quota exceeded"
        case .administrative: "ended by an administrator"
        case .payload: "the content is not valid"
        case .retention: "retained messages are not supported"
        case .quality: "acknowledged messages are not supported"
        case .otherBroker: "another broker is to be used"
        case .moved: "the broker has moved"
        case .connectionRate: "too many connections in a time"
        }
    }
}
