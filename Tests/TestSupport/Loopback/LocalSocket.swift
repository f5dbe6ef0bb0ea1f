import Glibc
import LocwatchPlatform

/// Sockets of this machine at paths; `SocketClient` connects to one.
package enum LocalSocket {
    /// Returns a socket that is bound to a path; unless it listens, connections to it are refused.
    package static func bound(to path: String, listens: Bool = false) throws -> Int32 {
        // A program that another test starts must not keep it open.
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        let bound = UnixAddress.with(path) { bind(descriptor, $0, $1) }
        guard bound == 0, !listens || listen(descriptor, 16) == 0 else {
            close(descriptor)
            throw ProgramFailure(description: "no socket at \(path)")
        }
        return descriptor
    }
}
