package import Glibc

/// The address of a socket with a port.
package struct SocketAddress: Sendable {
    /// The address in the system's form, in which both families have the port after the family, in network byte order.
    private var bytes: [UInt8]

    package static var loopback4: SocketAddress {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafeBytes(of: &address) { SocketAddress(bytes: Array($0)) }
    }

    package static var loopback6: SocketAddress {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        return withUnsafeBytes(of: &address) { SocketAddress(bytes: Array($0)) }
    }

    /// Returns the address of a host name or a numeric address; blocks during the name lookup.
    package static func resolve(_ name: String, port: UInt16) throws(SystemFailure) -> SocketAddress {
        guard case .addresses(let found) = HostLookup.resolve(name, port, SOCK_STREAM, flags: AI_PASSIVE),
            let first = found.first
        else { throw SystemFailure("find the address \(name)", code: EADDRNOTAVAIL) }
        return first
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Creates the address that a lookup has found.
    package init(_ entry: addrinfo) {
        bytes = Array(UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen)))
    }

    package var family: Int32 { bytes.withUnsafeBytes { Int32($0.load(as: sa_family_t.self)) } }

    package var port: UInt16 { UInt16(bytes[2]) << 8 | UInt16(bytes[3]) }

    /// The address without the port as text, as in `192.0.2.1`.
    package var name: String? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let size = socklen_t(text.count)
        guard withPointer({ getnameinfo($0, $1, &text, size, nil, 0, NI_NUMERICHOST) }) == 0 else { return nil }
        return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    }

    /// Whether only this machine can reach the address.
    package var isLoopback: Bool {
        switch family {
        case AF_INET: bytes[4] == 127
        case AF_INET6:
            bytes[8..<24].elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
                || bytes[8..<20].elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) && bytes[20] == 127
        default: false
        }
    }

    package func with(port: UInt16) -> SocketAddress {
        var copy = self
        copy.bytes[2] = UInt8(port >> 8)
        copy.bytes[3] = UInt8(port & 0xFF)
        return copy
    }

    /// Connects to the address, and returns the socket, which is the caller's to close; fails early if `interruption` happens.
    package func connect(within limit: Duration, interruption: Event? = nil) throws(SystemFailure) -> Int32 {
        let connection = socket(family, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        guard connection >= 0 else { throw SystemFailure("make a socket", code: errno) }
        var code: Int32 = 0
        if withPointer({ Glibc.connect(connection, $0, $1) }) != 0 {
            code = errno
            if code == EINPROGRESS {
                let stop = interruption?.descriptor ?? -1
                let deadline = ContinuousClock.now + limit
                var watched = PollSet()
                watched.add(connection, POLLOUT)
                watched.add(stop, POLLIN)
                // A signal that is handled meanwhile ends a wait early, before the limit.
                repeat {
                    watched.wait(within: max(.zero, deadline - .now))
                } while !watched.isReady(connection)
                    && !watched.isReady(stop) && .now < deadline
                var length = socklen_t(MemoryLayout<Int32>.size)
                code = ETIMEDOUT
                if watched.isReady(connection) { getsockopt(connection, SOL_SOCKET, SO_ERROR, &code, &length) }
            }
        }
        guard code == 0 else {
            close(connection)
            throw SystemFailure("connect", code: code)
        }
        return connection
    }

    /// Calls `body` with a pointer to the address, for a system call.
    package func withPointer<Answer>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Answer) -> Answer {
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(bytes.count)) }
        }
    }

    /// Returns the address at the other end of a connection, or `nil` if it has ended.
    package static func peer(of socket: Int32) -> SocketAddress? { address(of: socket, getpeername) }

    /// Returns the port that a socket is bound to.
    package static func port(of socket: Int32) -> UInt16 { address(of: socket, getsockname)?.port ?? 0 }

    /// Returns the address that a call tells of a socket, or `nil` if it fails or the address has no port.
    private static func address(
        of socket: Int32, _ call: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { call(socket, $0, &length) }
        }
        guard result == 0, length > 3 else { return nil }
        return withUnsafeBytes(of: &storage) { SocketAddress(bytes: Array($0.prefix(Int(length)))) }
    }
}
