import Glibc
import Platform

/// The path under which a receiver appears: a symbolic link to the pseudo terminal that it has at the time.
struct DeviceNode: Sendable {
    let path: String
    /// The folder that was made for it, if any.
    private let folder: String?

    /// A node at a path where nothing is but the link of an earlier receiver, or in a new folder of its own.
    init(path: String?) throws(SystemFailure) {
        if let path {
            var found = stat()
            if lstat(path, &found) == 0, found.st_mode & S_IFMT != S_IFLNK {
                throw SystemFailure("put a device at \(path)", code: EEXIST)
            }
            self.path = path
            folder = nil
        } else {
            let folder = try TemporaryFolder.make("locwatch")
            self.folder = folder
            self.path = folder + "/receiver"
        }
    }

    /// Makes the path lead to a terminal, at once and without a moment in which it leads nowhere.
    func point(to terminal: String) throws(SystemFailure) {
        let draft = path + ".new"
        unlink(draft)
        guard symlink(terminal, draft) == 0, rename(draft, path) == 0 else {
            throw SystemFailure("put a device at \(path)", code: errno)
        }
    }

    /// Makes the path vanish.
    func vanish() { unlink(path) }

    /// Removes all that was made.
    func remove() {
        vanish()
        if let folder { rmdir(folder) }
    }
}
