package import Glibc

/// The address of a socket.
package struct SocketAddress {
    private var bytes: [UInt8]
    package let family: Int32
    package let port: UInt16

    package static var loopback4: SocketAddress {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafeBytes(of: &address) { SocketAddress(bytes: Array($0), family: AF_INET, port: 0) }
    }

    package static var loopback6: SocketAddress {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        return withUnsafeBytes(of: &address) { SocketAddress(bytes: Array($0), family: AF_INET6, port: 0) }
    }

    /// Returns the address of a host name or a numeric address; blocks during the name lookup.
    package static func resolve(_ name: String, port: UInt16) throws(SystemFailure) -> SocketAddress {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &found) == 0, let found else {
            throw SystemFailure("find the address \(name)", code: EADDRNOTAVAIL)
        }
        defer { freeaddrinfo(found) }
        let bytes = UnsafeRawBufferPointer(start: found.pointee.ai_addr, count: Int(found.pointee.ai_addrlen))
        return SocketAddress(bytes: Array(bytes), family: found.pointee.ai_family, port: 0).with(port: port)
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

    /// Returns the same address with another port.
    package func with(port: UInt16) -> SocketAddress {
        // Both families have the port at the same place, after the family, in network byte order.
        var bytes = bytes
        bytes[2] = UInt8(port >> 8)
        bytes[3] = UInt8(port & 0xFF)
        return SocketAddress(bytes: bytes, family: family, port: port)
    }

    /// Connects to the address, and returns the socket, which is the caller's to close; fails early if `interruption` happens.
    package func connect(within limit: Duration, interruption: Event? = nil) throws(SystemFailure) -> Int32 {
        let connection = socket(family, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        guard connection >= 0 else { throw SystemFailure("make a socket", code: errno) }
        var code: Int32 = 0
        if withPointer({ Glibc.connect(connection, $0, $1) }) != 0 {
            code = errno
            var watched = [
                pollfd(fd: connection, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: interruption?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            if code == EINPROGRESS {
                var length = socklen_t(MemoryLayout<Int32>.size)
                code = ETIMEDOUT
                if poll(&watched, 2, limit.wholeMilliseconds) > 0, watched[0].revents != 0 {
                    getsockopt(connection, SOL_SOCKET, SO_ERROR, &code, &length)
                }
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
        let bytes = withUnsafeBytes(of: &storage) { Array($0.prefix(Int(length))) }
        return SocketAddress(
            bytes: bytes, family: Int32(storage.ss_family), port: UInt16(bytes[2]) << 8 | UInt16(bytes[3]))
    }
}
