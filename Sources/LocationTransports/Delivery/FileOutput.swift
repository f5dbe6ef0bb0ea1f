import Glibc
import LocwatchPlatform

/// A file with the newest position, which is replaced as a whole, so that a program never reads a part of it.
///
/// The file is locked while its process runs; one that is marked and not locked was left by a killed process, and is taken over.
final class FileOutput: PathOutput {
    private let path: String
    private let mode: UInt32
    /// The content before the first position.
    private let initial: [UInt8]
    private var file: ClaimedPath?

    init(path: String, mode: UInt32, initial: [UInt8]) {
        self.path = path
        self.mode = mode
        self.initial = initial
    }

    deinit { release() }

    func claim() throws(SystemFailure) {
        guard file == nil else { return }
        let draft = try draft(initial)
        // Neither follows a link, and neither replaces a file of another program.
        if link(draft.name, path) == 0 {
            unlink(draft.name)
        } else {
            let code = errno
            guard code == EEXIST, isLeftOver, rename(draft.name, path) == 0 else {
                unlink(draft.name)
                close(draft.descriptor)
                throw SystemFailure("make a file at \(path)", code: code)
            }
        }
        file = ClaimedPath(path, owning: draft.descriptor)
    }

    func write(_ datagrams: [[UInt8]], at now: Duration) throws(SystemFailure) {
        guard file?.isInPlace == true else {
            throw SystemFailure("replace \(path), which was removed or replaced", code: ENOENT)
        }
        let draft = try draft(datagrams.last ?? [])
        guard rename(draft.name, path) == 0 else {
            let code = errno
            unlink(draft.name)
            close(draft.descriptor)
            throw SystemFailure("replace \(path)", code: code)
        }
        file = ClaimedPath(path, owning: draft.descriptor)
    }

    func release() {
        file?.remove()
        file = nil
    }

    /// Whether a process of this user that is gone has left the file.
    private var isLeftOver: Bool {
        guard let found = ClaimedPath(path, kind: S_IFREG), found.isMarked else { return false }
        let opened = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        defer { close(opened) }
        return opened >= 0 && found.isOpened(by: opened) && flock(opened, LOCK_EX | LOCK_NB) == 0
    }

    /// Writes a content to a new, locked file beside the path.
    private func draft(_ content: [UInt8]) throws(SystemFailure) -> (name: String, descriptor: Int32) {
        let name = ClaimedPath.draft(of: path)
        let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemFailure("make a file at \(path)", code: errno) }
        var code = content.withUnsafeBytes { WholeWrite.write($0, to: descriptor) }
        if code == nil, flock(descriptor, LOCK_EX | LOCK_NB) != 0 || fchmod(descriptor, mode | ClaimedPath.mark) != 0 {
            code = errno
        }
        guard let code else { return (name, descriptor) }
        unlink(name)
        close(descriptor)
        throw SystemFailure("write \(path)", code: code)
    }
}
