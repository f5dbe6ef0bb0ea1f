import Glibc
import LocwatchPlatform

/// The address of a broker, looked up once for all connections.
struct BrokerSocketAddress: Hashable, Sendable {
    private let bytes: [UInt8]
    private let family: Int32

    /// Looks up a name, which can take a while.
    init(_ name: BrokerName) throws {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(name.host, name.port, &hints, &list)
        defer { if list != nil { freeaddrinfo(list) } }
        guard failure == 0, let first = list?.pointee, let address = first.ai_addr else {
            throw FleetFailure("cannot find \(name): \(String(cString: gai_strerror(failure)))")
        }
        family = first.ai_family
        bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(first.ai_addrlen)))
    }

    /// Returns a non-blocking socket that connects to the address.
    func connect() throws(SystemFailure) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK
        let descriptor = socket(family, type, 0)
        guard descriptor >= 0 else { throw SystemFailure("make a socket", code: errno) }
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        let result = bytes.withUnsafeBytes { raw in
            raw.withMemoryRebound(to: sockaddr.self) {
                Glibc.connect(descriptor, $0.baseAddress, socklen_t(bytes.count))
            }
        }
        guard result == 0 || errno == EINPROGRESS else {
            let code = errno
            close(descriptor)
            throw SystemFailure("connect", code: code)
        }
        return descriptor
    }
}

/// A reason for which a fleet cannot be simulated.
struct FleetFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
