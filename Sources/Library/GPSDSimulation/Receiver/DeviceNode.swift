import Glibc
import LocwatchPlatform

/// The path of a receiver: a symbolic link to its current pseudo terminal.
struct DeviceNode: Sendable {
    private let link: ClaimedPath
    /// The temporary folder of the link, if one was created.
    private let folder: TemporaryFolder?

    /// Creates a node at a path, which may hold only the link of a killed process, or in a new temporary folder.
    init(path: String?) throws(SystemFailure) {
        folder = path == nil ? try TemporaryFolder("locwatch") : nil
        link = try ClaimedPath(
            path ?? "\(folder?.path ?? "")/receiver", kind: S_IFLNK, to: "make a terminal")
    }

    var path: String { link.path }

    /// Whether the link is still at the path.
    var isInPlace: Bool { link.isInPlace }

    func point(to terminal: String) throws(SystemFailure) { try link.link(to: terminal) }

    /// Removes the link, and keeps the path for the next one.
    func vanish() { link.remove() }

    /// Removes the link and the temporary folder, if any.
    func remove() {
        link.release()
        folder?.remove()
    }
}
