import Glibc
import LocwatchPlatform
import LocwatchLock

/// A recording that is written on a thread of its own, so that a stalled disk does not delay the session.
///
/// Each write is of whole lines, and what a full disk took of a line is taken back: the file always ends with a line. A file
/// that is overwritten stays as it is until the first line of the session is in the new one, which then takes its place.
final class RecordingFile: Sendable {
    private struct Content {
        var queue: [UInt8] = []
        var isClosed = false
        var failure: OutputFailure?
        var lines = 0
        var bytes = 0
        /// Whether the draft has taken the place of the file.
        var isPlaced = false
    }

    /// How long, in milliseconds, a reader may take nothing before the program ends without it.
    private static let shutdownTimeout: Int32 = 2000

    private let descriptor: Int32
    /// The path of the file; `nil` for standard output.
    private let path: String?
    /// The temporary name under which a file is written that replaces another one.
    private let draft: String?
    private let isRegular: Bool
    private let content = Lock(Content())
    private let work: Event
    /// Happens when everything is written, or cannot be.
    let done: Event

    /// Opens a file, or standard output for `-`.
    init(path: String, overwrites: Bool, console: Console) throws(SystemFailure) {
        work = try Event()
        done = try Event()
        var status = stat()
        if path == "-" {
            self.path = nil
            draft = nil
            descriptor = console.output
        } else if overwrites, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
            // A symbolic link stays: the file behind it is replaced.
            let target = Self.resolved(path)
            (descriptor, draft) = try Self.makeDraft(beside: target, mode: status.st_mode & 0o777)
            self.path = target
        } else {
            self.path = path
            draft = nil
            // Something that is there and no file, such as a named pipe, is written to as it is.
            descriptor = open(path, O_WRONLY | O_CLOEXEC | (overwrites ? O_CREAT : O_CREAT | O_EXCL), 0o644)
            guard descriptor >= 0 else { throw SystemFailure("create \(path)", code: errno) }
        }
        isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        try NativeThread.start { self.run() }
    }

    /// How many lines are on their way to the disk or there.
    var lines: Int { content.withLock { $0.lines } }

    /// How many bytes are written.
    var bytes: Int { content.withLock { $0.bytes } }

    /// What went wrong, if something did.
    var failure: OutputFailure? { content.withLock { $0.failure } }

    /// Takes whole lines; never waits.
    func append(_ bytes: [UInt8], lines: Int) {
        content.withLock { content in
            guard !content.isClosed, content.failure == nil else { return }
            content.queue += bytes
            content.lines += lines
        }
        work.happen()
    }

    /// Has everything written; `done` happens when it is.
    func close() {
        content.withLock { $0.isClosed = true }
        work.happen()
    }

    /// Has everything written, and waits until it is, or cannot be; after a signal no longer than a reader goes on taking something.
    func finish() {
        close()
        while true {
            let before = bytes
            var watched = pollfd(fd: done.descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&watched, 1, Self.shutdownTimeout)
            if count > 0 { return }
            if count == 0, !isRegular, CaughtSignals.first != nil, bytes == before { return }
        }
    }

    /// Removes the file, because it contains nothing of a session; a file that it would have replaced stays.
    func discard() {
        if let draft, content.withLock({ !$0.isPlaced }) {
            unlink(draft)
        } else if isRegular, draft == nil, let path {
            unlink(path)
        }
    }

    /// The path behind symbolic links.
    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Creates a file with an unpredictable name in the folder of another one.
    private static func makeDraft(
        beside path: String, mode: mode_t
    ) throws(SystemFailure) -> (descriptor: Int32, path: String) {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let number = String(UInt64.random(in: .min ... .max), radix: 16)
        let name = "\(path[..<slash]).\(path[slash...])-\(number).locwatch"
        let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw SystemFailure("create \(path)", code: errno) }
        return (descriptor, name)
    }

    /// Puts a draft that has a line of the session in its place.
    private func place() -> OutputFailure? {
        guard let draft, let path, content.withLock({ !$0.isPlaced && $0.lines > 0 }) else { return nil }
        guard rename(draft, path) == 0 else { return OutputFailure(errno: errno) }
        content.withLock { $0.isPlaced = true }
        return nil
    }

    private func run() {
        while true {
            work.wait()
            work.clear()
            let (bytes, isClosed) = content.withLock { content in
                let taken = content.queue
                content.queue = []
                return (taken, content.isClosed)
            }
            if !bytes.isEmpty, let failure = write(bytes) ?? place() {
                content.withLock { $0.failure = failure }
                break
            }
            if isClosed { break }
        }
        if isRegular, failure == nil, fdatasync(descriptor) != 0 {
            content.withLock { $0.failure = OutputFailure(errno: errno) }
        }
        if path != nil { Glibc.close(descriptor) }
        done.happen()
    }

    private func write(_ bytes: [UInt8]) -> OutputFailure? {
        var written = 0
        let code = bytes.withUnsafeBytes { bytes in
            WholeWrite.write(bytes, to: descriptor) { count in
                written += count
                content.withLock { $0.bytes += count }
            }
        }
        guard let code else { return nil }
        takeBack(bytes[..<written])
        return OutputFailure(errno: code)
    }

    /// Cuts off the beginning of a line whose rest the disk did not take.
    private func takeBack(_ written: ArraySlice<UInt8>) {
        let torn = written.count - ((written.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }) ?? 0)
        guard isRegular, torn > 0 else { return }
        let end = lseek(descriptor, 0, SEEK_CUR)
        guard end >= off_t(torn), ftruncate(descriptor, end - off_t(torn)) == 0 else { return }
        content.withLock { $0.bytes -= torn }
    }
}
