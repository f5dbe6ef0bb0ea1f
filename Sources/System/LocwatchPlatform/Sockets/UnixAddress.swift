package import Glibc

package enum UnixAddress {
    /// Returns a connection to the socket at a path, which is the caller's to close; while the socket's queue of
    /// connections is full, waits for `limit`, at least a millisecond, before the failure `EAGAIN`; without a limit, for ever.
    package static func connect(to path: String, within limit: Duration? = nil) throws(SystemFailure) -> Int32 {
        let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        guard connection >= 0 else { throw SystemFailure("make a socket", code: errno) }
        if let milliseconds = limit.map({ max(1, Int($0.wholeMilliseconds)) }) {
            var time = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
            setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        let outcome = with(path) { Glibc.connect(connection, $0, $1) }
        guard outcome == 0 else {
            let code = outcome == nil ? ENAMETOOLONG : errno
            close(connection)
            throw SystemFailure("connect to \(path)", code: code)
        }
        return connection
    }

    /// Calls `body` with the address of a path, or of a name without a file, which begins with a zero; returns `nil` if it
    /// is longer than an address can be.
    package static func with<Answer>(
        _ name: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Answer
    ) -> Answer? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // A zero ends a path.
        guard name.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name.utf8) }
        // A name without a file ends with its length; a path may do the same. A length without a name has another meaning.
        let length = socklen_t(MemoryLayout<sa_family_t>.size + max(1, name.utf8.count))
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
