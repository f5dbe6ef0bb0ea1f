import Glibc
import Platform

/// The path of a receiver: a symbolic link to its current pseudo terminal.
struct DeviceNode: Sendable {
    let path: String
    /// The temporary folder of the link, if one was created.
    private let folder: TemporaryFolder?

    /// Creates a node at a path, which may hold only the link of an earlier receiver, or in a new temporary folder.
    init(path: String?) throws(SystemFailure) {
        if let path {
            var found = stat()
            if lstat(path, &found) == 0, found.st_mode & S_IFMT != S_IFLNK {
                throw SystemFailure("put a device at \(path)", code: EEXIST)
            }
            self.path = path
            folder = nil
        } else {
            let folder = try TemporaryFolder("locwatch")
            self.folder = folder
            self.path = folder.path + "/receiver"
        }
    }

    /// Points the path to a terminal, atomically, so that it never dangles.
    func point(to terminal: String) throws(SystemFailure) {
        // The name is random, because a file could already have any predictable name.
        let draft = "\(path)-\(String(UInt64.random(in: 0...UInt64.max), radix: 16))"
        guard symlink(terminal, draft) == 0 else { throw SystemFailure("put a device at \(path)", code: errno) }
        guard rename(draft, path) == 0 else {
            let code = errno
            unlink(draft)
            throw SystemFailure("put a device at \(path)", code: code)
        }
    }

    /// Removes the link.
    func vanish() { unlink(path) }

    /// Removes the link and the temporary folder, if any.
    func remove() {
        vanish()
        folder?.remove()
    }
}
