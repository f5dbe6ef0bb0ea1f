import CPlatform

/// Ports of this machine for daemons of one's own.
public enum LoopbackPort {
    /// A TCP port of 127.0.0.1 that was free a moment ago; another process may take it before you do, so be ready to retry.
    public static func free() throws(SystemFailure) -> UInt16 {
        var port: UInt16 = 0
        let failure = locwatch_free_loopback_port(&port)
        guard failure == 0 else { throw SystemFailure("find a free port", code: failure) }
        return port
    }
}
