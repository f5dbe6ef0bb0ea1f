import LocationCore

/// The address of a stream of a receiver's data in a network, which gpsd reads.
public struct StreamAddress: Hashable, Sendable {
    /// The protocol of a stream.
    public enum Scheme: String, Hashable, Sendable, CaseIterable {
        /// A connection to a server that sends what a receiver sends.
        case tcp
        /// Datagrams that arrive at a port of this machine.
        case udp
        /// A caster of corrections.
        case ntrip

        /// The port if an address has none.
        package var defaultPort: UInt16 { self == .ntrip ? 2101 : 10_110 }
    }

    /// The protocol.
    public var scheme: Scheme
    /// The host; for `udp` the address of this machine, or of a group, at which the datagrams arrive.
    public var host: String
    /// The port.
    public var port: UInt16
    /// The user at a caster, if any.
    public var user: String?
    /// The mountpoint at a caster.
    public var mountpoint: String?

    /// Creates an address.
    ///
    /// - Parameters:
    ///   - scheme: The protocol.
    ///   - host: The host; empty for datagrams that arrive at any address of this machine.
    ///   - port: The port, or `nil` for the usual one of the protocol.
    ///   - user: The user at a caster.
    ///   - mountpoint: The mountpoint at a caster.
    public init(
        _ scheme: Scheme, host: String, port: UInt16? = nil, user: String? = nil, mountpoint: String? = nil
    ) {
        self.scheme = scheme
        self.host = host
        self.port = port ?? scheme.defaultPort
        self.user = user
        self.mountpoint = mountpoint
    }
}

extension StreamAddress: CustomStringConvertible {
    /// The address as a URL without a password.
    public var description: String { url(login: user) }

    /// Whether the host is this machine, as far as its name tells.
    package var isOfThisMachine: Bool {
        ["", "0.0.0.0", "::"].contains(host) || GPSDEndpoint(host: host).isLocal
    }

    /// `host:port`.
    package var place: String { AddressAuthority.text(host, port) }

    private func url(login: String?) -> String {
        "\(scheme.rawValue)://" + (login.map { $0 + "@" } ?? "") + place + (mountpoint.map { "/\($0)" } ?? "")
    }

    /// Returns the device as gpsd names it, which contains the password.
    func device(password: String?) -> String {
        var address = self
        // gpsd needs an address to bind to.
        if address.scheme == .udp, address.host.isEmpty { address.host = "0.0.0.0" }
        return address.url(login: user.map { "\($0):\(password ?? "")" })
    }
}
