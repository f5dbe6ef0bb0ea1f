import LocationCore

/// A parameter in the query of a TARGET word that is for the target itself, and not for its server.
///
/// A scheme lists its parameters. They are taken out of the query before the word is used, and are no part of the identity of a
/// target with a host. A parameter of a server that has the same name is written with a percent-encoded letter, as in `%6Dethod=get`.
package struct TargetParameter: Sendable {
    package let name: String
    /// The meaning, as the help lists it.
    package let meaning: String
    /// The description of the valid values; empty for a parameter without a value.
    let allowed: String
    /// Whether a server can have a parameter of this name, to which every other value belongs.
    var isShared = false
    let accepts: @Sendable (String) -> Bool

    /// The parameter as the help lists it.
    package var form: String { "?\(name)" + (allowed.isEmpty ? "" : "=") }

    /// All parameters, in the order of the help.
    package static let all = [newest, ordered, tracker, client, discovery, method, sentences] + encryption
    /// The parameters of every target with TLS.
    package static let encryption = [authorityFile, certificate]

    /// The characters that stand for the device on a map of OwnTracks.
    static let tracker = TargetParameter(
        name: "tracker", meaning: "OwnTracks: the characters on the map, as in ?tracker=AB",
        allowed: "one or two visible characters"
    ) { $0.count <= 2 && isVisible($0, limit: 20) }

    static let client = TargetParameter(
        name: "client", meaning: "MQTT: the name of the connection, which must be unique",
        allowed: "1 to 23 bytes of visible characters"
    ) { isVisible($0, limit: 23) }

    static let discovery = TargetParameter(
        name: "discovery", meaning: "Home Assistant: the first part of the topics", allowed: "a topic"
    ) { (try? MQTTTopic($0)) != nil }

    /// Sends only the newest of the records that wait during an outage.
    static let newest = TargetParameter(
        name: "newest", meaning: "MQTT, HTTP, tcp+text: send only the newest position after an outage", allowed: "",
        isShared: true, accepts: \.isEmpty)

    /// Sends nothing ahead of the records that wait during an outage, for a log or a database at the other end.
    static let ordered = TargetParameter(
        name: "ordered", meaning: "MQTT, HTTP: send what waited in the order of time, not the newest first",
        allowed: "", isShared: true, accepts: \.isEmpty)

    static let method = TargetParameter(
        name: "method", meaning: "webhook: get, post, put or patch", allowed: "get, post, put or patch", isShared: true
    ) { ["get", "post", "put", "patch"].contains($0.lowercased()) }

    static let sentences = TargetParameter(
        name: "sentences", meaning: "NMEA: the sentences to send, as in ?sentences=GGA,RMC",
        allowed: "types from " + NMEASentenceType.allCases.map(\.rawValue).joined(separator: ",")
    ) { NMEASentenceType.types(in: $0) != nil }

    static let authorityFile = TargetParameter(
        name: "ca-file", meaning: "TLS: trust the authorities in FILE, and not the system's",
        allowed: "the path of a file", accepts: isPath)

    static let certificate = TargetParameter(
        name: "cert", meaning: "TLS: a client certificate and its key, as in ?cert=FILE,KEY, or one FILE with both",
        allowed: "the path of a file, or of two separated by a comma"
    ) { files in
        let files = files.split(separator: ",", omittingEmptySubsequences: false)
        return files.count <= 2 && files.allSatisfy { isPath(String($0)) }
    }

    /// Returns a value, or throws what is valid.
    func checked(_ value: String) throws(PublishError) -> String {
        guard accepts(value) else { throw .badParameter(name, allowed: allowed) }
        return value
    }

    @Sendable private static func isPath(_ text: String) -> Bool { isVisible(text, limit: 4096) }

    private static func isVisible(_ text: String, limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count) && !text.unicodeScalars.contains(where: VisibleText.isHidden)
    }
}

/// A parameter of release 0.5 that still works, with what takes its place.
package struct FormerParameter: Hashable, Sendable {
    /// The parameter as it was written.
    package let spelling: String
    package let advice: String
    /// The parameter that takes its place, or `nil` if none is needed.
    let newName: String?

    /// The order of what waits, for the targets that had the parameter.
    ///
    /// The help does not show it, so that it is not in the list of all parameters.
    static var order: TargetParameter {
        TargetParameter(name: "order", meaning: "", allowed: "oldest or newest") { ["oldest", "newest"].contains($0) }
    }

    /// Creates `?order=` with its value.
    init(order value: String) {
        (newName, advice) =
            value == "oldest"
            ? (TargetParameter.ordered.name, "write \(TargetParameter.ordered.form)")
            : (nil, "it has no effect, because that is the usual order")
        spelling = "?\(Self.order.name)=\(value)"
    }
}
