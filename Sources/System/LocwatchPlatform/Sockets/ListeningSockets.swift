import Glibc

/// A port of this machine that stays reserved while connections to it are refused.
package struct ListeningSockets: ~Copyable {
    /// Sockets that are bound and never listen, which keep the port reserved while connections are refused.
    private let holders: [(socket: Int32, address: SocketAddress)]
    package private(set) var descriptors: [Int32] = []
    package let port: UInt16
    /// Whether only this machine can connect.
    package var isLoopback: Bool { holders.allSatisfy { $0.address.isLoopback } }

    /// Reserves a port of the named address, or else of loopback in IPv4 and, if available, IPv6.
    package init(address: String?, port: UInt16) throws(SystemFailure) {
        if let address {
            let wanted = try SocketAddress.resolve(address, port: port)
            let socket: Int32
            do throws(SystemFailure) { socket = try Self.bound(to: wanted) } catch {
                throw SystemFailure("listen at \(address)\(port == 0 ? "" : ", port \(port)")", code: error.code)
            }
            holders = [(socket, wanted.with(port: SocketAddress.port(of: socket)))]
            self.port = SocketAddress.port(of: socket)
            return
        }
        var attempts = 0
        while true {
            attempts += 1
            let first = SocketAddress.loopback4.with(port: port)
            let socket = try Self.bound(to: first)
            let taken = SocketAddress.port(of: socket)
            var holders = [(socket, first.with(port: taken))]
            let second = SocketAddress.loopback6.with(port: taken)
            do throws(SystemFailure) {
                holders.append((try Self.bound(to: second), second))
            } catch {
                // A machine without IPv6 is fine, but the port must not belong to another program there.
                if error.code == EADDRINUSE {
                    close(socket)
                    if port == 0, attempts < 50 { continue }
                    throw error
                }
            }
            self.holders = holders
            self.port = taken
            return
        }
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
        for holder in holders { close(holder.socket) }
    }

    package mutating func listen() throws(SystemFailure) {
        guard descriptors.isEmpty else { return }
        for holder in holders {
            let socket = try Self.bound(to: holder.address)
            guard Glibc.listen(socket, 128) == 0 else {
                let failure = errno
                close(socket)
                refuse()
                throw SystemFailure("listen on port \(port)", code: failure)
            }
            descriptors.append(socket)
        }
    }

    package mutating func refuse() {
        for descriptor in descriptors { close(descriptor) }
        descriptors = []
    }

    private static func bound(to address: SocketAddress) throws(SystemFailure) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(address.family, type, 0)
        guard socket >= 0 else { throw SystemFailure("make a socket", code: errno) }
        SocketOption.turnOn(SO_REUSEADDR, of: socket)
        if address.family == AF_INET6 { SocketOption.turnOn(IPV6_V6ONLY, at: Int32(IPPROTO_IPV6), of: socket) }
        guard address.withPointer({ bind(socket, $0, $1) }) == 0 else {
            let failure = errno
            close(socket)
            throw SystemFailure("take port \(address.port)", code: failure)
        }
        return socket
    }
}
