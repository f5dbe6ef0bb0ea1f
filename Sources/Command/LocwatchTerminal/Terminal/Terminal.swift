import Glibc

/// Properties of the terminal behind a descriptor.
package enum Terminal {
    package static func isShown(on descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Opens the terminal or the pipe behind a descriptor a second time, so that writing does not wait for it, and programs that share
    /// the descriptor are not affected; returns −1 if that fails.
    static func openAgain(_ descriptor: Int32) -> Int32 {
        var name = [CChar](repeating: 0, count: 256)
        let flags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
        if isPipe(descriptor) { return open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC) }
        guard isShown(on: descriptor) else { return -1 }
        let opened = ttyname_r(descriptor, &name, name.count) == 0 ? open(name, flags) : -1
        // The terminal of another user can still be opened as that of the session.
        return opened < 0 ? open("/dev/tty", flags) : opened
    }

    static func isPipe(_ descriptor: Int32) -> Bool { isOf(S_IFIFO, descriptor) }

    static func isFile(_ descriptor: Int32) -> Bool { isOf(S_IFREG, descriptor) }

    private static func isOf(_ kind: mode_t, _ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == kind
    }

    /// Returns whether two descriptors lead to the same file, pipe or socket.
    static func isSame(_ first: Int32, _ second: Int32) -> Bool {
        var (one, other) = (stat(), stat())
        return fstat(first, &one) == 0 && fstat(second, &other) == 0 && one.st_dev == other.st_dev
            && one.st_ino == other.st_ino
    }

    /// Returns the columns and rows of a terminal, or 80 by 24 if they are unknown.
    package static func size(of descriptor: Int32) -> (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
