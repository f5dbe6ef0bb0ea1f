import Glibc
import LocwatchPlatform

/// The files of the operating system.
///
/// An open file is locked with flock, so that two programs cannot write to it; on a file system without locks it is not
/// locked.
struct SystemStorage: TrackStorage {
    /// The path that the user gave, which errors name even if another file is written.
    private let name: String

    init(for name: String) { self.name = name }

    func resolved(_ path: String) -> String {
        var hop = path
        // Only the last component is resolved here, because the system follows links to folders itself.
        for _ in 0..<40 {
            var link = stat()
            guard lstat(hop, &link) == 0, link.st_mode & S_IFMT == S_IFLNK, Self.isTrusted(link, at: hop)
            else { return hop }
            let target = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { text in
                guard let start = text.baseAddress else { return "" }
                let count = readlink(hop, start, text.count)
                return String(decoding: text[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
            hop = target.hasPrefix("/") ? target : "\(WrittenFolder.around(hop))/\(target)"
        }
        return path
    }

    /// Returns whether the rules of fs.protected_symlinks and fs.protected_regular permit following a link, or taking over what a
    /// file is.
    ///
    /// The kernel applies those rules only when it opens files: in a sticky, world-writable folder such as /tmp, another
    /// user's link or file can be a trap.
    fileprivate static func isTrusted(_ file: stat, at path: String) -> Bool {
        var folder = stat()
        guard stat(WrittenFolder.around(path), &folder) == 0 else { return false }
        let isForEveryone = folder.st_mode & S_ISVTX != 0 && folder.st_mode & S_IWOTH != 0
        return !isForEveryone || file.st_uid == geteuid() || file.st_uid == folder.st_uid
    }

    func open(_ path: String) throws(TrackFileError) -> (any StoredFile)? {
        // The file can be replaced between the calls that open it and lock it.
        for _ in 0..<100 {
            try checkIsRegular(path)
            let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
            if descriptor < 0 {
                if errno == ENOENT { return nil }
                throw .system(attempt: "open", path: name, code: errno)
            }
            let file = SystemFile(descriptor, name)
            guard file.lock() else { throw .inUse(path: name) }
            if file.size(at: path) != nil { return file }
        }
        throw .inUse(path: name)
    }

    func draft(of path: String) throws(TrackFileError) -> any StoredDraft {
        for _ in 0..<100 {
            let (descriptor, draft) = Self.createDraft(of: path)
            if descriptor < 0, errno == EEXIST { continue }
            guard descriptor >= 0 else { throw .system(attempt: "create", path: name, code: errno) }
            let file = SystemFile(descriptor, name, draft: draft, of: path)
            // Another program may have removed the draft as stale before it was locked.
            if file.lock(), file.size(at: draft) != nil { return file }
        }
        throw .system(attempt: "create", path: name, code: EEXIST)
    }

    /// Creates a file with an unpredictable name beside the one at a path, whose mode it gets, unless it is another user's in a
    /// folder of all users; a confined process cannot change it later; the descriptor is negative if that fails.
    static func createDraft(of path: String) -> (descriptor: Int32, name: String) {
        let draft = DraftName.random(for: path)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        var old = stat()
        guard lstat(path, &old) == 0, isTrusted(old, at: path) else { return (Glibc.open(draft, flags, 0o666), draft) }
        // Another group than that of the old file gets no right.
        let mode = old.st_mode & (old.st_gid == getegid() ? 0o777 : 0o707)
        return (CreatedFile.create(draft, flags, mode: mode), draft)
    }

    func removeStaleDrafts(of path: String) {
        let folder = WrittenFolder.around(path)
        guard let directory = opendir(folder) else { return }
        defer { closedir(directory) }
        let prefix = DraftName.prefix(of: path)
        while let entry = readdir(directory) {
            // A log of many files opens each of them, so most names are rejected at their first character.
            guard UInt8(bitPattern: entry.pointee.d_name.0) == UInt8(ascii: ".") else { continue }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if DraftName.isOne(name, prefix) { removeIfStale("\(folder)/\(name)") }
        }
    }

    /// Removes a draft of this user that is not locked by a running program.
    private func removeIfStale(_ draft: String) {
        let descriptor = Glibc.open(draft, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return }
        let file = SystemFile(descriptor, name)
        if file.isRegular, file.owner == geteuid(), flock(descriptor, LOCK_EX | LOCK_NB) == 0,
            file.size(at: draft) != nil
        {
            unlink(draft)
        }
    }

    /// Throws unless the path leads to a regular file or to nothing, so that a file never replaces a device or a pipe.
    func checkIsRegular(_ path: String) throws(TrackFileError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFLNK: throw .foreign(path: path, cause: "it is a symbolic link")
        case S_IFDIR: throw .foreign(path: path, cause: "it is a folder")
        default: throw .foreign(path: path, cause: "it is not a regular file")
        }
    }

    /// Throws unless the file at a path is of a kind or empty, or there is none, because it is about to be replaced.
    func check(_ path: String, is kind: FileReplacement.ReplacedKind) throws(TrackFileError) {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw .system(attempt: "read", path: name, code: errno)
        }
        let bytes = try SystemFile(descriptor, name).read(at: 0, count: kind.beginning.count)
        guard bytes.isEmpty || bytes == kind.beginning else {
            throw .foreign(path: name, cause: "it is not empty, and not \(kind.name)")
        }
    }

    /// Throws if another program is writing to the file that is about to be replaced.
    func checkIsFree(_ path: String) throws(TrackFileError) {
        try checkIsRegular(path)
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return }
        defer { FileLock.release(descriptor) }
        if flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK { throw .inUse(path: name) }
    }
}

/// The temporary names of drafts: `.NAME-0123456789abcdef.locwatch`.
private enum DraftName {
    private static let suffix = ".locwatch"
    private static let (digits, count) = ("0123456789abcdef", 16)

    static func random(for path: String) -> String {
        let number = String((0..<count).compactMap { _ in digits.randomElement() })
        return "\(WrittenFolder.around(path))/\(prefix(of: path))\(number)\(suffix)"
    }

    /// Returns whether a file with this name is a draft whose name begins with `prefix`.
    static func isOne(_ name: String, _ prefix: String) -> Bool {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
        let middle = name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
        return middle.count == count && middle.allSatisfy(digits.utf8.contains)
    }

    /// The beginning of the names of drafts of the file at `path`.
    static func prefix(of path: String) -> String {
        var name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        // A name has at most 255 bytes.
        while name.utf8.count > 200 { name.removeLast() }
        return ".\(name)-"
    }
}

/// An open descriptor.
private final class SystemFile: StoredDraft {
    private let descriptor: Int32
    private let path: String
    private let draft: String
    private let target: String
    private let status: stat

    /// - Parameter path: The path that errors name.
    init(_ descriptor: Int32, _ path: String, draft: String = "", of target: String = "") {
        self.descriptor = descriptor
        self.path = path
        self.draft = draft
        self.target = target
        var status = stat()
        // This fails only if the descriptor is not open.
        fstat(descriptor, &status)
        self.status = status
    }

    deinit { FileLock.release(descriptor) }

    var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }
    var owner: uid_t { status.st_uid }

    /// Locks the file; returns `false` if another program has locked it.
    func lock() -> Bool { FileLock.take(descriptor) }

    func size(at path: String) -> Int? {
        var now = stat()
        guard lstat(path, &now) == 0, now.st_dev == status.st_dev, now.st_ino == status.st_ino else { return nil }
        return Int(now.st_size)
    }

    func place(overwrites: Bool) throws(TrackFileError) {
        try SystemStorage(for: path).checkIsRegular(target)
        var old = stat()
        if lstat(target, &old) == 0 {
            guard overwrites else { throw .exists(path: path) }
            // The new file keeps the owner and the group of the old one, unless the process is confined.
            if SystemStorage.isTrusted(old, at: target), old.st_uid != owner || old.st_gid != status.st_gid {
                _ = fchown(descriptor, old.st_uid, old.st_gid)
            }
        }
        // Unlike renaming, linking fails if the name is taken; some file systems have no links.
        if !overwrites, link(draft, target) == 0 {
            unlink(draft)
        } else {
            if !overwrites, errno == EEXIST { throw .exists(path: path) }
            guard rename(draft, target) == 0 else { throw .system(attempt: "replace", path: path, code: errno) }
        }
        let folder = Glibc.open(WrittenFolder.around(target), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        _ = fsync(folder)
        close(folder)
    }

    func discard() { if size(at: draft) != nil { unlink(draft) } }

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
        if let code = bytes.withUnsafeBytes({ WholeWrite.write($0, to: descriptor, at: offset) }) {
            throw .system(attempt: "write", path: path, code: code)
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
    /// Whether the disk or the quota is full or the file has reached its largest size.
    public var isFull: Bool {
        if case .system(_, _, let code) = self { [ENOSPC, EDQUOT, EFBIG].contains(code) } else { false }
    }

    /// A description of the cause without the path.
    public var reason: String {
        switch self {
        case .foreign(_, let cause): cause
        case .exists: "it already exists"
        case .inUse: "another program is writing to it"
        case .system(let attempt, _, let code): SystemFailure(attempt, code: code).reason
        }
    }
}
