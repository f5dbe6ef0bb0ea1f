import LocationCore
import Platform

/// The line of a simulated receiver: a device that comes and goes, and the thread behind it, which alone touches it.
final class ReceiverLine: Sendable {
    enum Request: Sendable { case stop, unplug, plugIn }

    private let node: DeviceNode
    let encoder: ScenarioEncoder
    let settings: SimulatedReceiver.Settings
    /// When the scenario begins, by the monotonic clock.
    let start: Duration
    /// Where others ask the thread.
    let desk: ThreadDesk<Request, SimulatedReceiver.Progress>

    init(
        node: DeviceNode, encoder: ScenarioEncoder, settings: SimulatedReceiver.Settings, start: Duration
    ) throws(SystemFailure) {
        self.node = node
        self.encoder = encoder
        self.settings = settings
        self.start = start
        desk = try ThreadDesk(SimulatedReceiver.Progress())
    }

    deinit { node.remove() }

    /// Starts the thread; the device is there when this returns.
    func run() throws(SystemFailure) -> NativeThread {
        let session = ReceiverThread(line: self, terminal: try newTerminal())
        return try NativeThread { session.play() }
    }

    /// A terminal that the path leads to.
    func newTerminal() throws(SystemFailure) -> PseudoTerminal {
        let terminal = try PseudoTerminal(speed: settings.lineSpeed, anyone: settings.anyone)
        try node.point(to: terminal.path)
        desk.note { $0.isPlugged = true }
        return terminal
    }

    /// The path leads nowhere from now on.
    func vanish() {
        node.vanish()
        desk.note { $0.isPlugged = false }
    }

    /// The device is gone for good.
    func close() {
        desk.note { $0.isPlugged = false }
        node.remove()
    }
}
