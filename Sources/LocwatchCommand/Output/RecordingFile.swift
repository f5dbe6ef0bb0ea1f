import Glibc
import Platform
import Synchronization

/// A file that is written on a thread of its own, so that a disk that stalls holds up nobody.
///
/// Each write is of whole lines, and what a full disk took of a line is taken back: the file always ends with a line.
final class RecordingFile: Sendable {
    private struct Content {
        var queue: [UInt8] = []
        var isClosed = false
        var failure: OutputFailure?
        var lines = 0
        var bytes = 0
    }

    /// How long, in milliseconds, a reader may take nothing before the program ends without it.
    private static let farewell: Int32 = 2000

    private let descriptor: Int32
    /// Where the file is; `nil` for standard output.
    private let path: String?
    private let isRegular: Bool
    private let content = Mutex(Content())
    private let work: Event
    /// Happens when everything is written, or cannot be.
    let done: Event

    /// Opens a file, or standard output for `-`.
    init(path: String, overwrites: Bool, console: Console) throws(SystemFailure) {
        work = try Event()
        done = try Event()
        self.path = path == "-" ? nil : path
        if path == "-" {
            descriptor = console.output
        } else {
            let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (overwrites ? O_TRUNC : O_EXCL)
            descriptor = open(path, flags, 0o644)
            guard descriptor >= 0 else { throw SystemFailure("create \(path)", code: errno) }
        }
        var status = stat()
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
            let count = poll(&watched, 1, Self.farewell)
            if count > 0 { return }
            if count == 0, !isRegular, CaughtSignals.first != nil, bytes == before { return }
        }
    }

    /// Removes the file, as there is nothing in it that anybody could want.
    func discard() {
        if isRegular, let path { unlink(path) }
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
            if !bytes.isEmpty, let failure = write(bytes) {
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
