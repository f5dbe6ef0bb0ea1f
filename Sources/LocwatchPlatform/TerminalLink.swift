import Glibc

/// A symbolic link to a pseudo terminal, at a path that programs know.
///
/// The path is free for it if there is nothing, or a link of this user to a terminal that is gone, which a killed process left.
package struct TerminalLink: Sendable {
    /// The path of the link.
    package let path: String

    /// Creates a link that points nowhere yet, and fails if the path is not free.
    package init(_ path: String) throws(SystemFailure) {
        self.path = path
        var found = stat()
        guard lstat(path, &found) != 0 || isLeftOver else { throw failure(EEXIST) }
    }

    /// Points the link to a terminal, at once, so that it never dangles in between.
    package func point(to terminal: String) throws(SystemFailure) {
        if symlink(terminal, path) == 0 { return }
        guard errno == EEXIST, isLeftOver else { throw failure(errno) }
        let draft = ClaimedPath.draft(of: path)
        guard symlink(terminal, draft) == 0 else { throw failure(errno) }
        guard rename(draft, path) == 0 else {
            let code = errno
            unlink(draft)
            throw failure(code)
        }
    }

    /// Returns whether the link points to a terminal.
    package func points(to terminal: String) -> Bool {
        var target = [CChar](repeating: 0, count: 64)
        let count = readlink(path, &target, target.count)
        return count >= 0 && target.prefix(count).elementsEqual(terminal.utf8.map { CChar(bitPattern: $0) })
    }

    /// Removes the link, unless something else is at the path now.
    package func remove() { if isTerminalLink { unlink(path) } }

    /// Whether the link was made for a terminal that is gone; another one can have got its number since.
    private var isLeftOver: Bool {
        var (link, target) = (stat(), stat())
        guard isTerminalLink, lstat(path, &link) == 0, stat(path, &target) == 0 else { return isTerminalLink }
        let (made, changed) = (link.st_mtim, target.st_ctim)
        return (made.tv_sec, made.tv_nsec) < (changed.tv_sec, changed.tv_nsec)
    }

    /// Whether a link of this user to a terminal is at the path.
    private var isTerminalLink: Bool {
        var found = stat()
        let prefix = Array("/dev/pts/".utf8CString.dropLast())
        var target = [CChar](repeating: 0, count: prefix.count)
        return lstat(path, &found) == 0 && found.st_uid == geteuid()
            && readlink(path, &target, target.count) == prefix.count && target == prefix
    }

    private func failure(_ code: Int32) -> SystemFailure { SystemFailure("make a terminal at \(path)", code: code) }
}
