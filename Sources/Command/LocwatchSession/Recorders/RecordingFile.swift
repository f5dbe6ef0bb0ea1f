import Glibc
import LocationTracks
package import LocwatchPlatform
import LocwatchSupport
package import LocwatchTerminal

/// The file of a recording, written in the background.
///
/// Each write consists of whole lines, and a line that a full disk took only in part is removed: the file always ends
/// with a line. An overwritten file stays until the first line of the session is in the new one, which then replaces
/// it.
package final class RecordingFile {
    private let file: OpenRecording
    private let writer: BackgroundWriter<OpenRecording>
    /// The number of bytes that can wait for a slow disk or reader.
    private static var queueLimit: Int { 16 << 20 }
    /// The number of lines that are written or queued.
    package private(set) var lines = 0

    /// Opens a file, or standard output for `-`.
    package init(path: String, overwrites: Bool, console: Console) throws(SystemFailure) {
        file = try OpenRecording(path: path, overwrites: overwrites, console: console)
        writer = try BackgroundWriter(file, limit: Self.queueLimit)
    }

    package var bytes: Int { file.state.withLock { $0.bytes } }

    package var failure: OutputFailure? { writer.failure }

    /// Whether so much waits for a slow disk or reader that a live session must leave lines out.
    package var isFull: Bool { writer.isFull }

    /// Lets a recording wait until there is room in the queue, if it is full.
    package func addRoom(to wait: inout SessionWait) { writer.addRoom(to: &wait) }

    /// An event that happens when everything is written or writing has failed.
    var done: Event { writer.done }

    package func append(_ bytes: [UInt8], lines: Int) {
        let isQueued = writer.append(size: bytes.count) { (file) throws(OutputFailure) in
            try file.write(bytes, lines: lines)
        }
        if isQueued { self.lines += lines }
    }

    /// Closes the file and waits until everything is written or writing has failed.
    ///
    /// After a signal it stops waiting for a reader that takes nothing.
    package func finish() {
        writer.append { (file) throws(OutputFailure) in try file.sync() }
        writer.finish(isForReader: !file.isRegular) { bytes }
    }

    /// Removes the file, because it contains no part of a session; a file that it would have replaced stays.
    package func discard() { file.discard() }
}

/// The descriptor and the paths of a recording.
private final class OpenRecording: Sendable {
    struct State {
        var bytes = 0
        var isPlaced = false
    }

    let state = Lock(State())
    let isRegular: Bool
    private let descriptor: Int32
    /// The path of the file; `nil` for standard output.
    private let path: String?
    /// The temporary path of a draft that replaces an existing file.
    private let draft: String?

    init(path: String, overwrites: Bool, console: Console) throws(SystemFailure) {
        var status = stat()
        if path == "-" {
            self.path = nil
            draft = nil
            descriptor = console.output
        } else {
            guard let target = overwrites ? FileReplacement.target(of: path) : path else {
                throw SystemFailure("create \(path)", code: ELOOP)
            }
            let isThere = overwrites && stat(path, &status) == 0
            if isThere, status.st_mode & S_IFMT == S_IFREG {
                // A symbolic link stays, and the file behind it is replaced.
                (descriptor, draft) = FileReplacement.draft(of: target)
            } else {
                draft = nil
                // A special file, such as a named pipe, is written to directly.
                descriptor =
                    isThere
                    ? open(path, O_WRONLY | O_CLOEXEC) : open(target, O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, 0o644)
            }
            self.path = target
            guard descriptor >= 0 else {
                let code = errno
                let isFolder = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
                throw SystemFailure("create \(path)", code: isFolder ? EISDIR : code)
            }
        }
        isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    deinit { if path != nil { close(descriptor) } }

    /// Writes whole lines, and then puts a draft in its place if they have one of the session.
    func write(_ bytes: [UInt8], lines: Int) throws(OutputFailure) {
        var written = 0
        let code = bytes.withUnsafeBytes { bytes in
            WholeWrite.write(bytes, to: descriptor) { count in
                written += count
                state.withLock { $0.bytes += count }
            }
        }
        if let code {
            takeBack(bytes[..<written])
            throw failure(code)
        }
        guard let draft, let path, lines > 0, !state.withLock({ $0.isPlaced }) else { return }
        guard rename(draft, path) == 0 else { throw failure(errno) }
        state.withLock { $0.isPlaced = true }
    }

    /// Waits until a regular file is on the disk.
    func sync() throws(OutputFailure) {
        guard isRegular, fdatasync(descriptor) != 0 else { return }
        throw failure(errno)
    }

    /// Returns the failure of a call that writes, with the name of the file if there is one.
    private func failure(_ code: Int32) -> OutputFailure {
        guard let path, code != EPIPE else { return OutputFailure(errno: code) }
        return .track(.system(attempt: "write", path: path, code: code))
    }

    func discard() {
        if let draft, !state.withLock({ $0.isPlaced }) {
            unlink(draft)
        } else if isRegular, draft == nil, let path {
            unlink(path)
        }
    }

    /// Cuts off an incomplete last line after the disk became full.
    private func takeBack(_ written: ArraySlice<UInt8>) {
        let torn = written.count - ((written.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }) ?? 0)
        guard isRegular, torn > 0 else { return }
        let end = lseek(descriptor, 0, SEEK_CUR)
        guard end >= off_t(torn), ftruncate(descriptor, end - off_t(torn)) == 0 else { return }
        state.withLock { $0.bytes -= torn }
    }
}
