import LocationCore

/// A scheme of TARGET words.
///
/// The table ``all`` is the only list of them: words are parsed by it, and help is made from it.
public struct TargetScheme: Sendable {
    /// The name, which stands before `://`.
    public let name: String
    /// A form of the word.
    public let example: String
    /// The protocol or the content, in words.
    public let summary: String
    /// Whether the host may be missing.
    let allowsEmptyHost: Bool
    /// Returns the target of a word, from its parts after the scheme.
    let parse: @Sendable (TargetWordParts) throws(TargetWordError) -> TargetWord.Kind

    init(
        _ name: String, example: String, summary: String, allowsEmptyHost: Bool = false,
        parse: @escaping @Sendable (TargetWordParts) throws(TargetWordError) -> TargetWord.Kind
    ) {
        self.name = name
        self.example = example
        self.summary = summary
        self.allowsEmptyHost = allowsEmptyHost
        self.parse = parse
    }

    /// Returns whether a word begins with the scheme of a target.
    package static func isNamed(by word: String) -> Bool {
        guard let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")), word[colon...].hasPrefix("://") else {
            return false
        }
        let name = word[..<colon].lowercased()
        return all.contains { $0.name == name }
    }

    /// All schemes, in the order of the help.
    public static let all: [TargetScheme] = [
        mqtt("mqtt", isEncrypted: false), mqtt("mqtts", isEncrypted: true),
        homeAssistant("mqtt+ha", isEncrypted: false), homeAssistant("mqtts+ha", isEncrypted: true),
        ownTracks("owntracks+http", .http), ownTracks("owntracks+https", .https),
        traccar("traccar", .http), traccar("traccars", .https),
        overland("overland+http", .http), overland("overland+https", .https),
        webhook("http", .http), webhook("https", .https),
        datagrams, listener, cursorOnTarget,
    ]
}

// MARK: MQTT

extension TargetScheme {
    /// Returns the address of a broker, with the port of MQTT or of MQTT over TLS if the word has none.
    private static func address(_ parts: TargetWordParts, isEncrypted: Bool) -> BrokerAddress {
        BrokerAddress(
            host: parts.host, port: parts.port ?? (isEncrypted ? 8883 : 1883), isEncrypted: isEncrypted,
            user: parts.user)
    }

    private static func mqtt(_ name: String, isEncrypted: Bool) -> TargetScheme {
        TargetScheme(
            name, example: "\(name)://[USER@]HOST[:PORT]/owntracks/USER/DEVICE",
            summary: "OwnTracks over MQTT\(isEncrypted ? " with TLS" : ""); with another topic, JSON"
        ) { parts throws(TargetWordError) in
            let address = address(parts, isEncrypted: isEncrypted)
            do throws(MQTTTopicFault) {
                let topic = try MQTTTopic(String(parts.path))
                let levels = topic.levels
                guard levels.first == "owntracks" else { return .json(address, topic) }
                if levels.count == 3 {
                    return .ownTracks(address, try OwnTracksDevice(user: levels[1], device: levels[2]))
                }
            } catch {
                throw .topic(error)
            }
            throw .ownTracksTopic
        }
    }

    private static func homeAssistant(_ name: String, isEncrypted: Bool) -> TargetScheme {
        TargetScheme(
            name, example: "\(name)://[USER@]HOST[:PORT]",
            summary: "Home Assistant's discovery over MQTT\(isEncrypted ? " with TLS" : "")"
        ) { parts throws(TargetWordError) in
            try parts.requireNoPath()
            return .homeAssistant(address(parts, isEncrypted: isEncrypted))
        }
    }
}

// MARK: HTTP

extension TargetScheme {
    private static func ownTracks(_ name: String, _ scheme: HTTPURL.Scheme) -> TargetScheme {
        TargetScheme(
            name, example: "\(name)://[USER@]HOST[:PORT]/PATH[?u=USER&d=DEVICE]",
            summary: "OwnTracks over HTTP\(scheme == .https ? "S" : "")"
        ) { parts throws(TargetWordError) in
            let url = try parts.url(scheme)
            let parameters = url.parameters
            return .ownTracksHTTP(
                url, login: parts.user, user: parameters.first { $0.name == "u" }?.value ?? parts.user,
                device: parameters.first { $0.name == "d" }?.value)
        }
    }

    private static func traccar(_ name: String, _ scheme: HTTPURL.Scheme) -> TargetScheme {
        TargetScheme(
            name, example: "\(name)://HOST[:5055]?id=ID",
            summary: "Traccar's OsmAnd protocol\(scheme == .https ? " with TLS" : "")"
        ) { parts throws(TargetWordError) in
            try parts.requireNoUser()
            let url = try parts.url(scheme, defaultPort: 5055)
            var id: String?
            for (name, value) in url.parameters {
                guard name == "id" else { throw .unexpectedParameter(name) }
                if !value.isEmpty { id = value }
            }
            return .traccar(url.withoutQuery, id: id)
        }
    }

    private static func overland(_ name: String, _ scheme: HTTPURL.Scheme) -> TargetScheme {
        TargetScheme(
            name, example: "\(name)://HOST[:PORT]/PATH", summary: "Overland: batches of GeoJSON features"
        ) { parts throws(TargetWordError) in
            try parts.requireNoUser()
            return .overland(try parts.url(scheme))
        }
    }

    private static func webhook(_ name: String, _ scheme: HTTPURL.Scheme) -> TargetScheme {
        TargetScheme(
            name, example: "\(name)://[USER@]HOST[:PORT]/PATH?lat=%{lat}&lon=%{lon}",
            summary: "any web server: a template of the address, or JSON in the body"
        ) { parts throws(TargetWordError) in
            let template: PublishTemplate
            do throws(TemplateError) {
                // The slash after the host makes a value in the host impossible.
                let rest = parts.rest.hasPrefix("/") ? parts.rest : "/" + parts.rest
                template = try PublishTemplate("\(scheme.rawValue)://\(parts.authority(nil))\(rest)")
            } catch {
                throw .template(error)
            }
            do throws(HTTPError) {
                try WebhookTarget.validate(template)
            } catch {
                if case .invalidURL(let fault) = error { throw .url(fault) }
                throw .url(.character)
            }
            return .webhook(template, login: parts.user)
        }
    }
}

// MARK: Streams

extension TargetScheme {
    private static let nmeaPort: UInt16 = 10110
    private static let cursorOnTargetPort: UInt16 = 6969

    private static let datagrams = TargetScheme(
        "udp", example: "udp://HOST[:10110]", summary: "NMEA 0183 in datagrams, for chart plotters"
    ) { parts throws(TargetWordError) in
        try parts.requireNoUser()
        try parts.requireNoPath()
        return .nmeaDatagrams(host: parts.host, port: parts.port ?? nmeaPort)
    }

    private static let listener = TargetScheme(
        "tcp-listen", example: "tcp-listen://[ADDRESS][:10110]", summary: "NMEA 0183 for programs that connect",
        allowsEmptyHost: true
    ) { parts throws(TargetWordError) in
        try parts.requireNoUser()
        try parts.requireNoPath()
        return .nmeaListener(address: parts.host.isEmpty ? nil : parts.host, port: parts.port ?? nmeaPort)
    }

    private static let cursorOnTarget = TargetScheme(
        "cot+udp", example: "cot+udp://239.2.3.1[:6969]", summary: "Cursor on Target, for ATAK and WinTAK"
    ) { parts throws(TargetWordError) in
        try parts.requireNoUser()
        try parts.requireNoPath()
        return .cursorOnTarget(host: parts.host, port: parts.port ?? cursorOnTargetPort)
    }
}
