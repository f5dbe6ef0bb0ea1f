import Glibc

/// The lock of a serial line for the time in which a program looks whether it is free and opens it.
///
/// Of two programs that start in the same instant, neither sees the other. Root can open a line that another process has open
/// exclusively (TIOCEXCL), so that both would read it, and each would get a part of the bytes.
package final class LineClaim: Sendable {
    private let descriptor: Int32

    /// Claims a line, or returns `nil` if another program, or another part of this one, has claimed it.
    ///
    /// A path that cannot be opened counts as claimed: it is refused later, with its reason.
    package init?(of path: String) {
        descriptor = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor < 0 || FileLock.take(descriptor) else {
            close(descriptor)
            return nil
        }
    }

    deinit { if descriptor >= 0 { FileLock.release(descriptor) } }
}
