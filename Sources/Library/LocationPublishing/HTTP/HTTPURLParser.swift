import LocationCore

/// The parser of addresses.
///
/// It accepts what RFC 3986 allows in an `http` address, so that no other reader of the same text can see another host.
struct HTTPURLParser {
    private static let lengthLimit = 8000

    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    mutating func parse() throws(HTTPError) -> HTTPURL {
        guard rest.count <= Self.lengthLimit else { throw .invalidURL(.length) }
        guard let scheme = parseScheme(), rest.starts(with: "//".utf8) else { throw .invalidURL(.scheme) }
        rest = rest.dropFirst(2)
        let (host, port) = try parseAuthority(scheme)
        let (path, query) = try parseTarget()
        return HTTPURL(scheme: scheme, host: host, port: port, path: path.isEmpty ? "/" : path, query: query)
    }

    // MARK: Parts

    private mutating func parseScheme() -> HTTPURL.Scheme? {
        guard let colon = rest.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = String(Substring(rest[..<colon])).lowercased()
        rest = rest[rest.index(after: colon)...]
        return HTTPURL.Scheme(rawValue: name)
    }

    private mutating func parseAuthority(_ scheme: HTTPURL.Scheme) throws(HTTPError) -> (String, UInt16) {
        let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        let authority = rest[..<end]
        rest = rest[end...]
        guard !authority.contains(UInt8(ascii: "@")) else { throw .invalidURL(.credentials) }
        switch AddressAuthority.parse(Substring(authority)) {
        case .authority(let place) where !place.host.isEmpty:
            return (place.host.lowercased(), place.port ?? scheme.defaultPort)
        case .authority, .badHost: throw .invalidURL(.host)
        case .badPort: throw .invalidURL(.port)
        }
    }

    private mutating func parseTarget() throws(HTTPError) -> (path: String, query: String?) {
        let end = rest.firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex
        let target = rest[..<end]
        rest = rest[end...]
        guard target.allSatisfy(Self.isAllowed) else { throw .invalidURL(.character) }
        var index = target.startIndex
        while let percent = target[index...].firstIndex(of: UInt8(ascii: "%")) {
            let digits = target[target.index(after: percent)...].prefix(2)
            guard digits.count == 2, digits.allSatisfy({ $0.hexadecimalDigit != nil }) else {
                throw .invalidURL(.percentEncoding)
            }
            index = digits.endIndex
        }
        guard let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return (String(Substring(target)), nil) }
        return (String(Substring(target[..<mark])), String(Substring(target[target.index(after: mark)...])))
    }

    // MARK: Bytes

    /// Whether a byte can stand in a path or a query as it is.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        guard 0x21..<0x7F ~= byte else { return false }
        return !"\"<>\\^`{|}".utf8.contains(byte)
    }
}
