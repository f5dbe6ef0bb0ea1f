import Glibc
package import LocationPublishing
import LocwatchPlatform

/// The folder of a queue on this machine.
///
/// The folder and its files can be read by their owner only, because positions are personal. The folder is locked as long
/// as the storage exists, so that one program at a time uses the queue; a killed program leaves no lock.
package final class QueueFolder: QueueStorage {
    private let path: String
    private let descriptor: Int32

    /// Opens and locks a folder, creating it if it does not exist; its parent folder must exist.
    package init(_ path: String) throws(QueueError) {
        self.path = path
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.failure("create the queue", path) }
        descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("open the queue", path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isLocked = errno == EWOULDBLOCK
            let failure = Self.failure("lock the queue", path)
            close(descriptor)
            throw isLocked ? QueueError(.inUse(path: path)) : failure
        }
    }

    deinit { close(descriptor) }

    /// Returns the names of the files in the folder.
    package func names() throws(QueueError) -> [String] {
        guard let names = FolderNames.read(path) else { throw Self.failure("list", path) }
        return names
    }

    /// Opens a file, creating it if it does not exist.
    package func open(_ name: String) throws(QueueError) -> any QueueFile {
        // A symbolic link is not followed, because it could lead out of the folder.
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
        let file = openat(descriptor, name, flags, 0o600)
        guard file >= 0 else { throw Self.failure("open", path + "/" + name) }
        return SystemQueueFile(file, path + "/" + name)
    }

    /// Removes a file, if it exists.
    package func remove(_ name: String) throws(QueueError) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
            throw Self.failure("remove", path + "/" + name)
        }
    }

    /// Returns the space that is free for programs without root's rights.
    package func freeSpace() throws(QueueError) -> Int {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { throw Self.failure("measure the disk of", path) }
        let (bytes, isLarge) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isLarge ? .max : Int(clamping: bytes)
    }

    fileprivate static func failure(_ attempt: String, _ path: String) -> QueueError {
        QueueError(.system(attempt: attempt, path: path, cause: SystemFailure(attempt, code: errno).reason))
    }
}

/// A file in the folder of a queue.
private final class SystemQueueFile: QueueFile {
    private let descriptor: Int32
    private let path: String

    init(_ descriptor: Int32, _ path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    func size() throws(QueueError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw QueueFolder.failure("measure", path) }
        return Int(status.st_size)
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(QueueError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(
                    descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written,
                    off_t(offset + written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw QueueFolder.failure("write", path) }
            written += count
        }
    }

    func read(at offset: Int, count: Int) throws(QueueError) -> [UInt8] {
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            while true {
                let read = pread(descriptor, buffer.baseAddress, count, off_t(offset))
                if read < 0, errno == EINTR { continue }
                if read < 0 { code = errno }
                length = max(0, read)
                return
            }
        }
        errno = code
        guard code == 0 else { throw QueueFolder.failure("read", path) }
        return bytes
    }

    func truncate(to size: Int) throws(QueueError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw QueueFolder.failure("shorten", path) }
    }

    func sync() throws(QueueError) {
        guard fdatasync(descriptor) == 0 else { throw QueueFolder.failure("sync", path) }
    }
}
