/// A receiver that a private gpsd can open.
package struct AttachedReceiver: Sendable {
    let opening: GPSDInput
    /// A closure that removes the receiver, called when no gpsd uses it any more.
    package let detach: @Sendable () -> Void

    /// Creates a receiver at the path of a device, with its name in reports and messages if that is another.
    package init(path: String, name: String? = nil, detach: @escaping @Sendable () -> Void) {
        opening = .line(path, name: name)
        self.detach = detach
    }

    init(_ stream: StreamDevice) {
        opening = .stream(stream)
        detach = {}
    }
}
