import Glibc
public import LocationCore
public import LocwatchPlatform

/// A receiver on a pseudo terminal that a real gpsd takes for a serial one, playing a scenario on a thread of its own.
///
/// Its `path` stays the same while it is unplugged and plugged in again. What the daemon writes to it is read and dropped.
public final class SimulatedReceiver: Sendable {
    /// Why a receiver cannot be had.
    public enum Failure: Error, Hashable, Sendable {
        /// No serial line runs at this speed.
        case lineSpeed(Int)
        /// There is a file at the path that is not a link of a receiver.
        case occupied(path: String)
        /// The system refused.
        case system(SystemFailure)
    }

    /// What a receiver has done so far.
    public struct Progress: Hashable, Sendable {
        /// Epochs that went over the line in full.
        public var epochsSent = 0
        /// Epochs that were dropped, as nobody read those before them in time.
        public var epochsSkipped = 0
        /// Bytes that went over the line.
        public var bytesSent = 0
        /// Bytes that the daemon wrote to the receiver.
        public var bytesReceived = 0
        /// Whether the device is there.
        public var isPlugged = false
        /// Whether the scenario has come to its end; the device stays there, silent, until `stop()`.
        public var isFinished = false
    }

    /// How a receiver is set up.
    public struct Settings: Hashable, Sendable {
        /// Decides all that is random.
        public var seed: UInt64 = 1
        /// The true time of the first epoch; the next round moment of now where it is `nil`.
        public var start: Timestamp?
        /// How long the scenario goes on; until `stop()` where it is `nil`.
        public var duration: Duration?
        /// How long the device is there, silent, before the scenario begins.
        public var silence = Duration.zero
        /// Bits a second on the line.
        public var lineSpeed = 115_200
        /// How many times faster than real time the scenario and the line are.
        public var speedup = 1.0
        /// Whether epochs that nobody read in time are sent later, as no real receiver would.
        public var keepsAll = false
        /// Whether every user may open the device: needed for a gpsd that is started as root, as it drops its rights.
        public var anyone = geteuid() == 0
        /// Where the device is to appear; in a new folder of its own where it is `nil`.
        public var path: String?

        /// The usual settings: real time, from now on, at 115,200 bit/s.
        public init() {}
    }

    /// Where the device is, for as long as it is plugged in.
    public let path: String
    /// The bytes that are sent, and the truth behind them.
    public let encoder: ScenarioEncoder
    private let line: ReceiverLine
    private let thread: NativeThread

    /// Plugs a receiver in and starts its scenario.
    public init(_ scenario: ReceiverScenario, settings: Settings = Settings()) throws(Failure) {
        guard PseudoTerminal.canRun(at: settings.lineSpeed) else { throw .lineSpeed(settings.lineSpeed) }
        let origin: (start: Timestamp, delay: Duration) =
            settings.start.map { ($0, settings.silence) }
            ?? WallTime.nextRound(after: settings.silence, every: 1_000_000_000 / Int64(scenario.rate))
        encoder = ScenarioEncoder(
            scenario, seed: settings.seed, start: origin.start, duration: settings.duration)
        do throws(SystemFailure) {
            let node = try DeviceNode(path: settings.path)
            path = node.path
            line = try ReceiverLine(
                node: node, encoder: encoder, settings: settings, start: MonotonicTime.now + origin.delay)
            thread = try line.run()
        } catch {
            throw error.code == EEXIST ? .occupied(path: settings.path ?? "") : .system(error)
        }
    }

    deinit { stop() }

    /// Ends the receiver and removes its device; returns within a tenth of a second, also when nobody reads.
    public func stop() {
        thread.join { line.mailbox.send(.stop) }
    }

    /// Pulls the receiver off: the device has vanished when this returns, and who has it open sees a hang-up.
    public func unplug() { line.mailbox.send(.unplug) }

    /// Plugs the receiver in again, at the same path; the scenario went on meanwhile, unheard.
    public func plugIn() { line.mailbox.send(.plugIn) }

    /// What the receiver has done so far.
    public var progress: Progress { line.mailbox.progress }
}
