import CPlatform
import Glibc

/// What can be told of a serial line before a daemon opens it.
public struct SerialLine: Hashable, Sendable {
    /// The number of the device in the system.
    public let number: UInt64
    /// Whether a process keeps the line for itself.
    public let isExclusive: Bool

    /// Why a path is no line that can be used.
    public enum Fault: Error, Hashable, Sendable {
        /// There is no such path, or no device behind it.
        case missing
        /// This user may not open it.
        case notPermitted
        /// A process keeps it for itself.
        case exclusive(number: UInt64)
        /// It is a file, a folder or another kind of device.
        case notALine
        /// Anything else that the system said.
        case system(SystemFailure)
    }

    /// Looks at a path: opens the line, and closes it again.
    public init(path: String) throws(Fault) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Fault(opening: path, code: errno, number: 0) }
        number = UInt64(status.st_rdev)
        guard status.st_mode & S_IFMT == S_IFCHR else { throw .notALine }
        let descriptor = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Fault(opening: path, code: errno, number: number) }
        defer { close(descriptor) }
        // The kernel's own GNSS devices speak as a receiver does, without a line's settings.
        guard isatty(descriptor) == 1 || SerialLine.isReceiver(path) else { throw .notALine }
        isExclusive = locwatch_is_exclusive(descriptor) == 1
    }

    /// Whether the line exists in memory only; its other end is usually held by the one who made it.
    public var isPseudoTerminal: Bool { 136...143 ~= (number >> 8) & 0xFFF }

    private static func isReceiver(_ path: String) -> Bool {
        guard let real = realpath(path, nil) else { return false }
        defer { free(real) }
        return String(cString: real).hasPrefix("/dev/gnss")
    }
}

extension SerialLine.Fault {
    fileprivate init(opening path: String, code: Int32, number: UInt64) {
        self =
            switch code {
            case ENOENT, ENOTDIR, ENXIO, ENODEV: .missing
            case EACCES, EPERM: .notPermitted
            case EBUSY: .exclusive(number: number)
            default: .system(SystemFailure("open \(path)", code: code))
            }
    }
}
