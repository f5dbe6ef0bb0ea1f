import Glibc
import LocwatchPlatform
import LocwatchSupport

/// The addresses of hosts and sockets as text.
enum SocketName {
    /// Returns the address of the other end of a connection, or `nil` if there is none.
    static func peer(of descriptor: Int32) -> String? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getpeername(descriptor, address, &size) == 0 ? text(of: address, size) : nil
            }
        }
    }

    /// Resolves a host on a thread of its own and returns its addresses, or `nil` if the time limit has passed.
    static func addresses(of host: String, within limit: Duration) -> [String]? {
        guard let inbox = try? Inbox() else { return nil }
        // A name server that does not answer holds the thread up long after the limit.
        guard (try? NativeThread.start { inbox.put(resolve(host)) }) != nil else { return nil }
        var watched = pollfd(fd: inbox.arrival.descriptor, events: Int16(POLLIN), revents: 0)
        let deadline = ContinuousClock.now + limit
        while poll(&watched, 1, max(.zero, deadline - .now).wholeMilliseconds) < 0, errno == EINTR {}
        return inbox.addresses
    }

    private final class Inbox: Sendable {
        let arrival: Event
        private let result = Lock<[String]?>(nil)

        init() throws(SystemFailure) { arrival = try Event() }

        var addresses: [String]? { result.withLock { $0 } }

        func put(_ addresses: [String]) {
            result.withLock { $0 = addresses }
            arrival.happen()
        }
    }

    private static func resolve(_ host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &found) == 0 else { return [] }
        defer { freeaddrinfo(found) }
        var addresses: [String] = []
        var next = found
        while let entry = next {
            if let address = entry.pointee.ai_addr, let text = text(of: address, entry.pointee.ai_addrlen) {
                addresses.append(text)
            }
            next = entry.pointee.ai_next
        }
        return addresses
    }

    private static func text(of address: UnsafePointer<sockaddr>, _ size: socklen_t) -> String? {
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(address, size, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else { return nil }
        return name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    }
}
