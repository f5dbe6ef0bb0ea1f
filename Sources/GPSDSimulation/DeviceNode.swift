import Glibc
import LocwatchPlatform

/// The path under which a receiver appears: a symbolic link to the pseudo terminal that it has at the time.
struct DeviceNode: Sendable {
    let path: String
    /// The folder that was made for it, if any.
    private let folder: TemporaryFolder?

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
            let folder = try TemporaryFolder("locwatch")
            self.folder = folder
            self.path = folder.path + "/receiver"
        }
    }

    /// Makes the path lead to a terminal, at once and without a moment in which it leads nowhere.
    func point(to terminal: String) throws(SystemFailure) {
        // Unpredictable, as a file may have any name that could be foreseen.
        let draft = "\(path)-\(String(UInt64.random(in: 0...UInt64.max), radix: 16))"
        guard symlink(terminal, draft) == 0 else { throw SystemFailure("put a device at \(path)", code: errno) }
        guard rename(draft, path) == 0 else {
            let code = errno
            unlink(draft)
            throw SystemFailure("put a device at \(path)", code: code)
        }
    }

    /// Makes the path vanish.
    func vanish() { unlink(path) }

    /// Removes all that was made.
    func remove() {
        vanish()
        folder?.remove()
    }
}
