import Glibc
import LocationCore
import Platform
import Synchronization

/// The thread behind a simulated receiver: it alone touches the terminal; others ask it over a descriptor that wakes it.
final class ReceiverLine: Sendable {
    enum Request { case stop, unplug, plugIn }

    private struct Shared {
        var progress = SimulatedReceiver.Progress()
        var asked: Request?
        var isOver = false
    }

    private let node: DeviceNode
    let encoder: ScenarioEncoder
    let settings: SimulatedReceiver.Settings
    /// When the scenario begins, by the monotonic clock.
    let start: Duration
    let wakeUp: Event
    private let answered: Event
    /// Held by the one whose request is under way.
    private let asking = Mutex(())
    private let shared = Mutex(Shared())

    init(
        node: DeviceNode, encoder: ScenarioEncoder, settings: SimulatedReceiver.Settings, start: Duration
    ) throws(SystemFailure) {
        self.node = node
        self.encoder = encoder
        self.settings = settings
        self.start = start
        wakeUp = try Event()
        answered = try Event()
    }

    deinit { node.remove() }

    var progress: SimulatedReceiver.Progress { shared.withLock { $0.progress } }

    /// Starts the thread; the device is there when this returns.
    func run() throws(SystemFailure) -> NativeThread {
        let session = ReceiverThread(line: self, terminal: try newTerminal())
        return try NativeThread { session.play() }
    }

    /// Has the thread do something, and waits until it has.
    func ask(_ request: Request) {
        asking.withLock { _ in
            let isAsked = shared.withLock { shared in
                if !shared.isOver { shared.asked = request }
                return !shared.isOver
            }
            guard isAsked else { return }
            wakeUp.happen()
            answered.wait()
            answered.clear()
        }
    }

    /// What was asked for since the last call; to be followed by `answer()`.
    func takeRequest() -> Request? {
        wakeUp.clear()
        return shared.withLock { shared in
            defer { shared.asked = nil }
            return shared.asked
        }
    }

    /// Lets the one who asked go on.
    func answer() { answered.happen() }

    /// Takes note of what was done.
    func note(_ change: (inout SimulatedReceiver.Progress) -> Void) {
        shared.withLock { change(&$0.progress) }
    }

    /// A terminal that the path leads to.
    func newTerminal() throws(SystemFailure) -> PseudoTerminal {
        let terminal = try PseudoTerminal(speed: settings.lineSpeed, anyone: settings.anyone)
        try node.point(to: terminal.path)
        note { $0.isPlugged = true }
        return terminal
    }

    /// The path leads nowhere from now on.
    func vanish() {
        node.vanish()
        note { $0.isPlugged = false }
    }

    /// Nobody takes a request any more, and the device is gone for good.
    func close() {
        shared.withLock { shared in
            shared.isOver = true
            shared.progress.isPlugged = false
        }
        node.remove()
    }
}
