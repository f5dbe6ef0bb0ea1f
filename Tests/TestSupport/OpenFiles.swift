import Glibc
import LocwatchPlatform

/// The open files of this process.
package enum OpenFiles {
    /// Opens each descriptor of a file once more, as a child has it that is being started, while a body runs.
    ///
    /// The path is that of the file without symbolic links.
    package static func withCopies<Result>(of path: String, _ body: () throws -> Result) throws -> Result {
        var status = stat()
        guard stat(path, &status) == 0 else { throw SystemFailure("find \(path)", code: errno) }
        let copies = (0..<1024).compactMap { (descriptor: Int32) -> Int32? in
            var open = stat()
            guard fstat(descriptor, &open) == 0, open.st_dev == status.st_dev, open.st_ino == status.st_ino else {
                return nil
            }
            return fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        }
        guard !copies.isEmpty else { throw SystemFailure("find a descriptor of \(path)", code: ENOENT) }
        defer { for copy in copies { close(copy) } }
        return try body()
    }
}
