import CLocwatchPlatform
import Glibc

/// A serial line in memory: data written to the master can be read at `path`, and the other way round.
public struct PseudoTerminal: ~Copyable, Sendable {
    /// The descriptor of the near end, non-blocking.
    public let master: Int32
    /// The path of the far end, as in `/dev/pts/3`.
    public let path: String
    // Held open so that the line and its settings exist before the path is opened and after it is closed.
    private let slave: Int32

    /// Opens a line in raw mode whose far end only its owner may open, or every user with `anyone`, for a daemon without rights.
    public init(speed: Int = 115_200, anyone: Bool = false) throws(SystemFailure) {
        var master: Int32 = -1
        var slave: Int32 = -1
        var failure: Int32 = 0
        path = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
            guard let start = text.baseAddress else { return "" }
            start.pointee = 0
            failure = locwatch_open_pty(
                Int32(clamping: speed), anyone ? 1 : 0, &master, &slave, start, text.count)
            return String(cString: start)
        }
        guard failure == 0 else { throw SystemFailure("open a pseudo terminal at \(speed) bit/s", code: failure) }
        self.master = master
        self.slave = slave
    }

    deinit {
        close(slave)
        close(master)
    }

    /// The number of bytes that are waiting to be read at the far end.
    package var unreadCount: Int {
        var count: Int32 = 0
        return ioctl(slave, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Has `dropInput` report that the far end discards data; a read of `master` then begins with a byte of flags.
    public func reportDiscards() {
        var isOn: Int32 = 1
        _ = ioctl(master, UInt(TIOCPKT), &isOn)
    }

    /// Reads and drops what the far end has written.
    ///
    /// Call `reportDiscards` first.
    ///
    /// - Returns: The number of bytes, and whether the far end has discarded data that it had not read.
    public func dropInput() -> (count: Int, hasDiscarded: Bool) { takeInput { _ in } }

    /// Reads what the far end has written, as `dropInput` does, and passes it on in pieces.
    package func takeInput(_ process: (UnsafeBufferPointer<UInt8>) -> Void) -> (count: Int, hasDiscarded: Bool) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4096) { buffer in
            var (total, hasDiscarded) = (0, false)
            while true {
                let count = read(master, buffer.baseAddress, buffer.count)
                guard count > 0 else { return (total, hasDiscarded) }
                if buffer[0] == 0 {
                    total += count - 1
                    process(UnsafeBufferPointer(rebasing: buffer[1..<count]))
                }
                if Int32(buffer[0]) & TIOCPKT_FLUSHREAD != 0 { hasDiscarded = true }
            }
        }
    }

    /// Discards data that is waiting to be read at the far end.
    public func discardUnread() {
        tcflush(slave, TCIFLUSH)
    }

    /// Returns whether a line can run at a speed in bits per second.
    public static func canRun(at speed: Int) -> Bool {
        locwatch_is_line_speed(Int32(clamping: speed)) == 1
    }
}
