import Glibc

/// Properties of the terminal behind a descriptor.
package enum Terminal {
    /// Returns whether a descriptor is a terminal.
    static func isShown(on descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Returns whether a descriptor is a pipe.
    static func isPipe(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Returns the columns and rows of a terminal, or 80 by 24 if they are unknown.
    package static func size(of descriptor: Int32) -> (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
