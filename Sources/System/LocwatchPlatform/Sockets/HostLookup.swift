package import Glibc
import LocwatchSupport

/// A lookup of a host's addresses in the background, because a name server that does not answer holds it up long after any
/// limit; an address is known at once.
package struct HostLookup: Sendable {
    /// The addresses of a host in the order in which to try them, or the reason for which there are none.
    package enum Outcome: Sendable {
        case addresses([SocketAddress])
        case failure(String)
    }

    private let search: Background<Outcome>

    /// Starts to look up a host for sockets of a kind, such as `SOCK_DGRAM`.
    package init(_ host: String, port: UInt16 = 0, for kind: __socket_type = SOCK_STREAM) throws(SystemFailure) {
        let known = Self.resolve(host, port, kind, flags: AI_NUMERICHOST)
        if case .addresses = known {
            search = try Background(known: known)
        } else {
            search = try Background { Self.resolve(host, port, kind, flags: 0) }
        }
    }

    /// A descriptor that is readable once the outcome is known.
    package var descriptor: Int32 { search.done.descriptor }

    /// The outcome, once it is known.
    package var outcome: Outcome? { search.value }

    /// Waits for the addresses as text; returns `nil` if `interruption` or `deadline` is first.
    package func wait(before deadline: ContinuousClock.Instant, interruption: Event? = nil) -> [String]? {
        let stop = interruption?.descriptor ?? -1
        while true {
            let left = max(.zero, deadline - .now)
            let ready = PollSet.wait(for: [descriptor, stop], within: left)
            if ready.isReady(descriptor) {
                guard case .addresses(let addresses) = outcome else { return [] }
                return addresses.compactMap(\.name)
            }
            if ready.isReady(stop) || left == .zero { return nil }
        }
    }

    /// Returns whether a host is an address already.
    package static func isAddress(_ host: String) -> Bool {
        if case .addresses = resolve(host, 0, SOCK_STREAM, flags: AI_NUMERICHOST) { true } else { false }
    }

    static func resolve(_ host: String, _ port: UInt16, _ kind: __socket_type, flags: Int32) -> Outcome {
        var hints = addrinfo()
        hints.ai_socktype = Int32(kind.rawValue)
        hints.ai_flags = AI_NUMERICSERV | flags
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &first)
        guard code == 0 else { return .failure("cannot resolve \(host): \(String(cString: gai_strerror(code)))") }
        defer { freeaddrinfo(first) }
        let entries = sequence(first: first) { $0?.pointee.ai_next }
        return .addresses(entries.prefix { $0 != nil }.compactMap { $0.map { SocketAddress($0.pointee) } })
    }
}
