package import LocationCore
package import LocationPublishing

/// A fleet, whose devices publish their positions to an MQTT broker.
package struct FleetSource: SourceKind {
    package static let prefixes = ["mqtt://", "mqtts://"]
    package static let help: KeyValuePairs = [
        "mqtt://[USER@]HOST[:PORT]/FILTER":
            "a fleet, from a broker (not for publish and time); FILTER is a topic with + and # (default \(MQTTLocationSource.standardFilter))",
        "mqtts://...[?ca-file=FILE&cert=FILE,KEY]":
            "the same, encrypted; with authorities to trust instead of the system's, and a certificate of the client",
    ]

    private static let plainPort: UInt16 = 1883
    private static let encryptedPort: UInt16 = 8883

    package let host: String
    package let port: UInt16
    let user: String?
    package let filter: String
    let isEncrypted: Bool
    private let encryption: MQTTSettings.Encryption
    /// The parameters as they were given, with a question mark before them.
    private let query: String

    package init(_ word: String, prefix: String) throws(UsageError) {
        isEncrypted = prefix == Self.prefixes[1]
        var parts: TargetWordParts
        do throws(PublishError) {
            parts = try TargetWordParts(word[...], allowsEmptyHost: false)
            if isEncrypted { try parts.take(TargetParameter.encryption) }
            try parts.requireNoQuery()
        } catch {
            // The word may contain a password.
            throw error == .password
                ? UsageError("invalid SOURCE: \(error)") : .source(prefix + word, error.description)
        }
        encryption = parts.encryption
        query = SourceQuery(word).text
        host = parts.host
        port = parts.port ?? (isEncrypted ? Self.encryptedPort : Self.plainPort)
        user = parts.user
        let path = parts.rest.hasPrefix("/") ? String(parts.rest.dropFirst()) : parts.rest
        filter = path.isEmpty ? MQTTLocationSource.standardFilter : path
        if let fault = Self.fault(of: filter) { throw .source(prefix + word, fault) }
    }

    /// Returns the reason for which a text is not a filter of topics, or `nil` if it is one.
    private static func fault(of filter: String) -> String? {
        let levels = filter.split(separator: "/", omittingEmptySubsequences: false)
        if filter.utf8.count > 1000 { return "the filter has more than 1000 bytes" }
        if filter.unicodeScalars.contains(where: VisibleText.isHidden) {
            return "the filter must not contain a control character"
        }
        for (index, level) in levels.enumerated() {
            if level.isEmpty { return "the filter must not have an empty part between slashes, or end with one" }
            if level.utf8.count > 1, level.utf8.contains(where: { "+#".utf8.contains($0) }) {
                return "+ and # must each be a whole part between slashes, as in owntracks/+/+"
            }
            if level == "#", index < levels.count - 1 { return "# must be the last part, as in owntracks/#" }
        }
        return nil
    }

    package var fleet: FleetSource? { self }
    package var isFleet: Bool { true }
    package var takesPassword: Bool { true }
    package var isConfinable: Bool { true }
    package var certificates: [String] { encryption.files }

    package var description: String {
        let scheme = Self.prefixes[isEncrypted ? 1 : 0]
        return scheme + (user.map { PercentEncoding.encode($0) + "@" } ?? "") + "\(address)/\(filter)" + query
    }

    package var place: String { "the fleet \(filter) at \(address)" }

    package func connection(to daemon: String) -> String { "connected to the broker at \(address)" }

    private var address: String { AddressAuthority.text(host, port) }

    package func open(_ settings: Settings, _ options: SessionOptions) throws(LocationError) -> any LocationProvider {
        var broker = try broker(settings)
        broker.connectionTimeout = options.timeouts.connecting
        return MQTTLocationSource(broker, filter: filter, options: options)
    }

    package func broker(_ settings: Settings) throws(LocationError) -> MQTTSettings {
        var broker = MQTTSettings(host: host, port: port, clientID: "locwatch")
        broker.user = user
        broker.password = try settings.connectionPassword()
        if isEncrypted { broker.encryption = encryption }
        return broker
    }
}
