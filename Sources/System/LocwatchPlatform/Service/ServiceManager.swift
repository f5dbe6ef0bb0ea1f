import Glibc

/// The notifications of a service to the manager that has started it, as `sd_notify(3)` sends them.
package final class ServiceManager: Sendable {
    /// The time for which a notification waits while the manager has not read earlier ones.
    private static let sendTimeout = timeval(tv_sec: 2, tv_usec: 0)

    private let descriptor: Int32
    /// The interval at which `keepAlive()` must be called, if the manager restarts a service that hangs.
    ///
    /// It is half of the time after which the manager does so.
    package let keepAliveInterval: Duration?

    /// Creates the connection to the manager, or returns `nil` if the environment names none.
    ///
    /// - Parameters:
    ///   - variable: Returns the value of a variable of the environment.
    ///   - process: The process that the watchdog must be meant for.
    package init?(
        variable: (String) -> String? = Environment.value(of:), process: Int32 = getpid()
    ) {
        guard let name = variable("NOTIFY_SOCKET"), let address = Self.address(name) else { return nil }
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        // Connected now, because a confined process sends nothing to an address; a manager that is gone is not its concern.
        Self.connect(descriptor, to: address)
        var sendTimeout = Self.sendTimeout
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &sendTimeout, socklen_t(MemoryLayout<timeval>.size))
        let isForUs = variable("WATCHDOG_PID").map { $0 == String(process) } ?? true
        // The limit can be longer than 32 bits of microseconds.
        let limit = variable("WATCHDOG_USEC").flatMap { UInt64($0) } ?? 0
        keepAliveInterval = isForUs && limit > 1 ? .microseconds(Int64(clamping: limit / 2)) : nil
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Says that the service has started.
    package func ready() { notify("READY=1") }

    /// Shows a text in the status of the service.
    package func report(_ status: String) {
        // A line break would begin another notification.
        let line = status.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : String($0) }.joined()
        notify("STATUS=" + line)
    }

    /// Says that the service does not hang.
    package func keepAlive() { notify("WATCHDOG=1") }

    /// Says that the service is ending.
    package func stopping() { notify("STOPPING=1") }

    private func notify(_ text: String) {
        let bytes = Array(text.utf8)
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    private static func connect(_ descriptor: Int32, to address: [UInt8]) {
        var storage = sockaddr_un()
        storage.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &storage.sun_path) { $0.copyBytes(from: address) }
        // The name of an abstract socket ends with its length; that of a path may do the same.
        let length = socklen_t(MemoryLayout<sa_family_t>.size + address.count)
        withUnsafePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = Glibc.connect(descriptor, $0, length)
            }
        }
    }

    /// Returns the bytes of a socket's name: a path, or after `@` a name without a file.
    private static func address(_ name: String) -> [UInt8]? {
        var bytes = Array(name.utf8)
        guard bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        switch bytes[0] {
        case UInt8(ascii: "/"): break
        case UInt8(ascii: "@"): bytes[0] = 0
        default: return nil
        }
        return bytes
    }
}
