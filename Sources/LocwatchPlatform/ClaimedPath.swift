import CLocwatchPlatform
import Glibc

/// A pipe, socket or file that this process made at a path, or took over from a process of this user that was killed.
///
/// It is recognized by its inode, not by its name, so what another program put there in the meantime is never changed or removed.
package struct ClaimedPath: ~Copyable {
    /// The bit of the mode that marks pipes, sockets and files for the next process of this user.
    ///
    /// The system gives it no meaning except for folders, and no other program sets it.
    package static let mark: UInt32 = S_ISVTX

    /// Returns a name beside a path for an entry that replaces the one there; it is random, because a file could already have
    /// any predictable name.
    package static func draft(of path: String) -> String {
        "\(path)-\(String(UInt64.random(in: 0...UInt64.max), radix: 16))"
    }

    /// The path.
    package let path: String
    /// A descriptor of the entry, which keeps its inode number from being given to another one.
    private let descriptor: Int32

    /// Creates a claim of the entry that a descriptor has opened; the claim closes it.
    package init(_ path: String, owning descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Finds an entry of this user and of a kind, such as `S_IFIFO`; `nil` without one, and at a link.
    package init?(_ path: String, kind: UInt32) {
        self.init(path, owning: locwatch_open_path(path))
        guard descriptor >= 0, let status, status.st_mode & S_IFMT == kind, status.st_uid == geteuid() else {
            return nil
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    private var status: stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }

    /// Whether a process of this program made the entry.
    package var isMarked: Bool { status.map { $0.st_mode & Self.mark != 0 } ?? false }

    /// Whether the entry is still at the path.
    package var isInPlace: Bool {
        var found = stat()
        return lstat(path, &found) == 0 && isEntry(found)
    }

    /// Returns whether a descriptor has opened the entry.
    package func isOpened(by other: Int32) -> Bool {
        var found = stat()
        return fstat(other, &found) == 0 && isEntry(found)
    }

    private func isEntry(_ found: stat) -> Bool {
        status.map { $0.st_dev == found.st_dev && $0.st_ino == found.st_ino } ?? false
    }

    /// Sets the permissions of the entry, wherever it is now.
    package func setMode(_ mode: UInt32) throws(SystemFailure) {
        // The descriptor of a path has no fchmod.
        guard chmod("/proc/self/fd/\(descriptor)", mode) == 0 else {
            throw SystemFailure("set the mode of \(path)", code: errno)
        }
    }

    /// Removes the entry if it is still at the path.
    package func remove() { if isInPlace { unlink(path) } }
}
