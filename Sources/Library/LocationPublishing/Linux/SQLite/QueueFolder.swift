import Glibc
import LocationCore
import LocwatchPlatform

/// The folder of a queue on this machine.
///
/// The folder and its files can be read by their owner only, because positions are personal. The folder is locked as long
/// as this value exists, so that one program at a time uses the queue; a killed program leaves no lock.
final class QueueFolder: Sendable {
    static let database = "queue.sqlite"

    private let path: String
    private let descriptor: Int32
    private let lock: Int32

    /// Opens and locks a folder, creating it if it does not exist; its parent folder must exist.
    init(_ path: String) throws(PublishError) {
        self.path = path
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.failure("create the queue", path) }
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("open the queue", path) }
        do throws(PublishError) { lock = try Self.lock(path, descriptor) } catch {
            close(descriptor)
            throw error
        }
    }

    deinit {
        close(lock)
        close(descriptor)
    }

    var databasePath: String { path + "/" + Self.database }

    /// Whether the rights of the database and its disk let this process write it.
    var canWriteDatabase: Bool { faccessat(descriptor, Self.database, W_OK, 0) == 0 }

    /// Creates an empty database for its owner only, unless it exists; SQLite gives its other files the same mode.
    func makeDatabase() throws(PublishError) {
        let file = openat(descriptor, Self.database, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 || errno == EEXIST else { throw Self.failure("create", databasePath) }
        if file >= 0 { close(file) }
    }

    /// Renames a damaged database, and returns its new path.
    func setDatabaseAside(at time: Timestamp) throws(PublishError) -> String {
        let name = "\(Self.database).damaged-\(time.formatted(fractionDigits: 0).filter { $0 != ":" })"
        var (free, count) = (name, 1)
        while faccessat(descriptor, free, F_OK, AT_SYMLINK_NOFOLLOW) == 0 {
            count += 1
            free = "\(name)-\(count)"
        }
        guard renameat(descriptor, Self.database, descriptor, free) == 0 else {
            throw Self.failure("rename", databasePath)
        }
        // The write-ahead log belongs to the damaged database, and must not be replayed into the new one.
        for suffix in ["-wal", "-shm"] {
            guard renameat(descriptor, Self.database + suffix, descriptor, free + suffix) == 0 || errno == ENOENT else {
                throw Self.failure("rename", databasePath + suffix)
            }
        }
        return path + "/" + free
    }

    /// Returns the space that is free for programs without root's rights.
    func freeSpace() throws(PublishError) -> Int {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { throw Self.failure("measure the disk of", path) }
        let (bytes, isLarge) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isLarge ? .max : Int(clamping: bytes)
    }

    /// Locks a folder, and leaves the number of this process for the message of another one.
    private static func lock(_ path: String, _ folder: Int32) throws(PublishError) -> Int32 {
        // A symbolic link is not followed, because it could lead out of the folder.
        let lock = openat(folder, "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw failure("lock the queue", path) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            let error =
                errno == EWOULDBLOCK
                ? PublishError.queueInUse(path: path, process: process(in: lock)) : failure("lock the queue", path)
            close(lock)
            throw error
        }
        let text = Array("\(getpid())\n".utf8)
        // A full disk has no room for the number, which the message then lacks.
        if ftruncate(lock, 0) == 0 { _ = pwrite(lock, text, text.count, 0) }
        return lock
    }

    private static func process(in lock: Int32) -> Int? {
        var text = [UInt8](repeating: 0, count: 16)
        let count = pread(lock, &text, text.count, 0)
        guard count > 1 else { return nil }
        return Int(String(decoding: text.prefix(count - 1), as: UTF8.self))
    }

    private static func failure(_ attempt: String, _ path: String) -> PublishError {
        let failure = SystemFailure(attempt, code: errno)
        let isFull = [ENOSPC, EDQUOT].contains(failure.code)
        return .queueFile(attempt, path, failure.reason, isFull ? .disk : .creation)
    }
}
