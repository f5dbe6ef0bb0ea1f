import Glibc
import LocwatchPlatform

/// The path of a receiver: a symbolic link to its current pseudo terminal.
struct DeviceNode: Sendable {
    private let link: TerminalLink
    /// The temporary folder of the link, if one was created.
    private let folder: TemporaryFolder?

    /// Creates a node at a path, which may hold only the link of an earlier receiver, or in a new temporary folder.
    init(path: String?) throws(SystemFailure) {
        folder = path == nil ? try TemporaryFolder("locwatch") : nil
        link = try TerminalLink(path ?? "\(folder?.path ?? "")/receiver")
    }

    /// The path.
    var path: String { link.path }

    /// Points the path to a terminal, atomically, so that it never dangles.
    func point(to terminal: String) throws(SystemFailure) { try link.point(to: terminal) }

    /// Removes the link.
    func vanish() { link.remove() }

    /// Removes the link and the temporary folder, if any.
    func remove() {
        vanish()
        folder?.remove()
    }
}
