import CLocwatchPlatform
import Glibc

/// The properties of a serial line that are known before a daemon opens it.
public struct SerialLine: Hashable, Sendable {
    /// The device number.
    public let number: UInt64
    /// Whether a process has the line open exclusively.
    public let isExclusive: Bool

    /// The reason why a path is not a usable line.
    public enum Fault: Error, Hashable, Sendable {
        /// The path does not exist, or has no device behind it.
        case missing
        /// This user may not open it.
        case notPermitted
        /// A process has it open exclusively.
        case exclusive(number: UInt64)
        /// The path is a file, a folder or another kind of device.
        case notALine
        /// Any other failure of the system.
        case system(SystemFailure)
    }

    /// Examines a path by opening the line and closing it again.
    public init(path: String) throws(Fault) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Fault(opening: path, code: errno, number: 0) }
        number = UInt64(status.st_rdev)
        guard status.st_mode & S_IFMT == S_IFCHR else { throw .notALine }
        let descriptor = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Fault(opening: path, code: errno, number: number) }
        defer { close(descriptor) }
        // The kernel's own GNSS devices send what a receiver sends, but have no terminal settings.
        guard isatty(descriptor) == 1 || SerialLine.isReceiver(path) else { throw .notALine }
        isExclusive = locwatch_is_exclusive(descriptor) == 1
    }

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
