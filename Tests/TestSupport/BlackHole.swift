import Glibc
import Testing

/// A port of this machine that neither accepts nor refuses connections, so that connecting hangs.
package final class BlackHole {
    package let port: UInt16
    private var sockets: [Int32] = []

    package init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        sockets = [listener]
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, length)
                _ = getsockname(listener, $0, &length)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        try #require(listen(listener, 0) == 0)
        // The queue takes one or two connections; after that the system drops further attempts.
        var isFull = false
        for _ in 0..<8 where !isFull {
            let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            sockets.append(filler)
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(filler, $0, length) }
            }
            var watched = pollfd(fd: filler, events: Int16(POLLOUT), revents: 0)
            isFull = poll(&watched, 1, 200) == 0
        }
        try #require(isFull)
    }

    deinit { vanish() }

    /// Closes the port, so that it refuses connections; a hanging attempt fails at its next retransmission.
    package func vanish() {
        for socket in sockets { close(socket) }
        sockets = []
    }
}
