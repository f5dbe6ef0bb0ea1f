import CLocwatchPlatform
import Glibc

/// A small file that is open for reading, and the facts about who can have written what is read from it.
///
/// All facts are those of the open descriptor and of the folder in which it was opened: a path can lead elsewhere a moment later.
package final class InputFile {
    /// The time within which a writer must begin to fill a pipe.
    private static let patience = Duration.seconds(10)

    private let descriptor: Int32
    private let status: stat
    /// Whether another user than the file's owner, this user and root can put another file in the place of this one.
    package let isReplaceable: Bool

    /// Opens a file once, because a pipe gives its content only once.
    package init(_ path: String) throws(SystemFailure) {
        // As bytes: a name can begin with a combining mark, which as text is one character with the slash before it.
        let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        let (place, name) = (start == path.startIndex ? "." : String(path[..<start]), String(path[start...]))
        let folder = locwatch_open_folder(place)
        guard folder >= 0 else { throw SystemFailure("read", code: errno) }
        defer { close(folder) }
        // A named pipe would wait here for its writer, and no signal could end that.
        let descriptor = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw SystemFailure("read", code: errno) }
        let keepers = [0, geteuid(), status.st_uid]
        isReplaceable = !Self.isKept(folder, name, by: keepers) || !Self.isTargetKept(descriptor, by: keepers)
        (self.descriptor, self.status) = (descriptor, status)
    }

    deinit { close(descriptor) }

    /// A reason for which another user than this one and root can have written the content.
    package enum OtherWriter: Hashable, Sendable {
        /// Another user owns the file.
        case owner
        /// Everybody may write the file, or a group that has members besides the owner.
        case rights
        /// The file can be replaced.
        case folder
    }

    /// The first reason for which another user can have written the content, if there is one.
    package var otherWriter: OtherWriter? {
        // A pipe without a name is the one that the user has given.
        if status.st_mode & S_IFMT == S_IFIFO, Self.path(of: descriptor) == nil { return nil }
        if ![0, geteuid()].contains(status.st_uid) { return .owner }
        if Self.isWritableByOthers(status) { return .rights }
        return isReplaceable ? .folder : nil
    }

    /// Whether its owner alone has rights to the file.
    package var isPrivate: Bool { status.st_mode & 0o077 == 0 }

    /// Returns the content, or its first bytes if it is longer than a limit; call it once.
    package func read(limit: Int) throws(SystemFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        // A pipe without a writer has an end at once, unless one is waited for.
        if status.st_mode & S_IFMT == S_IFIFO { try awaitBytes() }
        while bytes.count < limit {
            let count = Glibc.read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                try awaitBytes()
                continue
            }
            guard count >= 0 else { throw SystemFailure("read", code: errno) }
            guard count > 0 else { break }
            bytes += chunk.prefix(count)
        }
        return bytes
    }

    private func awaitBytes() throws(SystemFailure) {
        if PollSet.wait(for: descriptor, within: Self.patience) { return }
        // A signal that ends the program interrupts the wait.
        throw SystemFailure("read", code: CaughtSignals.first == nil ? ETIMEDOUT : EINTR)
    }

    /// Returns whether only some users can replace an entry of a folder: its owner can, and who may write in it, who in a sticky
    /// folder can replace only an own entry.
    private static func isKept(_ folder: Int32, _ name: String, by keepers: [uid_t]) -> Bool {
        var (status, entry) = (stat(), stat())
        guard fstat(folder, &status) == 0, keepers.contains(status.st_uid) else { return false }
        if !isWritableByOthers(status) { return true }
        return status.st_mode & S_ISVTX != 0 && fstatat(folder, name, &entry, AT_SYMLINK_NOFOLLOW) == 0
            && keepers.contains(entry.st_uid)
    }

    /// Returns whether an entry has a mode with which others than its owner and root can write it.
    private static func isWritableByOthers(_ status: stat) -> Bool {
        if status.st_mode & S_IWOTH != 0 { return true }
        return status.st_mode & S_IWGRP != 0 && LocalGroups().hasMembers(status.st_gid, besides: status.st_uid)
    }

    /// Returns the path of an open file, or `nil` if it has none, such as a pipe of a shell.
    private static func path(of descriptor: Int32) -> String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
        let path = String(decoding: target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.hasPrefix("/") ? path : nil
    }

    /// Returns whether the same is true where a file really is, to which a symbolic link can have led.
    private static func isTargetKept(_ descriptor: Int32, by keepers: [uid_t]) -> Bool {
        // A file without a name cannot be replaced.
        guard let path = path(of: descriptor), let start = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return true
        }
        let folder = locwatch_open_folder(start == path.startIndex ? "/" : String(path[..<start]))
        // A path of another root, or of a folder that was removed, leads nowhere.
        guard folder >= 0 else { return true }
        defer { close(folder) }
        return isKept(folder, String(path[path.utf8.index(after: start)...]), by: keepers)
    }
}
