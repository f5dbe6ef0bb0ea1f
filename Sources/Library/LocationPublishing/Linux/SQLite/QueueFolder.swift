import Glibc
import LocationCore
import LocwatchPlatform

/// The folder of a queue on this machine.
///
/// The folder and its files can be read by their owner only, because positions are personal, and those that other users could
/// change are refused. The folder is locked as long as this value exists, so that one program at a time uses the queue; a killed
/// program leaves no lock.
final class QueueFolder: Sendable {
    static let database = "queue.sqlite"
    /// The suffixes of the files that SQLite makes beside a database.
    private static let suffixes = ["-wal", "-shm", "-journal"]

    private let path: String
    private let descriptor: Int32
    private let lock: Int32

    /// Opens and locks a folder, creating it if it does not exist; its parent folder must exist.
    init(_ path: String) throws(PublishError) {
        self.path = path
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.failure("create the queue", path) }
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("open the queue", path) }
        do throws(PublishError) {
            try Self.checkRights(of: descriptor, path, S_IFDIR)
            lock = try Self.lock(path, descriptor)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit {
        FileLock.release(lock)
        close(descriptor)
    }

    var databasePath: String { path + "/" + Self.database }

    /// Whether the rights of the database and its disk let this process write it.
    var canWriteDatabase: Bool { faccessat(descriptor, Self.database, W_OK, 0) == 0 }

    /// Creates an empty database for its owner only, unless it exists, and returns the name by which SQLite opens it in this folder,
    /// also if another one takes its place meanwhile.
    ///
    /// SQLite gives its other files the same mode.
    func makeDatabase() throws(PublishError) -> String {
        try Self.checkRights(of: descriptor, path, S_IFDIR)
        for suffix in [""] + Self.suffixes { try checkFile(Self.database + suffix) }
        let file = openat(descriptor, Self.database, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 || errno == EEXIST else { throw Self.failure("create", databasePath) }
        if file >= 0 { close(file) }
        try checkPlace()
        return SQLiteLibrary.name(of: Self.database, in: descriptor)
    }

    /// Throws if the path leads to another folder by now, in which the next program would look for the records.
    ///
    /// With DynamicUser systemd lays the state of a service in a folder of `/var/lib/private`, to which a link of root leads. It does
    /// not matter who has made a link: the owner and the rights of the folder to which it leads decide who can change the queue.
    private func checkPlace() throws(PublishError) {
        var (own, found) = (stat(), stat())
        guard fstat(descriptor, &own) == 0, stat(path, &found) == 0 else { throw Self.failure("open the queue", path) }
        guard own.st_dev == found.st_dev, own.st_ino == found.st_ino else {
            throw Self.failure("use", path, because: "another folder has taken its place")
        }
    }

    /// Whether the folder or the database has another name now, or was removed.
    func hasMoved(_ database: QueueDatabase) -> Bool {
        if database.hasMoved { return true }
        do throws(PublishError) { try checkPlace() } catch { return true }
        return false
    }

    private func checkFile(_ name: String) throws(PublishError) {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return }
            throw Self.failure("open", path + "/" + name)
        }
        if let objection = QueueRights.objection(to: status, kind: S_IFREG) {
            throw Self.failure("use", path + "/" + name, because: objection)
        }
    }

    private static func checkRights(of descriptor: Int32, _ path: String, _ kind: mode_t) throws(PublishError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("open", path) }
        if let objection = QueueRights.objection(to: status, kind: kind) {
            throw failure("use", path, because: objection)
        }
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
        for suffix in Self.suffixes {
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
        do throws(PublishError) { try checkRights(of: lock, path + "/lock", S_IFREG) } catch {
            close(lock)
            throw error
        }
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

    private static func failure(_ attempt: String, _ path: String, because reason: String) -> PublishError {
        .file(attempt, path, reason, .creation)
    }

    private static func failure(_ attempt: String, _ path: String) -> PublishError {
        let failure = SystemFailure(attempt, code: errno)
        let isFull = [ENOSPC, EDQUOT].contains(failure.code)
        return .file(attempt, path, failure.reason, isFull ? .disk : .creation)
    }
}
