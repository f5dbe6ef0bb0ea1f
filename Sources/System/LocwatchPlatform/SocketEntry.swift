import Glibc

package final class SocketEntry {
    private let path: String
    private let mode: UInt32
    private var claim: ClaimedPath?

    /// Creates an entry with a mode, which does nothing until `listen`.
    package init(path: String, mode: UInt32) {
        self.path = path
        self.mode = mode
    }

    /// Makes the socket, instead of the one before, and returns its descriptor, which is the caller's to close.
    package func listen() throws(SystemFailure) -> Int32 {
        let claim = if let claim { claim } else { try ClaimedPath(path, kind: S_IFSOCK, to: "make a socket") }
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        guard socket >= 0 else { throw claim.failure(errno) }
        do throws(SystemFailure) {
            claim.remove()
            // Marked from the beginning, because the program can be killed at any time.
            fchmod(socket, mode | ClaimedPath.mark)
            guard let outcome = UnixAddress.with(path, { bind(socket, $0, $1) }) else {
                throw claim.failure(ENAMETOOLONG)
            }
            guard outcome == 0 else { throw claim.failure(errno == EADDRINUSE ? EEXIST : errno) }
            try claim.adopt()
            // The mask of the process has taken permissions away.
            try claim.setMode(mode)
            guard Glibc.listen(socket, 16) == 0 else { throw claim.failure(errno) }
        } catch {
            close(socket)
            throw error
        }
        self.claim = claim
        return socket
    }

    package var isInPlace: Bool { claim?.isInPlace ?? false }

    package func checkIsInPlace() throws(SystemFailure) { try claim?.checkIsInPlace() }

    /// Removes the socket if it is still at the path, and gives up the path.
    package func remove() {
        claim?.release()
        claim = nil
    }
}
