import LocationCore

/// The parts of a TARGET word, or of a SOURCE word that names a broker, after its scheme.
package struct TargetWordParts {
    /// The user, percent-decoded.
    package let user: String?
    /// The host, an IPv6 address without brackets; empty only where the target allows it.
    package let host: String
    package let port: UInt16?
    /// The text after the host and the port: a path, a query, or nothing.
    package private(set) var rest: String
    /// The values of the parameters that are for the target itself.
    private var own: [String: String] = [:]
    /// A parameter of an earlier release, if there is one.
    private(set) var former: FormerParameter?
    var isEncrypted = false

    package init(_ text: Substring, allowsEmptyHost: Bool) throws(PublishError) {
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
        let colon = authority.utf8.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
        guard colon > authority.startIndex || allowsEmptyHost || authority.hasPrefix("::") else { throw .noHost }
        // A password with a slash or a question mark ends up here: its user looks like a host.
        let given = authority[colon...].dropFirst()
        if rest.utf8.contains(UInt8(ascii: "@")), colon < authority.endIndex, authority.first != "[",
            given.first != ":",
            !AddressAuthority.isPort(given)
        {
            throw .password
        }
        switch AddressAuthority.parse(authority) {
        case .authority(let place): (host, port) = (place.host, place.port)
        case .badHost(let host): throw .badHost(host)
        case .badPort(let port): throw .badPort(port)
        }
    }

    /// The order of records after an outage that the parameters ask for, in place of the usual one.
    var backlog: BacklogOrder? {
        value(of: .newest) != nil ? BacklogOrder.none : value(of: .ordered) != nil ? .ordered : nil
    }

    /// Returns the value of a parameter of the target, if it was given.
    func value(of parameter: TargetParameter) -> String? { own[parameter.name] }

    /// Takes the parameters of the target out of the query; what is left of it is for the server.
    package mutating func take(_ parameters: [TargetParameter]) throws(PublishError) {
        guard !parameters.isEmpty, let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) else { return }
        var left: [Substring] = []
        for part in rest[rest.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false) {
            let item = QueryItem(part)
            let value = item.value ?? ""
            guard let parameter = parameters.first(where: { $0.name == item.name }),
                parameter.accepts(value) || !parameter.isShared
            else {
                left.append(part)
                continue
            }
            let checked = try parameter.checked(value)
            if parameter.name == FormerParameter.order.name {
                let order = FormerParameter(order: checked)
                former = order
                if let name = order.newName { own[name] = "" }
            } else {
                own[parameter.name] = checked
            }
        }
        guard value(of: .newest) == nil || value(of: .ordered) == nil else { throw .newestAndOrdered }
        rest = rest[..<mark] + (left.isEmpty ? "" : "?" + left.joined(separator: "&"))
    }

    /// The files of the encryption that the parameters name.
    package var encryption: MQTTSettings.Encryption {
        var encryption = MQTTSettings.Encryption()
        encryption.authorityFile = value(of: .authorityFile)
        let files = value(of: .certificate)?.split(separator: ",").map(String.init)
        encryption.certificateFile = files?.first
        encryption.keyFile = files?.dropFirst().first
        return encryption
    }

    /// Throws an error if a parameter follows that was not taken.
    package func requireNoQuery() throws(PublishError) {
        guard let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) else { return }
        throw .unexpectedParameter(String(rest[rest.index(after: mark)...].prefix { $0 != "=" && $0 != "&" }))
    }

    /// The path without its first slash.
    var path: Substring { rest.hasPrefix("/") ? rest.dropFirst() : Substring(rest) }

    /// Throws an error if something follows the host, other than a slash.
    func requireNoPath() throws(PublishError) {
        guard rest.isEmpty || rest == "/" else { throw .unexpectedPath(rest) }
    }

    /// The host and the port as in an address.
    package func authority(_ defaultPort: UInt16?) -> String {
        AddressAuthority.text(host, port ?? defaultPort)
    }

    /// The protocol of an HTTP resource at the host.
    var urlScheme: HTTPURL.Scheme { isEncrypted ? .https : .http }

    /// Returns the address of an HTTP resource at the host.
    func url(defaultPort: UInt16? = nil) throws(PublishError) -> HTTPURL {
        try Self.url { () throws(HTTPError) in
            try HTTPURL("\(urlScheme.rawValue)://\(authority(defaultPort))\(rest)")
        }
    }

    /// Returns an address, or throws the fault of its text.
    static func url(_ make: () throws(HTTPError) -> HTTPURL) throws(PublishError) -> HTTPURL {
        do throws(HTTPError) {
            return try make()
        } catch {
            if case .invalidURL(let cause) = error { throw .url(cause: cause) }
            throw .url(cause: HTTPURLFault.character.rawValue)
        }
    }
}

extension HTTPURL {
    /// The parameters of the query, percent-decoded.
    var parameters: [(name: String, value: String)] {
        (query ?? "").split(separator: "&").map(QueryItem.init).map {
            (PercentEncoding.decode($0.name), $0.value ?? "")
        }
    }

    package var withoutQuery: HTTPURL { HTTPURL(scheme: scheme, host: host, port: port, path: path, query: nil) }
}
