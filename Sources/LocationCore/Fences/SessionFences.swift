/// The fences of a session.
package struct SessionFences: Sendable {
    /// The monitor with which each device begins.
    package var monitor: FenceMonitor
    /// The fences to watch instead of those of the monitor, if they can change during the session.
    package var list: FenceList?

    /// Creates the fences of a session.
    package init(_ monitor: FenceMonitor, list: FenceList? = nil) {
        self.monitor = monitor
        self.list = list
    }
}
