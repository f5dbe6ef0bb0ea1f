import Glibc
import LocwatchPlatform

/// A connection attempt that determines why a host cannot be reached.
enum ConnectionProbe {
    /// The time for all addresses of a host, unless the caller has another limit.
    static let limit = Duration.seconds(5)

    /// Connects and returns the system's error, or `nil` if that succeeds or the name does not resolve.
    ///
    /// It blocks while the name is looked up, and then until an address answers, `limit` has passed or `interruption` happens.
    static func error(
        host: String, port: String, within limit: Duration = limit, interruption: Event? = nil
    ) -> Int32? {
        let deadline = ContinuousClock.now + limit
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, port, &hints, &found) == 0 else { return nil }
        defer { freeaddrinfo(found) }
        var failure: Int32?
        var next = found
        while let candidate = next?.pointee, interruption?.hasHappened != true {
            failure = error(candidate, before: deadline, interruption: interruption)
            if failure == nil { return nil }
            next = candidate.ai_next
        }
        return failure
    }

    private static func error(
        _ candidate: addrinfo, before deadline: ContinuousClock.Instant, interruption: Event?
    ) -> Int32? {
        let descriptor = socket(
            candidate.ai_family, candidate.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue),
            candidate.ai_protocol)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        if connect(descriptor, candidate.ai_addr, candidate.ai_addrlen) == 0 { return nil }
        guard errno == EINPROGRESS else { return errno }
        var watched = PollSet()
        watched.add(descriptor, POLLOUT)
        if let interruption { watched.add(interruption.descriptor, POLLIN) }
        watched.wait(within: max(.zero, deadline - .now))
        guard watched.isReady(descriptor) else { return ETIMEDOUT }
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else { return errno }
        return code == 0 ? nil : code
    }
}
