import Glibc
import LocwatchPlatform

/// The serial line of a stand-in: a pseudo terminal that gives NMEA sentences at a path.
final class StandInTerminal {
    private let node: DeviceNode
    private var terminal: PseudoTerminal?

    /// Creates the line at a path, where there must be nothing, or the link of a killed process.
    init(path: String) throws(SystemFailure) {
        node = try DeviceNode(path: path)
        try open()
    }

    deinit { remove() }

    /// The near end, or −1 while the line is closed.
    var master: Int32 { terminal?.master ?? -1 }
    /// Whether all that was written has been read.
    var isRead: Bool { (terminal?.unreadCount ?? 0) == 0 }

    /// Whether no other process has the line open.
    var isUnused: Bool {
        guard let path = terminal?.path else { return true }
        var status = stat()
        return stat(path, &status) != 0 || DeviceHolder.all(of: UInt64(status.st_rdev)).isEmpty
    }

    /// Opens a new line at the path.
    func open() throws(SystemFailure) {
        let new = try PseudoTerminal()
        try node.point(to: new.path)
        terminal = consume new
    }

    /// The path of the line while it is open.
    var path: String? { terminal == nil ? nil : node.path }
    /// Whether the link is still at the path.
    var isInPlace: Bool { node.isInPlace }

    /// Makes the link again; a program that has the line open reads on.
    func restore() throws(SystemFailure) { if let path = terminal?.path { try node.point(to: path) } }

    /// Closes the line, so that its reader sees a hang-up.
    func close() {
        node.vanish()
        terminal = nil
    }

    /// Discards the bytes that were not read.
    func discardUnread() { terminal?.discardUnread() }

    /// Removes the path for good.
    func remove() {
        close()
        node.remove()
    }
}
