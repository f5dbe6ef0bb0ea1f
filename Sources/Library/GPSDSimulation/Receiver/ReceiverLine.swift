import LocationCore
import LocwatchPlatform

/// The serial line of a simulated receiver: a device that comes and goes, and the thread that writes to it.
final class ReceiverLine: Sendable {
    enum Request: Sendable { case stop, unplug, plugIn }

    private let node: DeviceNode
    let encoder: ScenarioEncoder
    let settings: SimulatedReceiver.Settings
    /// The start of the scenario by the monotonic clock.
    let start: Duration
    /// The requests to the thread, and its progress.
    let mailbox: WorkerMailbox<Request, SimulatedReceiver.Progress>

    init(
        node: DeviceNode, encoder: ScenarioEncoder, settings: SimulatedReceiver.Settings, start: Duration
    ) throws(SystemFailure) {
        self.node = node
        self.encoder = encoder
        self.settings = settings
        self.start = start
        mailbox = try WorkerMailbox(SimulatedReceiver.Progress())
    }

    deinit { node.remove() }

    /// Starts the thread; the device exists when this returns.
    func run() throws(SystemFailure) -> NativeThread {
        let session = ReceiverThread(line: self, terminal: try newTerminal())
        return try NativeThread { session.play() }
    }

    /// Creates a terminal and points the path to it.
    func newTerminal() throws(SystemFailure) -> PseudoTerminal {
        let terminal = try PseudoTerminal(speed: settings.lineSpeed, anyone: settings.anyone)
        terminal.reportDiscards()
        try node.point(to: terminal.path)
        mailbox.update { $0.isPlugged = true }
        return terminal
    }

    /// Makes the path dangle, as if the receiver had been unplugged.
    func vanish() {
        node.vanish()
        mailbox.update { $0.isPlugged = false }
    }

    /// Removes the device permanently.
    func close() {
        mailbox.update { $0.isPlugged = false }
        node.remove()
    }
}
