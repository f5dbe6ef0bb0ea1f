import Glibc

/// A connection attempt that determines why a host cannot be reached.
enum ConnectionProbe {
    /// Connects and returns the system's error, or `nil` if that succeeds or the name does not resolve; blocks.
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
