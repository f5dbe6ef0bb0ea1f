import CLocwatchPlatform
import Glibc

/// A pipe whose ends are close-on-exec; both are the caller's to close.
package struct PrivatePipe: Sendable {
    /// The end to read from.
    package let readEnd: Int32
    /// The end to write to.
    package let writeEnd: Int32

    /// Creates a pipe.
    ///
    /// - Parameter keepsPieces: Whether each read returns the bytes of one write, instead of all that wait.
    package init(keepsPieces: Bool = false) throws(SystemFailure) {
        var ends: [Int32] = [-1, -1]
        // Not a pair of sockets: gpsd writes to what it reads, and a socket that is closed with unread bytes takes those
        // away that its peer has not read yet.
        guard locwatch_make_pipe(&ends, keepsPieces ? 1 : 0) == 0 else {
            throw SystemFailure("make a pipe", code: errno)
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }
}
