import Glibc

/// The descriptors 0, 1 and 2.
enum StandardDescriptors {
    /// Puts something that fails in the place of standard descriptors that the program was started without.
    ///
    /// Else the next descriptor that the program opens would be taken for its output, or its input would be of that.
    static func occupyAll() {
        for (number, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] where fcntl(number, F_GETFD) < 0 {
            // Opened the wrong way round, so that using it fails as using a closed one does; the lowest number that is
            // free is this one, as those below it are occupied by now.
            _ = open("/dev/null", mode)
        }
    }
}
