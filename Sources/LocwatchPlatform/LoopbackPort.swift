import CLocwatchPlatform
import Glibc

/// TCP ports of 127.0.0.1.
public enum LoopbackPort {
    /// Returns a TCP port of 127.0.0.1 that was just free; another process may take it first, so be ready to retry.
    public static func free() throws(SystemFailure) -> UInt16 {
        var port: UInt16 = 0
        let failure = locwatch_free_loopback_port(&port)
        guard failure == 0 else { throw SystemFailure("find a free port", code: failure) }
        return port
    }

    /// Returns whether a TCP port of 127.0.0.1 was just free.
    public static func isFree(_ port: UInt16) -> Bool {
        let holder = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        guard holder >= 0 else { return false }
        defer { close(holder) }
        // A port whose last connections have just ended is free for listening.
        var yes: Int32 = 1
        setsockopt(holder, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        return withAddress(of: port) { bind(holder, $0, $1) } == 0
    }

    private static func withAddress<Result>(
        of port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Connects to a TCP port of 127.0.0.1 and returns the descriptor, which is the caller's to close.
    public static func connect(to port: UInt16) throws(SystemFailure) -> Int32 {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        guard connection >= 0 else { throw SystemFailure("make a socket", code: errno) }
        guard withAddress(of: port, { Glibc.connect(connection, $0, $1) }) == 0 else {
            let code = errno
            close(connection)
            throw SystemFailure("connect to port \(port)", code: code)
        }
        return connection
    }
}
