import Glibc

/// A pseudo terminal that programs open at a path: a symbolic link, which stays the same when one terminal follows another.
///
/// Releasing it closes the terminal and removes the link.
package final class LinkedTerminal {
    private let link: ClaimedPath
    /// The temporary folder of the link, if one was created.
    private let folder: TemporaryFolder?
    private var terminal: PseudoTerminal?

    /// Claims a path, which may hold only the link of a killed process, or one in a new temporary folder; `open` makes the link.
    package init(path: String?) throws(SystemFailure) {
        folder = path == nil ? try TemporaryFolder("locwatch") : nil
        link = try ClaimedPath(path ?? "\(folder?.path ?? "")/receiver", kind: S_IFLNK, to: "make a terminal")
    }

    deinit { remove() }

    package var path: String { link.path }
    /// The near end, or −1 without a terminal.
    package var master: Int32 { terminal?.master ?? -1 }
    package var isOpen: Bool { terminal != nil }
    /// The number of bytes that are waiting to be read at the far end.
    package var unreadCount: Int { terminal?.unreadCount ?? 0 }
    /// Whether the link is still at the path.
    package var isInPlace: Bool { link.isInPlace }

    /// Whether no other process has the terminal open.
    package var isUnused: Bool {
        guard let path = terminal?.path, let device = DeviceIdentity(path: path) else { return true }
        return DeviceHolder.all(of: device).isEmpty
    }

    package func checkIsInPlace() throws(SystemFailure) { try link.checkIsInPlace() }

    /// Makes the link lead to a new terminal, and closes an earlier one.
    package func open(_ new: consuming PseudoTerminal) throws(SystemFailure) {
        try link.link(to: new.path)
        terminal = consume new
    }

    /// Makes the link again; a program that has the terminal open reads on.
    package func restore() throws(SystemFailure) { if let path = terminal?.path { try link.link(to: path) } }

    /// Discards the bytes that were not read at the far end.
    package func discardUnread() { terminal?.discardUnread() }

    /// Reads what the far end has written, as `PseudoTerminal.takeInput` does; `nil` without a terminal.
    package func takeInput(_ process: (UnsafeBufferPointer<UInt8>) -> Void) -> (count: Int, hasDiscarded: Bool)? {
        terminal?.takeInput(process)
    }

    /// Removes the link and closes the terminal, so that its reader sees a hang-up; the path is kept for the next one.
    package func close() {
        link.remove()
        terminal = nil
    }

    /// Closes the terminal, and gives up the path and the temporary folder, if any.
    package func remove() {
        close()
        link.release()
        folder?.remove()
    }
}
