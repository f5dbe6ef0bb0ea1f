import Glibc

/// Writes to a descriptor that continue until everything is written.
package enum WholeWrite {
    /// Writes all bytes, waiting for a slow reader, and returns the errno of the write that failed, if any; `progress`
    /// receives the number of bytes of each write.
    ///
    /// - Parameter offset: The place in a file, or `nil` to write at the place of the descriptor.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int? = nil,
        _ progress: (Int) -> Void = { _ in }
    ) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress
            let count =
                offset.map { pwrite(descriptor, start, rest.count, $0 + rest.startIndex) }
                ?? Glibc.write(descriptor, start, rest.count)
            let code = errno
            if count >= 0 {
                rest = rest.dropFirst(count)
                progress(count)
            } else if code == EAGAIN {
                PollSet.wait(for: descriptor, POLLOUT)
            } else if code != EINTR {
                return code
            }
        }
        return nil
    }
}
