import CLocwatchPlatform
import Glibc

/// The state of the path of a serial line before a daemon opens it.
public enum SerialLine: Hashable, Sendable {
    /// A line; `isExclusive` is whether a process has it open exclusively.
    case line(DeviceIdentity, isExclusive: Bool)
    /// The path does not exist, or has no device behind it.
    case missing
    /// This user may not open it.
    case notPermitted
    /// The path is a file, a folder or another kind of device.
    case notALine
    /// Any other failure of the system.
    case unusable(SystemFailure)

    /// Examines a path by opening the line and closing it again.
    public init(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            self.init(opening: path, code: errno)
            return
        }
        guard let device = DeviceIdentity(status) else {
            self = .notALine
            return
        }
        let descriptor = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            if code == EBUSY { self = .line(device, isExclusive: true) } else { self.init(opening: path, code: code) }
            return
        }
        defer { close(descriptor) }
        // The kernel's own GNSS devices send what a receiver sends, but have no terminal settings.
        let isReceiver = WrittenFolder.resolved(path)?.hasPrefix("/dev/gnss") ?? false
        let isLine = isatty(descriptor) == 1 || isReceiver
        self = isLine ? .line(device, isExclusive: locwatch_is_exclusive(descriptor) == 1) : .notALine
    }

    private init(opening path: String, code: Int32) {
        self =
            switch code {
            case ENOENT, ENOTDIR, ENXIO, ENODEV: .missing
            case EACCES, EPERM: .notPermitted
            default: .unusable(SystemFailure("open \(path)", code: code))
            }
    }
}
