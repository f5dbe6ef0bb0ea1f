package import LocationCore
package import LocationGPSD

/// A gpsd on this or another machine.
package struct DaemonSource: SourceKind {
    package static let prefixes = ["gpsd://"]
    package static let help: KeyValuePairs = [
        "(nothing)": "the gpsd on this machine, localhost:2947",
        "HOST, HOST:PORT, HOST:PORT:DEVICE": "a gpsd; an IPv6 address needs brackets",
        "gpsd://HOST:PORT": "the same, as a URL",
    ]

    private let daemon: GPSDEndpoint
    /// Whether the source is one word, which can be a mistyped command or file as well.
    private let isWord: Bool

    init(_ endpoint: GPSDEndpoint) {
        daemon = endpoint
        isWord = false
    }

    package init(_ word: String, prefix: String) throws(UsageError) {
        let word = prefix + word
        guard let endpoint = try? GPSDEndpoint(parsing: word) else { throw .source(word, Self.forms) }
        guard !endpoint.lacksBrackets(in: word) else {
            throw .source(word, "an IPv6 address must be in brackets, as in [::1] or [::1]:2947")
        }
        daemon = endpoint
        isWord = word == endpoint.host
    }

    /// Whether a name ends in a dot and at most four letters, as those of files do.
    private static func endsLikeFile(_ name: String) -> Bool {
        let ending = name.utf8.reversed().prefix { $0 != UInt8(ascii: ".") }
        return ending.count < name.utf8.count && 1...4 ~= ending.count
            && ending.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
    }

    private static let forms =
        "expected host, host:port or host:port:device, with a port from 1 to 65535, as in localhost:2947:/dev/ttyACM0"

    package static func recognizes(_ word: String, exists: (String) -> Bool) -> Bool {
        namesDeviceOfHost(word) && !exists(word)
    }

    /// Whether a word is `host:port:/dev/…`, which contains slashes but is not a path.
    private static func namesDeviceOfHost(_ word: String) -> Bool {
        guard let slash = word.firstIndex(of: "/"), slash > word.startIndex else { return false }
        let before = word[..<slash]
        return before.hasSuffix(":") && (before.hasPrefix("[") || before.count { $0 == ":" } == 2)
    }

    package var endpoint: GPSDEndpoint? { daemon }
    package var isConfinable: Bool { true }

    package var description: String { daemon.url }
    package var place: String { daemon.place + (daemon.device.map { ", \($0)" } ?? "") }
    package func connection(to daemon: String) -> String { "connected to \(daemon) at \(place)" }

    package func open(_ settings: Settings, _ options: SessionOptions) throws(LocationError) -> any LocationProvider {
        var options = options
        if isWord {
            options.requiresHost = options.requiresHost || CommandName.meant(by: daemon.host) != nil
            if Self.endsLikeFile(daemon.host) { options.possibleFile = daemon.host }
        }
        return GPSDLocationSource(daemon, options: options)
    }
}

extension GPSDEndpoint {
    /// Returns whether a text has an IPv6 address without brackets, from which a port cannot be separated.
    func lacksBrackets(in text: String) -> Bool { host.contains(":") && !text.contains("[") }
}

extension SourceWord {
    /// The gpsd on this machine, at its usual port.
    package static let standard = gpsd(GPSDEndpoint())

    package static func gpsd(_ endpoint: GPSDEndpoint) -> SourceWord { SourceWord(DaemonSource(endpoint)) }
}
