import Glibc

/// The files of the system.
struct SystemStorage: TrackStorage {
    func open(_ path: String) throws(TrackFileError) -> (any StoredFile)? {
        try checkIsRegular(path)
        let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
        if descriptor < 0 {
            if errno == ENOENT { return nil }
            throw .system(attempt: "open", path: path, code: errno)
        }
        return SystemFile(descriptor, path)
    }

    func create(_ path: String) throws(TrackFileError) -> any StoredFile {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .system(attempt: "create", path: path, code: errno) }
        return SystemFile(descriptor, path)
    }

    func replace(_ path: String, by new: String) throws(TrackFileError) {
        try checkIsRegular(path)
        // Whoever may read the old file may read the new one.
        var old = stat()
        if stat(path, &old) == 0 { _ = chmod(new, old.st_mode & 0o7777) }
        guard rename(new, path) == 0 else { throw .system(attempt: "replace", path: path, code: errno) }
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    func remove(_ path: String) { _ = unlink(path) }

    /// A device or a pipe must never be replaced by a file.
    func checkIsRegular(_ path: String) throws(TrackFileError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        throw .foreign(path: path, cause: "it is no regular file")
    }
}

/// An open descriptor.
private final class SystemFile: StoredFile {
    private let descriptor: Int32
    private let path: String

    init(_ descriptor: Int32, _ path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    func size() throws(TrackFileError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("read") }
        return Int(status.st_size)
    }

    func read(at offset: Int, count: Int) throws(TrackFileError) -> [UInt8] {
        var length = 0
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while length < count {
                let got = pread(descriptor, buffer.baseAddress.map { $0 + length }, count - length, offset + length)
                if got < 0, errno == EINTR { continue }
                if got < 0 { code = errno }
                if got <= 0 { break }
                length += got
            }
            initialized = length
        }
        guard code == 0 else { throw .system(attempt: "read", path: path, code: code) }
        return bytes
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(TrackFileError) {
        var done = 0
        while done < bytes.count {
            let written = bytes.withUnsafeBytes { buffer in
                pwrite(descriptor, buffer.baseAddress.map { $0 + done }, bytes.count - done, offset + done)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw failure("write") }
            done += written
        }
    }

    func truncate(to size: Int) throws(TrackFileError) {
        guard ftruncate(descriptor, size) == 0 else { throw failure("write") }
    }

    func sync() throws(TrackFileError) {
        guard fdatasync(descriptor) == 0 else { throw failure("write") }
    }

    private func failure(_ attempt: String) -> TrackFileError {
        .system(attempt: attempt, path: path, code: errno)
    }
}

extension TrackFileError {
    /// Whether the disk, the quota or the largest size of a file is reached.
    public var isFull: Bool {
        if case .system(_, _, let code) = self { [ENOSPC, EDQUOT, EFBIG].contains(code) } else { false }
    }

    /// What the system says about it, for people.
    public var reason: String {
        switch self {
        case .foreign(_, let cause): cause
        case .exists: "it is there already"
        case .system(_, _, let code):
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
                // strerror_r of Glibc (the GNU one is not imported) fills the buffer and ends it with a zero.
                guard let start = text.baseAddress, strerror_r(code, start, text.count) == 0 else {
                    return "error \(code)"
                }
                return String(cString: start)
            }
        }
    }
}

/// Where a path really leads, so that a link stays a link when the file behind it is replaced.
func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
}
