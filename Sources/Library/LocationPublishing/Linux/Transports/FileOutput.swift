import Glibc
import LocwatchPlatform

/// A file with the newest position, which is replaced as a whole, so that a program never reads a part of it.
final class FileOutput: PathOutput {
    private let path: String
    private let mode: UInt32
    /// The content before the first position.
    private let initial: [UInt8]
    private var file: ClaimedPath?

    init(path: String, mode: UInt32, initial: [UInt8]) {
        self.path = path
        self.mode = mode
        self.initial = initial
    }

    func claim() throws(SystemFailure) {
        guard file == nil else { return }
        let claim = try ClaimedPath(path, kind: S_IFREG, to: "make a file")
        try place(initial, at: claim)
        file = claim
    }

    func write(_ datagrams: [[UInt8]], at now: Duration) throws(SystemFailure) {
        guard let file else { return }
        try file.checkIsInPlace()
        try place(datagrams.last ?? [], at: file)
    }

    func release() { file = nil }

    /// Writes a content to a new file beside the path, which then takes the place of the one there, if any.
    private func place(_ content: [UInt8], at file: ClaimedPath) throws(SystemFailure) {
        // Marked from the beginning, because the program can be killed at any time.
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = open(file.draft, flags, 0o600 | ClaimedPath.mark)
        guard descriptor >= 0 else { throw file.failure(errno) }
        var failure: SystemFailure?
        if let code = content.withUnsafeBytes({ WholeWrite.write($0, to: descriptor) }) {
            failure = SystemFailure("write \(path)", code: code)
        } else if fchmod(descriptor, mode | ClaimedPath.mark) != 0
            // Unlike renaming, linking replaces nothing.
            || (file.isInPlace ? rename(file.draft, path) : link(file.draft, path)) != 0
        {
            failure = file.failure(errno)
        }
        unlink(file.draft)
        guard let failure else { return file.adopt(descriptor) }
        close(descriptor)
        throw failure
    }
}
