import Glibc
import LocwatchPlatform

/// A pseudo terminal with a link to it, which a program reads as a serial port.
///
/// A program that opens the port later or stands still gets nothing that is older than `patience`. What it writes, such as the
/// commands to a receiver, is dropped.
final class TerminalOutput: PathOutput {
    /// The time after which bytes that no program has read are discarded.
    static let patience = Duration.seconds(2)
    /// The number of unread bytes beyond which they are discarded, within the 4,095 that a terminal holds.
    private static let capacity = 3_500

    private let path: String
    private var terminal: LinkedTerminal?
    /// The writes that are not read as a whole, each with the count of all bytes up to it.
    private var unread: [(time: Duration, end: Int)] = []
    private var written = 0

    init(path: String) { self.path = path }

    var descriptor: Int32 { terminal?.master ?? -1 }

    var deadline: Duration? { unread.first.map { $0.time + Self.patience } }

    func claim() throws(SystemFailure) {
        guard terminal == nil else { return }
        let terminal = try LinkedTerminal(path: path)
        try terminal.open(PseudoTerminal())
        self.terminal = terminal
    }

    func write(_ datagrams: [[UInt8]], at now: Duration) throws(SystemFailure) {
        guard let terminal else { return }
        try terminal.checkIsInPlace()
        let bytes = datagrams.flatMap(\.self)
        discardOld(at: now)
        if unreadCount + bytes.count > Self.capacity { discard() }
        let count = Glibc.write(descriptor, bytes, bytes.count)
        guard count > 0 else { return }
        written += count
        unread.append((now, written))
    }

    func step(at now: Duration) {
        var piece = [UInt8](repeating: 0, count: 1024)
        while descriptor >= 0, read(descriptor, &piece, piece.count) == piece.count {}
        if let deadline, now >= deadline { discardOld(at: now) }
    }

    func release() {
        terminal = nil
        unread = []
    }

    private var unreadCount: Int { terminal?.unreadCount ?? 0 }

    private func discardOld(at now: Duration) {
        let read = written - unreadCount
        unread.removeAll { $0.end <= read }
        if let first = unread.first, now - first.time >= Self.patience { discard() }
    }

    private func discard() {
        terminal?.discardUnread()
        unread = []
    }
}
