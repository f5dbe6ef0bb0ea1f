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

    /// Checks that this user may listen at a TCP port, whatever the address; a port that is in use passes.
    public static func checkPermission(for port: UInt16) throws(SystemFailure) {
        let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        guard probe >= 0 else { return }
        defer { close(probe) }
        guard SocketAddress.loopback4.with(port: port).withPointer({ bind(probe, $0, $1) }) != 0 else { return }
        if errno == EACCES { throw SystemFailure("listen at port \(port)", code: EACCES) }
    }

    /// Connects to a TCP port of 127.0.0.1 and returns the descriptor, which is the caller's to close.
    public static func connect(to port: UInt16) throws(SystemFailure) -> Int32 {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        guard connection >= 0 else { throw SystemFailure("make a socket", code: errno) }
        guard SocketAddress.loopback4.with(port: port).withPointer({ Glibc.connect(connection, $0, $1) }) == 0 else {
            let code = errno
            close(connection)
            throw SystemFailure("connect to port \(port)", code: code)
        }
        return connection
    }
}
