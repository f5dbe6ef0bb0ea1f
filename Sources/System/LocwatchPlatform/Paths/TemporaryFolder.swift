import Glibc

/// A folder below TMPDIR or /tmp for sockets, pipes and device links that a program needs while it runs.
///
/// The folder is locked (flock) as long as its program runs. A killed program cannot remove its folder, so the next
/// program that creates one removes those that are no longer locked.
package final class TemporaryFolder: Sendable {
    package let path: String
    private let descriptor: Int32

    /// The folder that TMPDIR names, or else /tmp.
    ///
    /// A gpsd that was started as root opens the contents as another user, who cannot enter a folder of root alone, such as that
    /// of pam_tmpdir.
    package static var parent: String {
        guard let path = getenv("TMPDIR").map({ String(cString: $0) }), path.hasPrefix("/") else { return "/tmp" }
        var status = stat()
        let isClosed = geteuid() == 0 && stat(path, &status) == 0 && status.st_mode & S_IXOTH == 0
        return isClosed ? "/tmp" : path
    }

    /// Creates a folder whose name begins with `word` and that every user may enter.
    package init(_ word: String, in parent: String = TemporaryFolder.parent) throws(SystemFailure) {
        Self.removeStale(word, in: parent)
        var name = Array("\(parent)/\(word)-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw SystemFailure("make a folder in \(parent)", code: errno) }
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        // The lock comes before the mode by which stale folders are recognized.
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0, fchmod(descriptor, Self.mode) == 0 else {
            let code = errno
            rmdir(path)
            throw SystemFailure("make a folder in \(parent)", code: code)
        }
    }

    deinit { if descriptor >= 0 { FileLock.release(descriptor) } }

    /// Removes the folder with the sockets, pipes and links in it.
    package func remove() { Self.remove(path, descriptor) }

    /// The mode of the folders, whose rare sticky bit marks those that are locked while in use.
    private static let mode: mode_t = 0o1755
    /// The number of characters that mkdtemp chooses.
    private static let randomCount = 6

    /// Removes the folders of this user whose program is gone.
    private static func removeStale(_ word: String, in parent: String) {
        for name in FolderNames.list(parent) {
            guard name.hasPrefix(word + "-"), name.utf8.count == word.utf8.count + 1 + randomCount else { continue }
            let path = "\(parent)/\(name)"
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { FileLock.release(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o7777 == mode,
                flock(descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            remove(path, descriptor)
        }
    }

    /// Removes a folder unless it holds anything other than sockets, pipes, links to terminals, and the locks of their paths.
    private static func remove(_ path: String, _ descriptor: Int32) {
        let names = FolderNames.list(path, hidden: true)
        guard names.allSatisfy({ isOurs($0, in: descriptor) }) else { return }
        for name in names { unlinkat(descriptor, name, 0) }
        rmdir(path)
    }

    private static func isOurs(_ name: String, in folder: Int32) -> Bool {
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return false }
        switch status.st_mode & S_IFMT {
        case S_IFSOCK, S_IFIFO: return true
        case S_IFREG: return status.st_mode & ClaimedPath.mark != 0
        default: return ClaimedPath.isTerminalLink(name, in: folder)
        }
    }
}
