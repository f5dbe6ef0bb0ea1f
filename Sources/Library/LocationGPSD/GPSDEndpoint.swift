public import LocationCore
package import LocwatchPlatform

/// The address of a gpsd, and optionally one of its devices.
public struct GPSDEndpoint: Hashable, Sendable {
    /// The host's name or address; an IPv6 address without brackets.
    public var host: String
    /// The port's number or the name of its service.
    public var port: String
    /// The path of the only device to watch, or `nil` for all.
    public var device: String?
    /// The port of a gpsd that is given none.
    public static let usualPort = String(GPSDArguments.usualPort)
    /// The socket to connect to instead of the host and the port, if any.
    package let socket: UnlinkedSocket?

    /// Creates an endpoint; omitted parts are gpsd's defaults.
    public init(host: String = "localhost", port: String = GPSDEndpoint.usualPort, device: String? = nil) {
        self.host = host
        self.port = port
        self.device = device
        socket = nil
    }

    /// The endpoint of a daemon at a socket of this process; host and port appear in messages only.
    init(_ socket: UnlinkedSocket) {
        host = "the private gpsd"
        port = ""
        self.socket = socket
    }

    /// Parses `host`, `host:port`, `host:port:device`, `[v6]:port:device`, or `gpsd://` before any of these.
    ///
    /// An empty host or port, as in `:2948` and `pi::/dev/ttyUSB0`, is the default. The device may hold colons,
    /// as `/dev/serial/by-path` does. Several colons without a bracket and without a device are an IPv6 address.
    ///
    /// - Parameters:
    ///   - text: The endpoint.
    ///   - defaultPort: The port if the text has none.
    public init(parsing text: String, defaultPort: String = GPSDEndpoint.usualPort) throws(InvalidValue) {
        let scheme = "gpsd://"
        let isURL = text.hasPrefix(scheme)
        var rest = isURL ? text.dropFirst(scheme.count) : Substring(text)
        self.init(port: defaultPort)
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { throw .badBrackets }
            host = String(rest[rest.index(after: rest.startIndex)..<end])
            guard !host.isEmpty else { throw .noHost }
            guard Self.isAddress(host) else { throw .badBrackets }
            rest = rest[rest.index(after: end)...]
            guard rest.isEmpty || rest.first == ":" || (isURL && rest.first == "/") else { throw .badBrackets }
        } else if Self.isBareAddress(rest) {
            host = String(rest)
            rest = ""
        } else {
            guard isURL || !rest.isEmpty else { throw .noHost }
            let name = rest.prefix { $0 != ":" && !(isURL && $0 == "/") }
            guard name.unicodeScalars.allSatisfy(Self.isInName) else { throw .badHost(String(name)) }
            if !name.isEmpty { host = String(name) }
            rest = rest[name.endIndex...]
        }
        if rest.first == ":" {
            let given = rest.dropFirst().prefix { $0 != ":" && !(isURL && $0 == "/") }
            guard given.isEmpty || Self.isPort(given) else { throw .badPort(String(given)) }
            if !given.isEmpty { port = String(given) }
            rest = rest[given.endIndex...]
        }
        // In a URL the path is the device; gpsd's own form has it after another colon.
        if rest.first == ":" {
            rest = rest.dropFirst()
            guard !rest.isEmpty else { throw .noDevice }
        }
        if !rest.isEmpty, rest != "/" { device = String(rest) }
    }

    /// Returns whether a text is a bare IPv6 address: more colons than in `host:port:device`, or an empty group.
    private static func isBareAddress(_ text: Substring) -> Bool {
        (text.count { $0 == ":" } > 2 || text.containsBytes(of: "::")) && isAddress(text)
    }

    /// Returns whether a text is an IPv6 address, perhaps with an IPv4 tail or with a zone, as in `fe80::1%eth0`.
    private static func isAddress(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        return parts[0].contains(":")
            && parts[0].allSatisfy { $0.isASCII && ($0.isHexDigit || $0 == ":" || $0 == ".") }
            && (parts.count == 1 || !parts[1].isEmpty && parts[1].unicodeScalars.allSatisfy(isInName))
    }

    private static func isInName(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return scalar.properties.isAlphabetic || scalar.properties.numericType != nil }
        return switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_", "%": true
        default: false
        }
    }

    private static func isPort(_ text: Substring) -> Bool {
        AddressAuthority.isPort(text)
            || text.first?.isLetter == true
                && text.unicodeScalars.allSatisfy { isInName($0) && $0 != "." && $0 != "%" }
    }

    /// Whether the daemon runs on this machine, so that the paths of its devices are valid here.
    package var isLocal: Bool {
        socket != nil || host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }
}

/// The reasons why a text is not an endpoint.
extension InvalidValue {
    static let noHost = InvalidValue("the host is missing")
    static let noDevice = InvalidValue("the device after the last colon is missing")
    static let badBrackets = InvalidValue("brackets must enclose an IPv6 address, as in [::1]:2947")

    static func badHost(_ host: String) -> InvalidValue {
        InvalidValue("\"\(VisibleText.of(host))\" is neither the name of a host nor an address")
    }

    static func badPort(_ port: String) -> InvalidValue {
        InvalidValue(
            "the port \"\(VisibleText.of(port))\" is neither a number from 1 to 65535 nor the name of a service")
    }
}

extension GPSDEndpoint: CustomStringConvertible {
    /// `host:port` or `host:port:device`, in the form that `init(parsing:)` reads.
    public var description: String { place + (device.map { ":\($0)" } ?? "") }

    /// `gpsd://host:port` with the device as its path, in the form that `init(parsing:)` reads.
    public var url: String {
        "gpsd://" + place + (device.map { $0.hasPrefix("/") ? $0 : ":\($0)" } ?? "")
    }

    /// `host:port`, whatever the device; the host alone if the port is empty.
    package var place: String { AddressAuthority.text(host, port.isEmpty ? nil : port) }
}

// The errors of an endpoint, whose port can be the name of a service.
extension GPSDEndpoint {
    func unreachable(_ cause: String) -> LocationError {
        .unreachable(host: host, port: port, cause: cause)
    }

    func unresolvable(_ cause: String) -> LocationError {
        .unresolvable(host: host, port: port, cause: cause)
    }

    func connectionLost(_ cause: String) -> LocationError {
        .connectionLost(host: host, port: port, cause: cause)
    }
}
