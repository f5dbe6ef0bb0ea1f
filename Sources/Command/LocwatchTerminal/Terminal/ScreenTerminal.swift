import Glibc
package import LocwatchPlatform

/// A terminal on which a command draws whole screens and from which it reads keys.
package protocol ScreenTerminal: AnyObject {
    var size: ScreenSize { get }
    /// The descriptor to poll for keys, and for room while output waits.
    var descriptor: Int32 { get }
    /// The descriptor that is readable when the size has changed or the program was resumed.
    var changeDescriptor: Int32 { get }
    /// Returns whether the screen must be drawn completely, and resets the event of `changeDescriptor`.
    func takeChanges() -> Bool
    /// Prepares the terminal for whole screens.
    func enter() throws(SystemFailure)
    func leave()
    /// Returns the bytes of the keys that were pressed, without waiting.
    func read() throws(OutputFailure) -> [UInt8]
    /// Writes as much as the terminal takes without waiting; returns the number of bytes.
    func write(_ bytes: ArraySlice<UInt8>) throws(OutputFailure) -> Int
}

/// The terminal behind standard output, opened a second time so that it does not block and other programs that share
/// it are not affected.
package final class SystemTerminal: ScreenTerminal {
    package let descriptor: Int32
    private var mode: ScreenMode?

    /// Opens the terminal, or returns `nil` if standard output is none.
    package init?(_ console: Console) {
        guard console.canRewrite(console.output) else { return nil }
        descriptor = Terminal.openAgain(console.output)
        guard descriptor >= 0 else { return nil }
    }

    // The descriptor stays open, because the handlers of signals use it until the program ends.

    package var size: ScreenSize {
        let (columns, rows) = Terminal.size(of: descriptor)
        return ScreenSize(columns: columns, rows: rows)
    }

    package var changeDescriptor: Int32 { mode?.changed.descriptor ?? -1 }

    package func takeChanges() -> Bool { mode?.takeChanges() ?? false }

    package func enter() throws(SystemFailure) {
        // Alternate screen, no cursor, no wrapping at the right edge, an empty screen.
        mode = try ScreenMode(
            descriptor, enter: "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J",
            leave: "\u{18}\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    }

    package func leave() { mode?.leave() }

    package func read() throws(OutputFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        let code = errno
        if count > 0 { return Array(bytes.prefix(count)) }
        if count < 0, [EAGAIN, EINTR].contains(code) { return [] }
        throw .readerGone
    }

    package func write(_ bytes: ArraySlice<UInt8>) throws(OutputFailure) -> Int {
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        let code = errno
        if count >= 0 { return count }
        if [EAGAIN, EINTR].contains(code) { return 0 }
        throw code == EIO ? .readerGone : OutputFailure(errno: code)
    }
}

/// The size of a screen in cells, limited so that a terminal with absurd figures cannot exhaust the memory.
package struct ScreenSize: Hashable, Sendable {
    private static let limit = 1000

    package let columns: Int
    package let rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = min(max(1, columns), Self.limit)
        self.rows = min(max(1, rows), Self.limit)
    }
}
