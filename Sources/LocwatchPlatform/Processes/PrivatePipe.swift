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
        let made = keepsPieces ? socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) : pipe(&ends)
        guard made == 0 else { throw SystemFailure("make a pipe", code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }
}
