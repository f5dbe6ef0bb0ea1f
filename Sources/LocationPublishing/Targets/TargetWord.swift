import LocationCore

/// A target as it is named on a command line, such as `mqtt://broker/owntracks/anna/van`.
public struct TargetWord: Hashable, Sendable {
    /// The address of a server.
    public struct Endpoint: Hashable, Sendable {
        /// The name or the address of the host, an IPv6 address without brackets.
        public var host: String
        /// The port.
        public var port: UInt16

        /// Creates an address.
        public init(host: String, port: UInt16) {
            self.host = host
            self.port = port
        }
    }

    /// The protocol and the address of a target.
    public enum Kind: Hashable, Sendable {
        /// OwnTracks over MQTT.
        case ownTracks(Endpoint, isEncrypted: Bool, signIn: String?, user: String, device: String)
        /// locwatch's own JSON over MQTT.
        case json(Endpoint, isEncrypted: Bool, signIn: String?, topic: String)
        /// Home Assistant over MQTT.
        case homeAssistant(Endpoint, isEncrypted: Bool, signIn: String?)
        /// OwnTracks over HTTP.
        case ownTracksHTTP(HTTPURL)
        /// Traccar.
        case traccar(HTTPURL, identifier: String)
        /// Overland.
        case overland(HTTPURL)
        /// A webhook.
        case webhook(PublishTemplate)
        /// NMEA over UDP.
        case nmea(Endpoint)
        /// NMEA for readers that connect over TCP.
        case nmeaServer(Endpoint)
        /// Cursor on Target over UDP.
        case cursorOnTarget(Endpoint)
    }

    /// A form of the word, for the help.
    public struct Form: Sendable {
        /// The form, such as `udp://HOST[:10110]`.
        public let term: String
        /// The protocol.
        public let meaning: String
        fileprivate let prefixes: [String]
        fileprivate let parse: @Sendable (String, String) throws(Fault) -> Kind
    }

    /// The reason for which a word names no target; its description says what to write instead.
    public struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// The message for people; it contains no password.
        public let description: String

        init(_ description: String) { self.description = description }
    }

    /// The word as it was given, which contains no password.
    public let text: String
    /// The protocol and the address.
    public let kind: Kind

    /// Parses a word.
    public init(_ text: String) throws(Fault) {
        guard text.utf8.count <= 2_000 else { throw Fault("it has more than 2000 bytes") }
        for form in Self.forms {
            for prefix in form.prefixes where text.hasPrefix(prefix) {
                kind = try form.parse(prefix, String(text.dropFirst(prefix.count)))
                self.text = text
                return
            }
        }
        throw Fault("it must begin with one of " + Self.forms.flatMap(\.prefixes).joined(separator: ", "))
    }

    /// All forms of the word; a new target is one entry.
    public static let forms: [Form] = [
        Form(
            term: "mqtt[s]://[USER@]HOST[:PORT]/owntracks/USER/DEVICE", meaning: "OwnTracks over MQTT",
            prefixes: ["mqtt://", "mqtts://"]
        ) { (prefix, rest) throws(Fault) in
            let (address, topic) = Self.split(rest)
            let (signIn, endpoint) = try Self.broker(address, isEncrypted: prefix == "mqtts://")
            let levels = topic.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            try Self.check(topic: topic)
            if levels.first == "owntracks" {
                guard levels.count == 3, levels.allSatisfy({ !$0.isEmpty }) else {
                    throw Fault("an OwnTracks topic has three parts: owntracks/USER/DEVICE")
                }
                return .ownTracks(
                    endpoint, isEncrypted: prefix == "mqtts://", signIn: signIn, user: levels[1], device: levels[2])
            }
            return .json(endpoint, isEncrypted: prefix == "mqtts://", signIn: signIn, topic: topic)
        },
        Form(
            term: "mqtt[s]+ha://[USER@]HOST[:PORT]", meaning: "Home Assistant by MQTT discovery",
            prefixes: ["mqtt+ha://", "mqtts+ha://"]
        ) { (prefix, rest) throws(Fault) in
            let isEncrypted = prefix == "mqtts+ha://"
            let (address, topic) = Self.split(rest)
            guard topic.isEmpty else { throw Fault("nothing may follow the host") }
            let (signIn, endpoint) = try Self.broker(address, isEncrypted: isEncrypted)
            return .homeAssistant(endpoint, isEncrypted: isEncrypted, signIn: signIn)
        },
        Form(
            term: "owntracks+http[s]://HOST[:PORT]/PATH", meaning: "OwnTracks over HTTP",
            prefixes: ["owntracks+http://", "owntracks+https://"]
        ) { (prefix, rest) throws(Fault) in .ownTracksHTTP(try Self.url(prefix, rest)) },
        Form(
            term: "traccar[s]://HOST[:5055]?id=IDENTIFIER", meaning: "Traccar (the OsmAnd protocol)",
            prefixes: ["traccar://", "traccars://"]
        ) { (prefix, rest) throws(Fault) in
            let url = try Self.url(prefix == "traccar://" ? "http://" : "https://", rest, defaultPort: 5055)
            guard let query = url.query, query.hasPrefix("id="), query.utf8.count > 3,
                let identifier = Self.decoded(String(query.dropFirst(3)))
            else { throw Fault("the identifier of the device in Traccar is missing: add ?id=IDENTIFIER") }
            return .traccar(url, identifier: identifier)
        },
        Form(
            term: "overland+http[s]://HOST[:PORT]/PATH", meaning: "Overland batches",
            prefixes: ["overland+http://", "overland+https://"]
        ) { (prefix, rest) throws(Fault) in .overland(try Self.url(prefix, rest)) },
        Form(
            term: "http[s]://…[%{lat}…]", meaning: "a webhook: JSON by POST, or a GET with words such as %{lat} in it",
            prefixes: ["http://", "https://"]
        ) { (prefix, rest) throws(Fault) in
            let template: PublishTemplate
            do throws(PublishTemplate.Fault) {
                template = try PublishTemplate(prefix + rest)
            } catch {
                throw Fault(error.description)
            }
            _ = try Self.url(prefix, String(template.text(for: .example).dropFirst(prefix.count)))
            return .webhook(template)
        },
        Form(term: "udp://HOST[:10110]", meaning: "NMEA 0183 by UDP", prefixes: ["udp://"]) {
            (_, rest) throws(Fault) in .nmea(try Self.endpoint(rest, defaultPort: 10_110))
        },
        Form(
            term: "tcp-listen://[ADDRESS][:10110]",
            meaning: "NMEA 0183 for programs that connect (default: this machine)",
            prefixes: ["tcp-listen://"]
        ) { (_, rest) throws(Fault) in
            .nmeaServer(
                try Self.endpoint(rest.isEmpty || rest.hasPrefix(":") ? "127.0.0.1" + rest : rest, defaultPort: 10_110))
        },
        Form(term: "cot+udp://HOST[:6969]", meaning: "Cursor on Target by UDP, for TAK", prefixes: ["cot+udp://"]) {
            (_, rest) throws(Fault) in .cursorOnTarget(try Self.endpoint(rest, defaultPort: 6_969))
        },
    ]

    private static func split(_ rest: String) -> (address: String, topic: String) {
        guard let slash = rest.firstIndex(of: "/") else { return (rest, "") }
        return (String(rest[..<slash]), String(rest[rest.index(after: slash)...]))
    }

    private static func broker(_ address: String, isEncrypted: Bool) throws(Fault) -> (String?, Endpoint) {
        var address = address
        var user: String?
        if let at = address.lastIndex(of: "@") {
            let name = String(address[..<at])
            guard !name.utf8.contains(UInt8(ascii: ":")) else { throw secret }
            guard let name = decoded(name), !name.isEmpty else { throw Fault("the name of the user is invalid") }
            user = name
            address = String(address[address.index(after: at)...])
        }
        return (user, try endpoint(address, defaultPort: isEncrypted ? 8883 : 1883))
    }

    private static var secret: Fault {
        Fault("a password must not be in it, because other users can see it: use LOCWATCH_PASSWORD or --password-file")
    }

    /// Parses a host and a port.
    private static func endpoint(_ text: String, defaultPort: UInt16) throws(Fault) -> Endpoint {
        // The rules for a host are those of a URL.
        let url = try Self.url("http://", text, defaultPort: defaultPort)
        guard url.path == "/", url.query == nil, !text.hasSuffix("/") else {
            throw Fault("nothing may follow the port")
        }
        return Endpoint(host: url.host, port: url.port)
    }

    private static func url(_ prefix: String, _ rest: String, defaultPort: UInt16? = nil) throws(Fault) -> HTTPURL {
        let scheme = prefix.hasSuffix("https://") ? "https://" : "http://"
        do throws(HTTPError) {
            var url = try HTTPURL(scheme + rest)
            if let defaultPort, !hasPort(rest) {
                url = HTTPURL(scheme: url.scheme, host: url.host, port: defaultPort, path: url.path, query: url.query)
            }
            return url
        } catch {
            guard case .invalidURL(let fault) = error else { throw Fault("\(error)") }
            throw fault == .credentials ? secret : Fault("\(fault)")
        }
    }

    private static func hasPort(_ rest: String) -> Bool {
        let address = rest.utf8.prefix { ![UInt8(ascii: "/"), UInt8(ascii: "?")].contains($0) }
        guard let colon = address.lastIndex(of: UInt8(ascii: ":")) else { return false }
        return address.lastIndex(of: UInt8(ascii: "]")).map { $0 < colon } ?? true
    }

    private static func check(topic: String) throws(Fault) {
        guard !topic.isEmpty else { throw Fault("the topic is missing, as in mqtt://HOST/owntracks/USER/DEVICE") }
        guard !topic.hasPrefix("/") else { throw Fault("a topic must not begin with a slash") }
        guard topic.utf8.count <= 1_000 else { throw Fault("the topic has more than 1000 bytes") }
        for scalar in topic.unicodeScalars {
            guard !["+", "#"].contains(scalar), !VisibleText.isHidden(scalar) else {
                throw Fault("a topic must not contain +, # or control characters")
            }
        }
        guard !topic.hasPrefix("$") else { throw Fault("topics that begin with $ belong to the broker") }
    }

    /// Returns text without percent encoding, or `nil` if it is not valid.
    private static func decoded(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8.makeIterator()
        func digit(_ byte: UInt8?) -> UInt8? {
            byte.flatMap { Character(UnicodeScalar($0)).hexDigitValue }.map(UInt8.init)
        }
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = digit(rest.next()), let low = digit(rest.next()) else { return nil }
            bytes.append(high << 4 | low)
        }
        let decoded = String(decoding: bytes, as: UTF8.self)
        return decoded.unicodeScalars.contains(where: VisibleText.isHidden) ? nil : decoded
    }
}

extension PublishTemplate.Fault: CustomStringConvertible {
    /// A message for people.
    public var description: String {
        switch self {
        case .unknownWord(let word):
            "unknown word %{\(VisibleText.of(word))}; the words are " + PublishTemplate.words.joined(separator: ", ")
        case .unfinished: "a %{ in it has no closing brace"
        }
    }
}
