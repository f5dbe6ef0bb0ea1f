/// A reason that a broker gives for refusing a client, a message or a subscription, or for ending a connection.
///
/// The raw values are the reason codes of MQTT 5.
package enum MQTTRefusal: UInt8, Hashable, Sendable, CaseIterable {
    case unspecified = 0x80
    case malformed = 0x81
    case protocolError = 0x82
    case implementation = 0x83
    case version = 0x84
    case clientID = 0x85
    case credentials = 0x86
    case notAuthorized = 0x87
    case unavailable = 0x88
    case busy = 0x89
    case banned = 0x8A
    case shuttingDown = 0x8B
    case sessionTakenOver = 0x8E
    case filter = 0x8F
    case topic = 0x90
    case packetTooLarge = 0x95
    case messageRate = 0x96
    case quota = 0x97
    case administrative = 0x98
    case payload = 0x99
    case retention = 0x9A
    case quality = 0x9B
    case otherBroker = 0x9C
    case moved = 0x9D
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

    /// Whether the reason is the content of one message, and not what the client may do.
    package var concernsContent: Bool { self == .packetTooLarge || self == .payload }

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
