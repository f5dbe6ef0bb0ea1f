import LocwatchPlatform

/// The notices of a service to systemd, which are sent only when something is new or due.
final class ServiceNotices {
    private let manager: ServiceManager?
    private var status = ""
    private var nextKeepAlive = Duration.zero

    init(_ environment: [String: String]) { manager = ServiceManager { environment[$0] } }

    /// The interval at which `tick` must be called, if any.
    var interval: Duration? { manager?.keepAliveInterval }

    func ready() { manager?.ready() }

    func stopping() { manager?.stopping() }

    /// Shows a status, which is asked for only if there is a manager, and says that the service does not hang.
    func tick(status makeStatus: @autoclosure () -> String, at now: Duration) {
        guard let manager else { return }
        let status = makeStatus()
        if status != self.status {
            self.status = status
            manager.report(status)
        }
        guard let interval = manager.keepAliveInterval, now >= nextKeepAlive else { return }
        nextKeepAlive = now + interval
        manager.keepAlive()
    }
}
