import GPSDSimulation
import Glibc
import LocationCore
import LocwatchPlatform
import LocwatchSupport

/// A receiver on a pseudo terminal that records what is written to it.
///
/// It sends five epochs a second, whose times are a second apart, so that no test waits long for positions.
final class ListeningReceiver: Sendable {
    let path: String
    private let terminal: ReceiverTerminal
    private let state = Lock((received: [UInt8](), isOver: false))
    private let thread = Lock<NativeThread?>(nil)

    init() throws {
        terminal = try ReceiverTerminal()
        path = terminal.path
        let thread = try NativeThread { [self] in run() }
        self.thread.withLock { $0 = thread }
    }

    /// The bytes that were written to the receiver.
    var received: [UInt8] { state.withLock { $0.received } }

    func stop() { thread.withLock { $0 }?.join { state.withLock { $0.isOver = true } } }

    private func run() {
        let start = ContinuousClock.now
        let encoder = ScenarioEncoder(.walk, start: LogKind.start)
        var index = 0
        while !state.withLock({ $0.isOver }) {
            if ContinuousClock.now >= start + .milliseconds(200 * index) {
                let bytes = encoder.transmission(index).bytes
                _ = write(terminal.master, bytes, bytes.count)
                index += 1
            }
            var watched = pollfd(fd: terminal.master, events: Int16(POLLIN), revents: 0)
            guard poll(&watched, 1, 20) > 0 else { continue }
            var piece = [UInt8](repeating: 0, count: 4096)
            let count = read(terminal.master, &piece, piece.count)
            if count > 0 { state.withLock { $0.received += piece[..<count] } }
        }
    }
}

/// A pseudo terminal that threads and tests can share, and that every user may open.
final class ReceiverTerminal: Sendable {
    private let terminal: PseudoTerminal
    var master: Int32 { terminal.master }
    var path: String { terminal.path }

    init() throws { terminal = try PseudoTerminal(anyone: true) }
}
