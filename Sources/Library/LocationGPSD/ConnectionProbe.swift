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
        do throws(SystemFailure) {
            let limit = max(.zero, deadline - .now)
            close(try SocketAddress(candidate).connect(within: limit, interruption: interruption))
            return nil
        } catch {
            return error.code
        }
    }
}
