import Glibc

/// What a terminal is like.
enum Terminal {
    /// Whether a descriptor is a terminal.
    static func isShown(on descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// The columns and rows of a terminal, or the usual ones if they are not known.
    static func size(of descriptor: Int32) -> (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
