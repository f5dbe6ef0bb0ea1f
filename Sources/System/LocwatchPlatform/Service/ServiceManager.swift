import Glibc

/// The notifications of a service to the manager that has started it, as `sd_notify(3)` sends them.
package final class ServiceManager {
    /// The time for which a notification waits while the manager has not read earlier ones.
    private static let sendTimeout = timeval(tv_sec: 2, tv_usec: 0)

    private let descriptor: Int32
    /// The interval at which `tick` must be called, if the manager restarts a service that hangs.
    ///
    /// It is half of the time after which the manager does so.
    package let keepAliveInterval: Duration?
    private var status = ""
    private var nextKeepAlive = Duration.zero
    private var isStopping = false

    /// Creates the connection to the manager, or returns `nil` if the environment names none; the watchdog must be
    /// meant for the process.
    package init?(_ environment: [String: String], process: Int32 = getpid()) {
        guard let address = environment["NOTIFY_SOCKET"].flatMap(Self.address) else { return nil }
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        var sendTimeout = Self.sendTimeout
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &sendTimeout, socklen_t(MemoryLayout<timeval>.size))
        let isForUs = environment["WATCHDOG_PID"].map { $0 == String(process) } ?? true
        // The limit can be longer than 32 bits of microseconds.
        let limit = environment["WATCHDOG_USEC"].flatMap { UInt64($0) } ?? 0
        keepAliveInterval = isForUs && limit > 1 ? .microseconds(Int64(clamping: limit / 2)) : nil
        // Connected now, because a confined process sends nothing to an address; a manager that is gone is not its concern.
        guard UnixAddress.with(address, { connect(descriptor, $0, $1) }) != nil else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    package func ready() { notify("READY=1") }

    /// Says once that the service ends.
    package func stopping() {
        guard !isStopping else { return }
        isStopping = true
        notify("STOPPING=1")
    }

    /// Shows a text in the status of the service if it is new, and says that the service does not hang if that is due.
    package func tick(status: String, at now: Duration) {
        if status != self.status {
            self.status = status
            // A line break would begin another notification.
            let line = status.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : String($0) }.joined()
            notify("STATUS=" + line)
        }
        guard let keepAliveInterval, now >= nextKeepAlive else { return }
        nextKeepAlive = now + keepAliveInterval
        notify("WATCHDOG=1")
    }

    private func notify(_ text: String) {
        let bytes = Array(text.utf8)
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Returns the name of a socket: a path, or after `@` a name without a file, which begins with a zero.
    private static func address(_ text: String) -> String? {
        guard text.utf8.count > 1 else { return nil }
        return switch text.unicodeScalars.first {
        case "/": text
        case "@": "\0" + String(text.unicodeScalars.dropFirst())
        default: nil
        }
    }
}
