import Glibc

/// The descriptors 0, 1 and 2.
package enum StandardDescriptors {
    /// Occupies standard descriptors that were closed at the start of the program with ones that fail.
    ///
    /// Otherwise the next descriptor that the program opens would become its input or output.
    package static func occupyAll() {
        for (number, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] where fcntl(number, F_GETFD) < 0 {
            // The wrong mode makes any use fail as if the descriptor was closed. The lowest free number is this one,
            // because those below it are occupied.
            _ = open("/dev/null", mode)
        }
    }
}
