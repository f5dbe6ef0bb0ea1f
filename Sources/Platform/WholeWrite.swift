import Glibc

/// Writing to a descriptor until everything is written.
package enum WholeWrite {
    /// Writes all bytes, and waits for a reader that is slow.
    ///
    /// - Parameter progress: is told how many bytes each write took.
    /// - Returns: the errno of the write that failed, if one did.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ progress: (Int) -> Void = { _ in }
    ) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            let code = errno
            if count >= 0 {
                rest = rest.dropFirst(count)
                progress(count)
            } else if code == EAGAIN {
                var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&watched, 1, -1)
            } else if code != EINTR {
                return code
            }
        }
        return nil
    }
}
