import Glibc

/// A listening Unix socket at a path.
///
/// A marked socket at which no process listens was left by a killed process of this program, and is replaced.
package final class SocketEntry {
    private let path: String
    private let mode: UInt32
    private var entry: ClaimedPath?

    /// Creates an entry with a mode, which does nothing until `listen`.
    package init(path: String, mode: UInt32) {
        self.path = path
        self.mode = mode
    }

    /// Makes the socket, and returns its descriptor, which is the caller's to close.
    package func listen() throws(SystemFailure) -> Int32 {
        let socket = try newSocket()
        do throws(SystemFailure) {
            // Until the mode is set below, no other user can connect.
            fchmod(socket, 0o600)
            if try bind(socket) == EADDRINUSE {
                guard let found = ClaimedPath(path, kind: S_IFSOCK), found.isMarked, try isLeftOver() else {
                    throw failure(EEXIST)
                }
                found.remove()
                guard try bind(socket) == 0 else { throw failure(EEXIST) }
            }
            guard let made = ClaimedPath(path, kind: S_IFSOCK) else { throw failure(ENOENT) }
            try made.setMode(mode | ClaimedPath.mark)
            entry = consume made
            guard Glibc.listen(socket, 16) == 0 else { throw failure(errno) }
            return socket
        } catch {
            close(socket)
            remove()
            throw error
        }
    }

    /// Removes the socket if it is still at the path.
    package func remove() {
        entry?.remove()
        entry = nil
    }

    /// Returns 0, or `EADDRINUSE` if something is at the path.
    private func bind(_ socket: Int32) throws(SystemFailure) -> Int32 {
        guard let outcome = UnixAddress.with(path, { Glibc.bind(socket, $0, $1) }) else { throw failure(ENAMETOOLONG) }
        guard outcome == 0 || errno == EADDRINUSE else { throw failure(errno) }
        return outcome == 0 ? 0 : EADDRINUSE
    }

    private func isLeftOver() throws(SystemFailure) -> Bool {
        let client = try newSocket()
        defer { close(client) }
        return UnixAddress.with(path) { connect(client, $0, $1) } != 0 && errno == ECONNREFUSED
    }

    private func newSocket() throws(SystemFailure) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK
        let socket = Glibc.socket(AF_UNIX, kind, 0)
        guard socket >= 0 else { throw failure(errno) }
        return socket
    }

    private func failure(_ code: Int32) -> SystemFailure { SystemFailure("make a socket at \(path)", code: code) }
}
