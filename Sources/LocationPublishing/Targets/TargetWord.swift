public import LocationCore

/// The TARGET word of a command line, which names what records are sent to.
///
/// A word never contains a password, so it can be stored and printed; `description` leaves out a query, which can hold a
/// token.
public struct TargetWord: Hashable, Sendable {
    /// A target and where it is.
    public enum Kind: Hashable, Sendable {
        /// OwnTracks over MQTT.
        case ownTracks(BrokerAddress, OwnTracksDevice)
        /// The JSON of `locwatch` on a topic.
        case json(BrokerAddress, MQTTTopic)
        /// Home Assistant's discovery over MQTT.
        case homeAssistant(BrokerAddress)
        /// OwnTracks over HTTP: the user who signs in, and the user and the device if the query has them.
        case ownTracksHTTP(HTTPURL, login: String?, user: String?, device: String?)
        /// Traccar's OsmAnd protocol; without an identifier the name of the machine is used.
        case traccar(HTTPURL, id: String?)
        /// Overland's protocol.
        case overland(HTTPURL)
        /// A webhook, and the user who signs in.
        case webhook(PublishTemplate, login: String?)
        /// NMEA 0183 in datagrams.
        case nmeaDatagrams(host: String, port: UInt16)
        /// NMEA 0183 for clients that connect; without an address, from this machine only.
        case nmeaListener(address: String?, port: UInt16)
        /// Cursor on Target in datagrams.
        case cursorOnTarget(host: String, port: UInt16)
    }

    /// The target.
    public let kind: Kind
    /// The word with visible characters only, and an ellipsis in the place of a query.
    public let description: String
    /// A name for the files that belong to the target: the readable start of the word, and a hash of the whole.
    ///
    /// It is the same in every run of a program. Two words have two names even if they differ only in the query, and the
    /// name shows no part of a path or a query.
    public let fileName: String

    /// Parses a word.
    public init(_ word: String) throws(TargetWordError) {
        guard let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")), word[colon...].hasPrefix("://") else {
            throw .noScheme
        }
        let name = word[..<colon].lowercased()
        guard let scheme = TargetScheme.all.first(where: { $0.name == name }) else { throw .unknownScheme(name) }
        let rest = word[colon...].dropFirst(3)
        let parts = try TargetWordParts(rest, allowsEmptyHost: scheme.allowsEmptyHost)
        kind = try scheme.parse(parts)
        let end = rest.utf8.firstIndex(of: UInt8(ascii: "?"))
        description = VisibleText.of(name + "://" + (end.map { rest[..<$0] + "?…" } ?? rest))
        // The hash stands for the whole word, which is not kept because its query can hold a token.
        let hash = StableHash.of(name, String(rest))
        fileName = Self.readable(name + "-" + parts.host) + "-" + StableHash.digits(hash)
    }
}

extension TargetWord: CustomStringConvertible {
    /// The most characters of a file's name before the hash.
    private static let readableCount = 40

    /// Returns the letters, digits and points of a text, with a hyphen for anything between them.
    private static func readable(_ text: String) -> String {
        var name: [UInt8] = []
        for byte in text.utf8.prefix(readableCount) {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."): name.append(byte)
            default: if name.last != UInt8(ascii: "-") { name.append(UInt8(ascii: "-")) }
            }
        }
        if name.last == UInt8(ascii: "-") { name.removeLast() }
        return String(decoding: name, as: UTF8.self)
    }
}

/// The address of an MQTT broker.
public struct BrokerAddress: Hashable, Sendable {
    /// The name or address of the host, an IPv6 address without brackets.
    public var host: String
    /// The port.
    public var port: UInt16
    /// Whether the connection is encrypted.
    public var isEncrypted: Bool
    /// The user who signs in, if any.
    public var user: String?

    /// Creates an address.
    public init(host: String, port: UInt16, isEncrypted: Bool, user: String? = nil) {
        self.host = host
        self.port = port
        self.isEncrypted = isEncrypted
        self.user = user
    }
}

/// A reason for which a text is not a target.
public enum TargetWordError: Error, Hashable, Sendable {
    /// The text does not begin with a scheme.
    case noScheme
    /// No target has the scheme.
    case unknownScheme(String)
    /// A password is in the word, where other users of the machine could see it.
    case password
    /// The target has no user.
    case unexpectedUser
    /// The host is missing.
    case noHost
    /// The host is neither a name nor an address.
    case badHost(String)
    /// The port is not a number from 1 to 65,535.
    case badPort(String)
    /// Something follows the host that the target does not have.
    case unexpectedPath(String)
    /// The query has a parameter that the target does not have.
    case unexpectedParameter(String)
    /// The topic is not one to publish to.
    case topic(MQTTTopicFault)
    /// The topic begins like one of OwnTracks, but names no user and device.
    case ownTracksTopic
    /// The address is not that of an HTTP resource.
    case url(HTTPURLFault)
    /// The template of a webhook is wrong.
    case template(TemplateError)
}

extension TargetWordError: CustomStringConvertible {
    /// A message for people; it never shows what could be a password.
    public var description: String {
        switch self {
        case .noScheme: "it must begin with one of \(Self.schemes)"
        case .unknownScheme(let name): "unknown scheme \(VisibleText.of(name)); the schemes are \(Self.schemes)"
        case .password:
            "a password must not be in it, because other users could see it: use LOCWATCH_PASSWORD or --password-file"
        case .unexpectedUser: "this kind of target has no user"
        case .noHost: "the host is missing"
        case .badHost(let host):
            "\"\(VisibleText.of(host))\" is neither the name of a host nor an address; an IPv6 address needs brackets"
        case .badPort(let port): "the port \"\(VisibleText.of(port))\" is not a number from 1 to 65535"
        case .unexpectedPath(let path): "unexpected \"\(VisibleText.of(path))\" after the host"
        case .unexpectedParameter(let name): "unexpected parameter \"\(VisibleText.of(name))\""
        case .topic(let fault): fault.description
        case .ownTracksTopic: "a topic in owntracks needs a user and a device, as in owntracks/USER/DEVICE"
        case .url(let fault): fault.description
        case .template(let error): error.description
        }
    }

    private static var schemes: String {
        TargetScheme.all.map { $0.name + "://" }.joined(separator: " ")
    }
}
