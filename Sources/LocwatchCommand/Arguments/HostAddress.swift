import LocationCore

/// A host with what may follow it: `host`, `host:port`, `host:port:device`, `[v6]:port:device`.
struct HostAddress: Hashable {
    var host: String
    /// A number from 1 to 65,535 or the name of a service; `nil` where it is not said.
    var port: String?
    var device: String?

    init(host: String, port: String? = nil, device: String? = nil) {
        self.host = host
        self.port = port
        self.device = device
    }

    /// `nil` where the text is no such address.
    init?(_ text: some StringProtocol) {
        let rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = String(text[text.index(after: text.startIndex)..<end])
            guard HostAddress.isIPv6(host) else { return nil }
            rest = Substring(text[text.index(after: end)...])
        } else {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            host = String(text[..<end])
            rest = Substring(text[end...])
            if host.isEmpty, !rest.isEmpty { host = HostAddress.defaultHost }
            guard !host.isEmpty, host.unicodeScalars.allSatisfy(HostAddress.isInName) else { return nil }
            guard !HostAddress.isBareIPv6(text) else { return nil }
        }
        guard !rest.isEmpty else { return }
        guard rest.hasPrefix(":") else { return nil }
        let parts = rest.dropFirst().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        if !parts[0].isEmpty {
            guard HostAddress.isPort(parts[0]) else { return nil }
            port = String(parts[0])
        }
        if parts.count == 2 {
            guard !parts[1].isEmpty else { return nil }
            device = String(parts[1])
        }
    }

    static let defaultHost = "localhost"

    /// Whether the text is an IPv6 address without its brackets, where nobody can tell the port from the rest.
    static func isBareIPv6(_ text: some StringProtocol) -> Bool {
        let colons = text.count { $0 == ":" }
        return colons >= 2 && !text.contains("/") && (text.holds("::") || colons > 2)
            && text.allSatisfy(isInAddress)
    }

    /// An address with colons, with or without a zone after a percent sign, as in `fe80::1%eth0`.
    private static func isIPv6(_ text: String) -> Bool {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        return parts[0].contains(":") && parts[0].allSatisfy(isInAddress)
            && (parts.count == 1 || !parts[1].isEmpty && parts[1].unicodeScalars.allSatisfy(isInName))
    }

    private static func isInAddress(_ character: Character) -> Bool {
        character.isASCII && (character.isHexDigit || character == ":" || character == ".")
    }

    private static func isInName(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return scalar.properties.isAlphabetic || scalar.properties.numericType != nil }
        return switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_", "%": true
        default: false
        }
    }

    private static func isPort(_ text: Substring) -> Bool {
        if let first = text.utf8.first, 0x30...0x39 ~= first {
            return text.utf8.allSatisfy { 0x30...0x39 ~= $0 } && Int(text).map { 1...65_535 ~= $0 } ?? false
        }
        return text.unicodeScalars.allSatisfy { isInName($0) && $0 != "." && $0 != "%" }
    }
}
