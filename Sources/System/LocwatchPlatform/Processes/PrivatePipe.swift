import CLocwatchPlatform
import Glibc

/// A pipe whose ends are close-on-exec; both are the caller's to close.
package struct PrivatePipe: Sendable {
    package let readEnd: Int32
    package let writeEnd: Int32

    package init() throws(SystemFailure) {
        var ends: [Int32] = [-1, -1]
        // Not a pair of sockets: gpsd writes to what it reads, and a socket that is closed with unread bytes takes those
        // away that its peer has not read yet.
        guard locwatch_make_pipe(&ends) == 0 else {
            throw SystemFailure("make a pipe", code: errno)
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    /// Makes the pipe hold one page, so that it takes more only when its reader has read everything.
    package func holdLittle() { _ = locwatch_size_pipe(writeEnd, 1) }
}
