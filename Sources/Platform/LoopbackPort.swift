import CPlatform
import Glibc

/// Ports of this machine for daemons of one's own.
public enum LoopbackPort {
    /// A TCP port of 127.0.0.1 that was free a moment ago; another process may take it before you do, so be ready to retry.
    public static func free() throws(SystemFailure) -> UInt16 {
        var port: UInt16 = 0
        let failure = locwatch_free_loopback_port(&port)
        guard failure == 0 else { throw SystemFailure("find a free port", code: failure) }
        return port
    }

    /// A connection to whoever listens at a TCP port of 127.0.0.1; it is yours to close.
    public static func connect(to port: UInt16) throws(SystemFailure) -> Int32 {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        guard connection >= 0 else { throw SystemFailure("make a socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let answer = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard answer == 0 else {
            let code = errno
            close(connection)
            throw SystemFailure("connect to port \(port)", code: code)
        }
        return connection
    }
}
