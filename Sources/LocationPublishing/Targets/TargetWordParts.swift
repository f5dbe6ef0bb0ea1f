import LocationCore

/// The parts of a TARGET word, or of a SOURCE word that names a broker, after its scheme.
package struct TargetWordParts {
    /// The user, percent-decoded.
    package let user: String?
    /// The host, an IPv6 address without brackets; empty only where the target allows it.
    package let host: String
    package let port: UInt16?
    /// The text after the host and the port: a path, a query, or nothing.
    package let rest: String
    /// Whether the connection is encrypted.
    var isEncrypted = false

    package init(_ text: Substring, allowsEmptyHost: Bool) throws(TargetWordError) {
        let end = text.utf8.firstIndex { "/?#".utf8.contains($0) } ?? text.endIndex
        var authority = text[..<end]
        rest = String(text[end...])
        if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
            let login = authority[..<at]
            guard !login.utf8.contains(UInt8(ascii: ":")) else { throw .password }
            user = login.isEmpty ? nil : PercentEncoding.decode(login)
            authority = authority[authority.index(after: at)...]
        } else {
            user = nil
        }
        let port: Substring
        if authority.first == "[" {
            guard let close = authority.firstIndex(of: "]") else { throw .badHost(String(authority)) }
            host = String(authority[authority.index(after: authority.startIndex)..<close])
            guard Self.isIPv6(host) else { throw .badHost(host) }
            port = authority[authority.index(after: close)...]
        } else {
            // Only an address has a colon in front of a colon.
            guard !authority.containsBytes(of: "::") else { throw .badHost(String(authority)) }
            let colon = authority.firstIndex(of: ":") ?? authority.endIndex
            host = String(authority[..<colon])
            port = authority[colon...]
            // A password with a slash or a question mark ends up here: its user looks like a host.
            guard !port.isEmpty, rest.utf8.contains(UInt8(ascii: "@")), !Self.isPort(port.dropFirst()) else {
                guard !host.isEmpty || allowsEmptyHost else { throw .noHost }
                guard host.isEmpty || Self.isName(host) else { throw .badHost(host) }
                self.port = try Self.port(port)
                return
            }
            throw .password
        }
        self.port = try Self.port(port)
    }

    /// The path without its first slash.
    var path: Substring { rest.hasPrefix("/") ? rest.dropFirst() : Substring(rest) }

    /// Throws an error if something follows the host, other than a slash.
    func requireNoPath() throws(TargetWordError) {
        guard rest.isEmpty || rest == "/" else { throw .unexpectedPath(rest) }
    }

    /// The host and the port as in an address.
    package func authority(_ defaultPort: UInt16?) -> String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return name + ((port ?? defaultPort).map { ":\($0)" } ?? "")
    }

    /// The protocol of an HTTP resource at the host.
    var urlScheme: HTTPURL.Scheme { isEncrypted ? .https : .http }

    /// Returns the address of an HTTP resource at the host.
    func url(defaultPort: UInt16? = nil) throws(TargetWordError) -> HTTPURL {
        try Self.url { () throws(HTTPError) in
            try HTTPURL("\(urlScheme.rawValue)://\(authority(defaultPort))\(rest)")
        }
    }

    /// Returns an address, or throws the fault of its text.
    static func url(_ make: () throws(HTTPError) -> HTTPURL) throws(TargetWordError) -> HTTPURL {
        do throws(HTTPError) {
            return try make()
        } catch {
            if case .invalidURL(let fault) = error { throw .url(fault) }
            throw .url(.character)
        }
    }

    private static func port(_ text: Substring) throws(TargetWordError) -> UInt16? {
        guard text.first == ":" || text.isEmpty else { throw .badHost(String(text)) }
        let digits = text.dropFirst()
        if digits.isEmpty { return nil }
        guard isPort(digits), let port = UInt16(digits) else { throw .badPort(String(digits)) }
        return port
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { 0x30...0x39 ~= $0 } && (UInt16(text).map { $0 > 0 } ?? false)
    }

    private static func isName(_ host: String) -> Bool { HTTPURLParser.isName(Substring(host).utf8) }

    private static func isIPv6(_ host: String) -> Bool { HTTPURLParser.isIPv6(Substring(host).utf8) }
}

extension HTTPURL {
    /// The parameters of the query, percent-decoded.
    var parameters: [(name: String, value: String)] {
        (query ?? "").split(separator: "&").map { parameter in
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (PercentEncoding.decode(parts[0]), PercentEncoding.decode(parts.count == 2 ? parts[1] : ""))
        }
    }

    /// The same address without a query.
    package var withoutQuery: HTTPURL { HTTPURL(scheme: scheme, host: host, port: port, path: path, query: nil) }
}
