import Glibc
import LocwatchSupport

/// A lookup of a host's addresses, as text, on its own thread, because a name server that does not answer holds it up long
/// after any limit.
package final class HostLookup: Sendable {
    private let done: Event
    private let found = Lock<[String]>([])

    /// Starts to look up a name.
    package init(_ host: String) throws(SystemFailure) {
        done = try Event()
        try NativeThread.start {
            let addresses = Self.addresses(of: host, flags: 0)
            self.found.withLock { $0 = addresses }
            self.done.happen()
        }
    }

    /// Waits for the addresses in the order in which to try them; returns `nil` if `interruption` or `deadline` is first.
    package func wait(before deadline: ContinuousClock.Instant, interruption: Event? = nil) -> [String]? {
        while true {
            let left = max(.zero, deadline - .now)
            var watched = [
                pollfd(fd: done.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: interruption?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&watched, 2, left.wholeMilliseconds) >= 0 || errno == EINTR else { return nil }
            if watched[0].revents != 0 { return found.withLock { $0 } }
            if watched[1].revents != 0 || left == .zero { return nil }
        }
    }

    /// Returns whether a host is an address already.
    package static func isAddress(_ host: String) -> Bool { !addresses(of: host, flags: AI_NUMERICHOST).isEmpty }

    private static func addresses(of host: String, flags: Int32) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = flags
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &found) == 0 else { return [] }
        defer { freeaddrinfo(found) }
        var addresses: [String] = []
        var next = found
        while let entry = next?.pointee {
            if let address = entry.ai_addr, let text = SocketName.text(of: address, entry.ai_addrlen) {
                addresses.append(text)
            }
            next = entry.ai_next
        }
        return addresses
    }
}
