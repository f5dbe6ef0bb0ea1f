import Glibc
import LocwatchPlatform

/// A named pipe, in which nothing waits while no program reads it.
///
/// The writing end stays open, so that a reader that waits for the pipe of a killed process reads on.
final class PipeOutput: PathOutput {
    /// The capacity of the pipe, so that a program that stands still gets few old positions: one page, the least possible.
    private static let capacity: Int32 = 4096
    private static let setCapacity: Int32 = 1031  // F_SETPIPE_SZ

    private let path: String
    private let mode: UInt32
    private var pipe: ClaimedPath?
    /// The writing end, or −1, which can be closed without an effect.
    private var writer: Int32 = -1
    /// Whether bytes that no program has read may be in the pipe.
    private var hasUnread = false

    init(path: String, mode: UInt32) {
        self.path = path
        self.mode = mode
    }

    deinit { release() }

    func claim() throws(SystemFailure) {
        guard pipe == nil else { return }
        let claim = try ClaimedPath(path, kind: S_IFIFO, to: "make a pipe")
        if !claim.isInPlace {
            // Marked from the beginning, because the program can be killed at any time.
            guard mkfifo(path, 0o600 | ClaimedPath.mark) == 0 else { throw claim.failure(errno) }
            try claim.adopt()
        }
        // A pipe can only be opened for writing while there is a reader.
        let reader = open(O_RDWR)
        defer { close(reader) }
        writer = open(O_WRONLY)
        guard claim.isOpened(by: writer) else {
            disconnect()
            throw claim.failure(EEXIST)
        }
        try claim.setMode(mode)
        _ = fcntl(writer, Self.setCapacity, Self.capacity)
        pipe = claim
    }

    func write(_ datagrams: [[UInt8]], at now: Duration) throws(SystemFailure) {
        try pipe?.checkIsInPlace()
        // Each sentence is written as a whole, up to the first for which there is no room.
        for datagram in datagrams {
            guard Glibc.write(writer, datagram, datagram.count) < 0 else {
                hasUnread = true
                continue
            }
            if errno == EPIPE, hasUnread { discard() }
            return
        }
    }

    func release() {
        disconnect()
        pipe = nil
    }

    /// Reads what the last program has left, which the next one would take for current.
    private func discard() {
        let reader = open(O_RDONLY)
        guard reader >= 0 else { return }
        var piece = [UInt8](repeating: 0, count: Int(Self.capacity))
        while read(reader, &piece, piece.count) > 0 {}
        close(reader)
        hasUnread = false
    }

    private func open(_ access: Int32) -> Int32 { Glibc.open(path, access | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC) }

    private func disconnect() {
        close(writer)
        writer = -1
    }
}
