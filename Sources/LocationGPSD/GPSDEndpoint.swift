/// Where a gpsd listens, and which of its devices is meant.
public struct GPSDEndpoint: Hashable, Sendable {
    /// The host's name or address; an IPv6 address without brackets.
    public var host: String
    /// The port's number or the name of its service.
    public var port: String
    /// Only this device of the daemon.
    public var device: String?

    /// An endpoint; all that is left out is gpsd's own default.
    public init(host: String = "localhost", port: String = "2947", device: String? = nil) {
        self.host = host
        self.port = port
        self.device = device
    }

    /// What is wrong with the text of an endpoint.
    public enum Fault: Error, Hashable, Sendable {
        /// There is nothing where the host should be.
        case noHost
        /// There is nothing where the port should be, or something that is neither a number nor a service's name.
        case badPort(String)
        /// A bracket without its other half, or an address that needs brackets.
        case badBrackets
    }

    /// Reads `host`, `host:port`, `host:port:device`, `[v6]:port:device`, or `gpsd://` before any of these.
    ///
    /// The device may hold colons, as `/dev/serial/by-path` does. Several colons without a bracket and without a device
    /// are an IPv6 address.
    public init(parsing text: String) throws(Fault) {
        let scheme = "gpsd://"
        let isURL = text.hasPrefix(scheme)
        var rest = isURL ? text.dropFirst(scheme.count) : Substring(text)
        self.init()
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { throw .badBrackets }
            host = String(rest[rest.index(after: rest.startIndex)..<end])
            rest = rest[rest.index(after: end)...]
            guard rest.isEmpty || rest.first == ":" || (isURL && rest.first == "/") else { throw .badBrackets }
        } else if Self.isBareAddress(rest) {
            host = String(rest)
            rest = ""
        } else {
            let end = rest.firstIndex { $0 == ":" || (isURL && $0 == "/") } ?? rest.endIndex
            host = String(rest[..<end])
            rest = rest[end...]
        }
        guard !host.isEmpty else { throw .noHost }
        if rest.first == ":" {
            rest = rest.dropFirst()
            let end = rest.firstIndex { $0 == ":" || (isURL && $0 == "/") } ?? rest.endIndex
            port = String(rest[..<end])
            guard Self.isPort(port) else { throw .badPort(port) }
            rest = rest[end...]
        }
        // In a URL the path is the device; gpsd's own form has it after another colon.
        if rest.first == ":" { rest = rest.dropFirst() }
        if !rest.isEmpty, rest != "/" { device = String(rest) }
    }

    /// An IPv6 address without brackets: colons, hexadecimal digits, an IPv4 tail or a zone, and no path.
    private static func isBareAddress(_ text: Substring) -> Bool {
        guard text.count(where: { $0 == ":" }) >= 2 else { return false }
        let address = text.prefix { $0 != "%" }
        return address.allSatisfy { $0 == ":" || $0 == "." || $0.isHexDigit }
    }

    private static func isPort(_ text: String) -> Bool {
        if let number = Int(text) { return 1...65_535 ~= number }
        return text.first?.isLetter == true && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    }

    /// Whether the daemon runs on this machine, so that its devices' paths are this machine's.
    public var isLocal: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }
}

extension GPSDEndpoint: CustomStringConvertible {
    /// `host:port` or `host:port:device`, as it can be read again.
    public var description: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return "\(host):\(port)" + (device.map { ":\($0)" } ?? "")
    }
}
