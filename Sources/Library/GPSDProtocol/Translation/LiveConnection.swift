import Glibc

/// The state of a live connection that gpsd's reports do not tell, but that their events depend on.
package struct LiveConnection: Hashable, Sendable {
    /// The name of the daemon in messages.
    private let daemon: String
    /// The watched device, or `nil` if all are watched.
    let device: String?
    /// The pattern of the names of the requested devices, while all are watched.
    let pattern: String?
    /// Whether the daemon's devices are those of this machine; behind a tunnel none of them is found here.
    private let isLocal: Bool
    /// The paths of the devices that have names instead in the reports.
    private let paths: [String: String]
    /// Whether the receivers are simulated.
    package var isSimulated = false

    /// Creates the state of a connection that has begun.
    package init(
        to daemon: String, device: String? = nil, pattern: String? = nil, isLocal: Bool, paths: [String: String] = [:]
    ) {
        self.daemon = daemon
        self.device = device
        self.pattern = pattern
        self.isLocal = isLocal
        self.paths = paths
    }

    var watch: String { "the watch of \(daemon)" }

    /// Returns whether a device exists on this machine.
    package func has(_ device: String) -> Bool {
        path(of: device).map { access($0, F_OK) == 0 } ?? false
    }

    /// Returns whether a device of this machine no longer exists.
    package func hasLost(_ device: String) -> Bool {
        path(of: device).map { access($0, F_OK) != 0 && errno == ENOENT } ?? false
    }

    private func path(of device: String) -> String? {
        let path = paths[device] ?? device
        return isLocal && path.hasPrefix("/") ? path : nil
    }
}
