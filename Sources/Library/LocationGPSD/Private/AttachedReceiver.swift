/// A receiver that a private gpsd can open.
package struct AttachedReceiver: Sendable {
    let opening: GPSDOpening
    /// A closure that removes the receiver, called when no gpsd uses it any more.
    package let detach: @Sendable () -> Void

    /// Creates a receiver at the path of a device.
    package init(path: String, detach: @escaping @Sendable () -> Void) {
        opening = .line(path)
        self.detach = detach
    }

    /// Creates a receiver in a network.
    init(_ stream: StreamDevice) {
        opening = .stream(stream)
        detach = {}
    }
}
