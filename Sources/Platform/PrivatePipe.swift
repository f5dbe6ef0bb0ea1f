import Glibc

/// A pipe whose ends no child inherits unless they are given to it; both are yours to close.
package struct PrivatePipe: Sendable {
    /// Where what was written comes out.
    package let readEnd: Int32
    /// Where to write.
    package let writeEnd: Int32

    /// Makes a pipe.
    package init() throws(SystemFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemFailure("make a pipe", code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }
}
