import Glibc
import LocwatchPlatform
import LocwatchSupport

/// A lookup of a host's addresses on its own thread, because it blocks without a limit.
///
/// A private gpsd of a stream gets an address instead of a name: looking names up takes sockets and files that its
/// confinement denies.
final class HostLookup: Sendable {
    private let done: Event
    private let found = Lock<[String]>([])

    /// Starts to look up a name.
    init(_ host: String) throws(SystemFailure) {
        done = try Event()
        try NativeThread.start {
            let addresses = Self.addresses(of: host, flags: 0)
            self.found.withLock { $0 = addresses }
            self.done.happen()
        }
    }

    /// Waits for the addresses in the order in which to try them; returns `nil` if `interruption` or `deadline` is first.
    func wait(before deadline: ContinuousClock.Instant, interruption: Event?) -> [String]? {
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
    static func isAddress(_ host: String) -> Bool { !addresses(of: host, flags: AI_NUMERICHOST).isEmpty }

    private static func addresses(of host: String, flags: Int32) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = flags
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        return sequence(first: first?.pointee) { $0?.ai_next?.pointee }.compactMap { candidate in
            guard let candidate = candidate else { return nil }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let count = socklen_t(text.count)
            guard
                getnameinfo(candidate.ai_addr, candidate.ai_addrlen, &text, count, nil, 0, NI_NUMERICHOST) == 0
            else { return nil }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
