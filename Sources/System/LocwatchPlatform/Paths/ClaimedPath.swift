import CLocwatchPlatform
import Glibc
import LocwatchSupport

/// A path at which this process makes a pipe, socket, file or link of its own.
///
/// As long as the claim exists a hidden file beside the path, `.NAME.lock`, is locked (flock), so that one process at a time has
/// the path. The system releases the lock of a killed process, and the next process of this user takes over what it left.
/// The entry is recognized by its inode, not by its name, so what another program put there in the meantime is never changed or
/// removed.
package final class ClaimedPath: Sendable {
    /// The bit of the mode that marks pipes, sockets and files for the next process of this user.
    ///
    /// The system gives it no meaning except for folders, and no other program sets it.
    package static let mark: UInt32 = S_ISVTX

    package let path: String
    /// The name of a file that is written before it replaces the one at the path.
    package let draft: String
    private let lockName: String
    private let kind: UInt32
    private let attempt: String
    /// The descriptor of the locked file, and one of the entry, which keeps its inode number from being given to another one;
    /// −1 without one.
    private let held = Lock((lock: Int32(-1), entry: Int32(-1)))

    /// Claims a path for an entry of a kind such as `S_IFIFO`, `to` do something as in "make a pipe"; fails with
    /// `EBUSY` if another process has it, and with `EEXIST` if something other than the entry of a killed process is
    /// there.
    package init(_ path: String, kind: UInt32, to attempt: String) throws(SystemFailure) {
        self.path = path
        self.kind = kind
        self.attempt = attempt
        // As bytes: a name can begin with a combining mark, which as text is one character with the slash before it.
        let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        let beside = "\(path[..<name]).\(path[name...])"
        lockName = beside + ".lock"
        draft = beside + ".draft"
        let lock = try takeLock()
        held.withLock { $0.lock = lock }
        let left = locwatch_open_path(draft)
        if Self.isOurs(left, S_IFREG) { unlink(draft) }
        if left >= 0 { close(left) }
        let found = locwatch_open_path(path)
        guard found >= 0 else {
            if errno == ENOENT { return }
            throw failure(errno)
        }
        guard Self.isOurs(found, kind), kind != S_IFLNK || isLeftLink(found) else {
            close(found)
            throw failure(EEXIST)
        }
        adopt(found)
    }

    deinit { release() }

    package var isInPlace: Bool { Self.isEntry(entry, at: path) }

    package func checkIsInPlace() throws(SystemFailure) {
        guard isInPlace else { throw SystemFailure("use \(path), which was removed or replaced", code: ENOENT) }
    }

    /// Returns whether a descriptor has opened the entry.
    package func isOpened(by other: Int32) -> Bool {
        Self.status(of: other).map { Self.isEntry(entry, $0) } ?? false
    }

    /// Notes the marked entry that was just made at the path as that of the claim.
    package func adopt() throws(SystemFailure) {
        let found = locwatch_open_path(path)
        guard Self.isOurs(found, kind) else {
            if found >= 0 { close(found) }
            throw failure(EEXIST)
        }
        adopt(found)
    }

    /// Makes the entry that a descriptor has opened that of the claim, which closes the descriptor.
    package func adopt(_ descriptor: Int32) {
        let old = held.withLock { held in
            defer { held.entry = descriptor }
            return held.entry
        }
        if old >= 0 { close(old) }
    }

    /// Makes a symbolic link at the path, instead of the one that the claim has there, if any.
    package func link(to target: String) throws(SystemFailure) {
        remove()
        guard symlink(target, path) == 0 else { throw failure(errno) }
        try adopt()
        guard let status = Self.status(of: entry) else { return }
        let lock = held.withLock { $0.lock }
        let text = Array(Self.description(of: status).utf8)
        _ = ftruncate(lock, 0)
        _ = pwrite(lock, text, text.count, 0)
    }

    /// Sets the permissions of the entry, and its mark.
    package func setMode(_ mode: UInt32) throws(SystemFailure) {
        // The descriptor of a path has no fchmod.
        guard chmod("/proc/self/fd/\(entry)", mode | Self.mark) == 0 else {
            throw SystemFailure("set the mode of \(path)", code: errno)
        }
    }

    /// Removes the entry if it is still at the path.
    package func remove() {
        if isInPlace { unlink(path) }
        adopt(-1)
    }

    /// Removes the entry, and gives up the path; the claim is of no use then.
    package func release() {
        remove()
        let lock = held.withLock { held in
            defer { held.lock = -1 }
            return held.lock
        }
        guard lock >= 0 else { return }
        if Self.isEntry(lock, at: lockName) { unlink(lockName) }
        FileLock.release(lock)
    }

    package func failure(_ code: Int32) -> SystemFailure { SystemFailure("\(attempt) at \(path)", code: code) }

    // MARK: Entries

    private var entry: Int32 { held.withLock { $0.entry } }

    private func takeLock() throws(SystemFailure) -> Int32 {
        // The file can be removed between the calls that open it and lock it.
        for _ in 0..<100 {
            let descriptor = open(lockName, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600 | Self.mark)
            guard descriptor >= 0 else { throw failure(errno) }
            guard Self.isOurs(descriptor, S_IFREG), FileLock.take(descriptor) else {
                close(descriptor)
                throw failure(EBUSY)
            }
            if Self.isEntry(descriptor, at: lockName) { return descriptor }
            FileLock.release(descriptor)
        }
        throw failure(EBUSY)
    }

    /// Whether a link was made by a killed process: its terminal is gone, or the locked file describes the link.
    ///
    /// Another terminal can have got the number of one that is gone.
    private func isLeftLink(_ descriptor: Int32) -> Bool {
        guard let status = Self.status(of: descriptor), Self.isTerminalLink(path, in: AT_FDCWD) else { return false }
        var found = stat()
        if stat(path, &found) != 0 { return true }
        var text = [UInt8](repeating: 0, count: 64)
        let count = pread(held.withLock { $0.lock }, &text, text.count, 0)
        return text.prefix(max(0, count)).elementsEqual(Self.description(of: status).utf8)
    }

    /// Whether a name in a folder is a link to a pseudo terminal.
    static func isTerminalLink(_ name: String, in folder: Int32) -> Bool {
        let prefix = Array("/dev/pts/".utf8CString.dropLast())
        var target = [CChar](repeating: 0, count: prefix.count)
        return readlinkat(folder, name, &target, target.count) == prefix.count && target == prefix
    }

    private static func description(of link: stat) -> String {
        "\(link.st_ino) \(link.st_mtim.tv_sec) \(link.st_mtim.tv_nsec)\n"
    }

    /// Whether a descriptor has opened a marked entry of this user and of a kind; a link has no mode for the mark.
    private static func isOurs(_ descriptor: Int32, _ kind: UInt32) -> Bool {
        guard let status = status(of: descriptor) else { return false }
        return status.st_mode & S_IFMT == kind && status.st_uid == geteuid()
            && (kind == S_IFLNK || status.st_mode & mark != 0)
    }

    private static func isEntry(_ descriptor: Int32, at path: String) -> Bool {
        var found = stat()
        return lstat(path, &found) == 0 && isEntry(descriptor, found)
    }

    private static func isEntry(_ descriptor: Int32, _ found: stat) -> Bool {
        status(of: descriptor).map { $0.st_dev == found.st_dev && $0.st_ino == found.st_ino } ?? false
    }

    private static func status(of descriptor: Int32) -> stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }
}
