import Glibc
package import LocwatchPlatform
import LocwatchSupport
package import LocwatchTerminal

/// A recording that is written on a separate thread, so that a stalled disk does not delay the session.
///
/// Each write consists of whole lines, and a line that a full disk took only in part is removed: the file always ends
/// with a line. An overwritten file stays until the first line of the session is in the new one, which then replaces
/// it.
package final class RecordingFile: Sendable {
    private struct Content {
        var queue: [UInt8] = []
        var isClosed = false
        var failure: OutputFailure?
        var lines = 0
        var bytes = 0
        /// Whether the draft has replaced the file.
        var isPlaced = false
    }

    /// The time in milliseconds after a signal for which the program waits for a reader that takes nothing.
    private static let shutdownTimeout: Int32 = 2000

    private let descriptor: Int32
    /// The path of the file; `nil` for standard output.
    private let path: String?
    /// The temporary path of a draft that replaces an existing file.
    private let draft: String?
    private let isRegular: Bool
    private let content = Lock(Content())
    private let work: Event
    /// An event that happens when everything is written or writing has failed.
    let done: Event

    /// Opens a file, or standard output for `-`.
    package init(path: String, overwrites: Bool, console: Console) throws(SystemFailure) {
        work = try Event()
        done = try Event()
        var status = stat()
        if path == "-" {
            self.path = nil
            draft = nil
            descriptor = console.output
        } else if overwrites, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
            // A symbolic link stays, and the file behind it is replaced.
            let target = Self.resolved(path)
            (descriptor, draft) = try Self.makeDraft(beside: target, mode: status.st_mode & 0o777)
            self.path = target
        } else {
            self.path = path
            draft = nil
            // A special file, such as a named pipe, is written to directly.
            descriptor = open(path, O_WRONLY | O_CLOEXEC | (overwrites ? O_CREAT : O_CREAT | O_EXCL), 0o644)
            guard descriptor >= 0 else {
                let code = errno
                let isFolder = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
                throw SystemFailure("create \(path)", code: isFolder ? EISDIR : code)
            }
        }
        isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        try NativeThread.start { self.run() }
    }

    /// The number of lines that are written or queued.
    package var lines: Int { content.withLock { $0.lines } }

    /// The number of bytes written.
    package var bytes: Int { content.withLock { $0.bytes } }

    /// The failure of a write, if any.
    package var failure: OutputFailure? { content.withLock { $0.failure } }

    /// Queues whole lines without waiting.
    package func append(_ bytes: [UInt8], lines: Int) {
        content.withLock { content in
            guard !content.isClosed, content.failure == nil else { return }
            content.queue += bytes
            content.lines += lines
        }
        work.happen()
    }

    /// Closes the queue; `done` happens when everything is written.
    func close() {
        content.withLock { $0.isClosed = true }
        work.happen()
    }

    /// Closes the queue and waits until everything is written or writing has failed.
    ///
    /// After a signal it stops waiting for a reader that takes nothing for the shutdown timeout.
    package func finish() {
        close()
        while true {
            let before = bytes
            var watched = pollfd(fd: done.descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&watched, 1, Self.shutdownTimeout)
            if count > 0 { return }
            if count == 0, !isRegular, CaughtSignals.first != nil, bytes == before { return }
        }
    }

    /// Removes the file, because it contains no part of a session; a file that it would have replaced stays.
    package func discard() {
        if let draft, content.withLock({ !$0.isPlaced }) {
            unlink(draft)
        } else if isRegular, draft == nil, let path {
            unlink(path)
        }
    }

    /// Returns the path with symbolic links resolved.
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

    /// Puts the draft in its place once it contains a line of the session.
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

    /// Cuts off an incomplete last line after the disk became full.
    private func takeBack(_ written: ArraySlice<UInt8>) {
        let torn = written.count - ((written.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }) ?? 0)
        guard isRegular, torn > 0 else { return }
        let end = lseek(descriptor, 0, SEEK_CUR)
        guard end >= off_t(torn), ftruncate(descriptor, end - off_t(torn)) == 0 else { return }
        content.withLock { $0.bytes -= torn }
    }
}
