import LocationCore

/// The address of an HTTP resource, which can be sent as it is.
///
/// The text is checked once, here, so that no part of it can end the request line or reach another protocol. A fragment is
/// dropped, as it is never sent. A user name or a password is refused, because it would appear wherever the address does; use
/// ``HTTPHeaders/setBasicAuthorization(user:password:)`` instead.
public struct HTTPURL: Hashable, Sendable {
    package enum Scheme: String, Hashable, Sendable, CaseIterable {
        case http
        case https

        /// The port that an address without one stands for.
        package var defaultPort: UInt16 {
            switch self {
            case .http: 80
            case .https: 443
            }
        }
    }

    package let scheme: Scheme
    /// The name or address of the host in lower case, an IPv6 address without brackets.
    public let host: String
    /// The port.
    public let port: UInt16
    /// The path, which begins with a slash.
    public let path: String
    /// The text after the question mark, if any.
    public let query: String?

    /// The address as text, with its query.
    ///
    /// The query of some services holds a token: print ``description`` instead, which leaves it out.
    public var text: String { origin + target }

    /// The path and the query, as in the first line of a request.
    package var target: String { path + (query.map { "?" + $0 } ?? "") }

    /// The protocol, host and port, without the default port of the protocol.
    package var origin: String {
        "\(scheme.rawValue)://" + AddressAuthority.text(host, port == scheme.defaultPort ? nil : port)
    }
}

extension HTTPURL {
    private static let lengthLimit = 8000

    /// Creates an address from its text, such as `https://example.org:8443/pub?id=7`.
    ///
    /// It accepts what RFC 3986 allows in an `http` address, so that no other reader of the same text can see another host.
    public init(_ text: String) throws(HTTPError) {
        let bytes = text.utf8
        guard bytes.count <= Self.lengthLimit else { throw .invalidURL(.length) }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let scheme = Scheme(rawValue: text[..<colon].lowercased()), bytes[colon...].starts(with: "://".utf8)
        else { throw .invalidURL(.scheme) }
        let rest = bytes[colon...].dropFirst(3)
        let hostEnd = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        guard !rest[..<hostEnd].contains(UInt8(ascii: "@")) else { throw .invalidURL(.credentials) }
        switch AddressAuthority.parse(Substring(rest[..<hostEnd])) {
        case .authority(let place) where !place.host.isEmpty:
            (host, port) = (place.host.lowercased(), place.port ?? scheme.defaultPort)
        case .authority, .badHost: throw .invalidURL(.host)
        case .badPort: throw .invalidURL(.port)
        }
        let target = rest[hostEnd...].prefix { $0 != UInt8(ascii: "#") }
        guard target.allSatisfy(Self.isAllowed) else { throw .invalidURL(.character) }
        let escapes = target.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst()
        guard escapes.allSatisfy({ $0.prefix(2).count { $0.hexadecimalDigit != nil } == 2 }) else {
            throw .invalidURL(.percentEncoding)
        }
        let parts = Substring(target).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.scheme = scheme
        path = parts[0].isEmpty ? "/" : String(parts[0])
        query = parts.count == 2 ? String(parts[1]) : nil
    }

    /// Whether a byte can stand in a path or a query as it is.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        0x21..<0x7F ~= byte && !"\"<>\\^`{|}".utf8.contains(byte)
    }
}

extension HTTPURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The address with an ellipsis in place of its query, which can hold a token.
    public var description: String { origin + path + (query == nil ? "" : "?…") }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// A mirror without the query.
    public var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}

/// A reason for which a text is not the address of an HTTP resource; the raw value is a message for people, without any part of
/// the address.
package enum HTTPURLFault: String, Sendable {
    case scheme = "it must begin with http:// or https://"
    case host = "its host is neither a name nor an address"
    case port = "its port must be a number from 1 to 65535"
    case credentials = "a user name or password must not be in the address"
    case character = "it contains a character that must be percent-encoded"
    case percentEncoding = "a % in it is not followed by two hexadecimal digits"
    /// The text has more than 8,000 bytes, which many servers refuse.
    case length = "it has more than 8000 bytes"
}
