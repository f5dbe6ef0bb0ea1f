import LocationCore
import LocationGPSD

/// A gpsd, of this machine or of another.
struct DaemonSource: Source {
    static let prefixes = ["gpsd://"]
    static let help = [
        (term: "(nothing)", meaning: "the gpsd of this machine, localhost:2947"),
        (term: "HOST, HOST:PORT, HOST:PORT:DEVICE", meaning: "a gpsd; an IPv6 address stands in brackets"),
        (term: "gpsd://HOST:PORT", meaning: "the same, in full"),
    ]

    var endpoint: GPSDEndpoint

    init(_ endpoint: GPSDEndpoint) { self.endpoint = endpoint }

    init(_ word: String, prefix: String) throws(UsageError) {
        let word = prefix + word
        guard let endpoint = try? GPSDEndpoint(parsing: word) else { throw .source(word, Self.forms) }
        guard !endpoint.lacksBrackets(in: word) else {
            throw .source(word, "an IPv6 address stands in brackets, as in [::1] or [::1]:2947")
        }
        self.endpoint = endpoint
    }

    private static let forms =
        "a gpsd is host, host:port or host:port:device, with a port from 1 to 65535, as in localhost:2947:/dev/ttyACM0"

    static func recognizes(_ word: String, exists: (String) -> Bool) -> Bool {
        namesDeviceOfHost(word) && !exists(word)
    }

    /// Whether a word is `host:port:/dev/…`, which contains slashes and is no path all the same.
    private static func namesDeviceOfHost(_ word: String) -> Bool {
        guard let slash = word.firstIndex(of: "/"), slash > word.startIndex else { return false }
        let before = word[..<slash]
        return before.hasSuffix(":") && (before.hasPrefix("[") || before.count { $0 == ":" } == 2)
    }

    var isLive: Bool { true }
    var description: String { endpoint.url }
    var place: String { endpoint.place + (endpoint.device.map { ", \($0)" } ?? "") }
    func connection(to daemon: String) -> String { "connected to \(daemon) at \(place)" }

    func open(_ settings: Settings, _ options: SessionOptions) throws(LocationError) -> any LocationProvider {
        var options = options
        // A word without a port and a device may be a command that was mistyped.
        options.requiresHost = endpoint == GPSDEndpoint(host: endpoint.host) && MistakenHost(endpoint.host) != nil
        return GPSDLocationSource(endpoint, options: options)
    }

    func device(_ settings: Settings) -> String? { settings.device ?? endpoint.device }
}

extension GPSDEndpoint {
    /// Whether a text spells an IPv6 address without its brackets, so that a port cannot be told from the rest.
    func lacksBrackets(in text: String) -> Bool { host.contains(":") && !text.contains("[") }
}

extension SourceWord {
    /// The daemon of this machine.
    static let standard = gpsd(GPSDEndpoint())

    static func gpsd(_ endpoint: GPSDEndpoint) -> SourceWord { SourceWord(DaemonSource(endpoint)) }

    /// Where the daemon listens, if the source is one.
    var endpoint: GPSDEndpoint? { (source as? DaemonSource)?.endpoint }
}
