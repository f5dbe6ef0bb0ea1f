/// The host and the port of an address, as URLs, targets and streams have them after the scheme and the user.
package struct AddressAuthority: Hashable, Sendable {
    /// The host, an IPv6 address without brackets; empty if the text names none.
    package let host: String
    package let port: UInt16?

    /// The meaning of a text, or the part of it that is wrong.
    package enum Meaning {
        case authority(AddressAuthority)
        /// The host is neither a name nor an address.
        case badHost(String)
        /// The port is not a number from 1 to 65,535.
        case badPort(String)
    }

    /// Parses `host`, `host:port` or `[v6]:port`; an empty port is none.
    package static func parse(_ text: Substring) -> Meaning {
        let host: String
        let rest: Substring
        if text.first == "[" {
            guard let close = text.firstIndex(of: "]") else { return .badHost(String(text)) }
            host = String(text[text.index(after: text.startIndex)..<close])
            guard isIPv6(host) else { return .badHost(host) }
            rest = text[text.index(after: close)...]
            guard rest.isEmpty || rest.first == ":" else { return .badHost(String(rest)) }
        } else {
            // Only an address has a colon in front of a colon.
            guard !text.containsBytes(of: "::") else { return .badHost(String(text)) }
            let colon = text.firstIndex(of: ":") ?? text.endIndex
            host = String(text[..<colon])
            guard host.isEmpty || isName(host) else { return .badHost(host) }
            rest = text[colon...]
        }
        let digits = rest.dropFirst()
        guard digits.isEmpty || isPort(digits) else { return .badPort(String(digits)) }
        return .authority(AddressAuthority(host: host, port: UInt16(digits)))
    }

    private init(host: String, port: UInt16?) {
        self.host = host
        self.port = port
    }

    /// Creates the host and the port of a text, or returns `nil` if a part of it is wrong.
    package init?(parsing text: Substring) {
        guard case .authority(let authority) = Self.parse(text) else { return nil }
        self = authority
    }

    /// Returns a host with brackets around an IPv6 address.
    package static func text(_ host: String) -> String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    }

    /// Returns `host:port` with brackets around an IPv6 address; the host alone without a port.
    package static func text(_ host: String, _ port: (some CustomStringConvertible)?) -> String {
        text(host) + (port.map { ":\($0)" } ?? "")
    }

    /// Whether a text is the number of a port.
    package static func isPort(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { 0x30...0x39 ~= $0 } && (UInt16(text).map { $0 > 0 } ?? false)
    }

    private static func isName(_ host: String) -> Bool {
        host.utf8.count <= 253 && host.utf8.first != UInt8(ascii: "-") && host.utf8.first != UInt8(ascii: ".")
            && host.utf8.allSatisfy { $0.isLetterOrDigit || "-._".utf8.contains($0) }
    }

    /// Whether the text has the letters of an IPv6 address; the resolver decides the rest.
    private static func isIPv6(_ host: String) -> Bool {
        (2...45).contains(host.utf8.count) && host.utf8.contains(UInt8(ascii: ":"))
            && host.utf8.allSatisfy { "0123456789abcdefABCDEF:.".utf8.contains($0) }
    }
}
