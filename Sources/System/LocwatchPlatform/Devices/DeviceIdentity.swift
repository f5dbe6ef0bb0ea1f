import Glibc

/// The identity of a character device, by which the files that processes have open are known to be the same one.
///
/// The number of a device is enough, whatever its path. Only a pseudo terminal has its number in a file system: each mount of /dev/pts
/// of its own, as that of a container, counts them from 0 on.
public struct DeviceIdentity: Hashable, Sendable {
    private struct File: Hashable {
        let system: UInt64
        let number: UInt64
    }

    private let number: UInt64
    /// The file of a pseudo terminal.
    private let terminal: File?

    /// Creates the identity of the device with a status, or returns `nil` for a file of another kind.
    init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFCHR else { return nil }
        number = UInt64(status.st_rdev)
        // The major numbers of pseudo terminals.
        let isTerminal = 136...143 ~= (number >> 8) & 0xFFF
        terminal = isTerminal ? File(system: UInt64(status.st_dev), number: UInt64(status.st_ino)) : nil
    }

    /// Creates the identity of the device at a path, or returns `nil` if there is none.
    public init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    var isPseudoTerminal: Bool { terminal != nil }
}
