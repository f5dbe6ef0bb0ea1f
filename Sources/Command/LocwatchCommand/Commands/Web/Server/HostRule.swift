import Glibc
import LocationCore

/// The rule for the names by which a page may be addressed, which keeps other sites' pages out (DNS rebinding).
///
/// A page of another site can make its own name lead to this machine, and then read what it finds here: the browser takes
/// both for one site. The request still contains that name. An address in digits cannot be made to lead elsewhere.
struct HostRule: Hashable, Sendable {
    /// The names of this machine, which are permitted as they are if a token is needed in addition.
    var names: [String] = []

    /// Returns whether a request may have this value of the header Host.
    func permits(_ value: String?) -> Bool {
        guard let value, value.utf8.count <= 260, value.utf8.allSatisfy({ 0x21...0x7E ~= $0 }),
            let name = Self.name(in: value)?.lowercased()
        else { return false }
        if name == "localhost" || name.hasSuffix(".localhost") || Self.isAddress(name) { return true }
        return names.contains { $0.lowercased() == name }
    }

    private static func name(in value: String) -> String? {
        guard let authority = AddressAuthority(parsing: value[...]) else { return nil }
        if value.hasPrefix("["), !isAddress(authority.host) { return nil }
        let name = authority.host.hasSuffix(".") ? authority.host.dropLast() : authority.host[...]
        return name.isEmpty ? nil : String(name)
    }

    private static func isAddress(_ name: String) -> Bool {
        var bytes = in6_addr()
        return inet_pton(AF_INET, name, &bytes) == 1 || inet_pton(AF_INET6, name, &bytes) == 1
    }
}
