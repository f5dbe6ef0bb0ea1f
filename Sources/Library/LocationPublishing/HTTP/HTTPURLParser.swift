import LocationCore

/// The parser of addresses: absolute ones, and references in redirects.
///
/// It accepts what RFC 3986 allows in an `http` address, so that no other reader of the same text can see another host.
struct HTTPURLParser {
    private static let lengthLimit = 8000

    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = Substring(text).utf8
    }

    mutating func parse() throws(HTTPURLFault) -> HTTPURL {
        guard rest.count <= Self.lengthLimit else { throw .length }
        guard let scheme = parseScheme() else { throw .scheme }
        guard skip("//") else { throw .scheme }
        let (host, port) = try parseAuthority(scheme)
        let (path, query) = try parseTarget()
        return HTTPURL(scheme: scheme, host: host, port: port, path: path.isEmpty ? "/" : path, query: query)
    }

    /// Resolves the text as a reference relative to `base`, as in RFC 3986, 5.2.
    ///
    /// A server can lengthen the address with each redirect, but not beyond the limit.
    mutating func resolve(against base: HTTPURL) throws(HTTPURLFault) -> HTTPURL {
        let url = try resolved(against: base)
        guard url.text.utf8.count <= Self.lengthLimit else { throw .length }
        return url
    }

    private mutating func resolved(against base: HTTPURL) throws(HTTPURLFault) -> HTTPURL {
        guard rest.count <= Self.lengthLimit else { throw .length }
        if hasScheme { return try parse() }
        if skip("//") {
            let (host, port) = try parseAuthority(base.scheme)
            let (path, query) = try parseTarget()
            return HTTPURL(scheme: base.scheme, host: host, port: port, path: path.isEmpty ? "/" : path, query: query)
        }
        let (path, query) = try parseTarget()
        let target: (path: String, query: String?) =
            if path.isEmpty {
                (base.path, query ?? base.query)
            } else if path.utf8.first == UInt8(ascii: "/") {
                (Self.withoutDotSegments(path), query)
            } else {
                (Self.withoutDotSegments(Self.folder(of: base.path) + path), query)
            }
        return HTTPURL(scheme: base.scheme, host: base.host, port: base.port, path: target.path, query: target.query)
    }

    // MARK: Parts

    /// Whether the text begins with a scheme: a colon comes before any slash, question mark or number sign.
    private var hasScheme: Bool {
        let end = rest.first { $0 == UInt8(ascii: ":") || Self.isDelimiter($0) }
        return end == UInt8(ascii: ":")
    }

    private mutating func parseScheme() -> HTTPURL.Scheme? {
        guard let colon = rest.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = String(Substring(rest[..<colon])).lowercased()
        rest = rest[rest.index(after: colon)...]
        return HTTPURL.Scheme(rawValue: name)
    }

    private mutating func parseAuthority(_ scheme: HTTPURL.Scheme) throws(HTTPURLFault) -> (String, UInt16) {
        let end = rest.firstIndex(where: Self.isDelimiter) ?? rest.endIndex
        let authority = rest[..<end]
        rest = rest[end...]
        guard !authority.contains(UInt8(ascii: "@")) else { throw .credentials }
        do throws(AddressAuthority.Fault) {
            let place = try AddressAuthority(parsing: Substring(authority))
            guard !place.host.isEmpty else { throw AddressAuthority.Fault.host("") }
            return (place.host.lowercased(), place.port ?? scheme.defaultPort)
        } catch {
            switch error {
            case .host: throw .host
            case .port: throw .port
            }
        }
    }

    private mutating func parseTarget() throws(HTTPURLFault) -> (path: String, query: String?) {
        let end = rest.firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex
        let target = rest[..<end]
        rest = rest[end...]
        guard target.allSatisfy(Self.isAllowed) else { throw .character }
        var index = target.startIndex
        while let percent = target[index...].firstIndex(of: UInt8(ascii: "%")) {
            let digits = target[target.index(after: percent)...].prefix(2)
            guard digits.count == 2, digits.allSatisfy({ $0.hexadecimalDigit != nil }) else { throw .percentEncoding }
            index = digits.endIndex
        }
        guard let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return (String(Substring(target)), nil) }
        return (String(Substring(target[..<mark])), String(Substring(target[target.index(after: mark)...])))
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        let start = text.withUTF8Buffer { rest.starts(with: $0) }
        if start { rest = rest.dropFirst(text.utf8CodeUnitCount) }
        return start
    }

    // MARK: Paths

    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "/" }
        return String(path[...slash])
    }

    /// Returns an absolute path without its `.` and `..` segments.
    private static func withoutDotSegments(_ path: String) -> String {
        let segments = path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var kept: [String] = []
        for (number, segment) in segments.enumerated() {
            let segment = String(Substring(segment))
            if segment == ".." { _ = kept.popLast() }
            if segment != ".", segment != ".." {
                kept.append(segment)
            } else if number == segments.count - 1 {
                // It stands for a folder, whose path ends with a slash.
                kept.append("")
            }
        }
        return "/" + kept.joined(separator: "/")
    }

    // MARK: Bytes

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// Whether a byte can stand in a path or a query as it is.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        guard 0x21..<0x7F ~= byte else { return false }
        return !"\"<>\\^`{|}".utf8.contains(byte)
    }
}
