import Glibc

/// Finds out why a host cannot be connected to.
enum ConnectionProbe {
    /// The system's error of a connection of one's own, or `nil` where it succeeds or the name does not resolve; blocks.
    static func error(host: String, port: String) -> Int32? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, port, &hints, &found) == 0 else { return nil }
        defer { freeaddrinfo(found) }
        var failure: Int32?
        var next = found
        while let candidate = next?.pointee {
            let descriptor = socket(candidate.ai_family, candidate.ai_socktype, candidate.ai_protocol)
            if descriptor >= 0 {
                let result = connect(descriptor, candidate.ai_addr, candidate.ai_addrlen)
                let code = errno
                close(descriptor)
                if result == 0 { return nil }
                failure = code
            }
            next = candidate.ai_next
        }
        return failure
    }
}
