import Glibc
public import LocationCore
import LocwatchPlatform

/// A receiver on a pseudo terminal that plays a scenario to a real gpsd, on its own thread.
///
/// Its `path` stays the same when it is unplugged and plugged in again. Bytes that the daemon writes are dropped, unless the scenario
/// takes commands.
public final class SimulatedReceiver: Sendable {
    package struct Progress: Hashable, Sendable {
        /// The number of epochs that were dropped, because earlier ones were not read in time or the reader discarded their
        /// beginning.
        package var epochsSkipped = 0
        /// The number of bytes that the daemon wrote to the receiver.
        package var bytesReceived = 0
        /// Whether the device exists.
        package var isPlugged = false
        /// Whether the scenario has ended; the device then stays silent until `stop()`.
        package var isFinished = false
    }

    /// The configuration of a receiver.
    public struct Settings: Hashable, Sendable {
        /// The seed of all random values.
        public var seed: UInt64 = 1
        /// The true time of the first epoch, or `nil` to begin now, aligned to the interval of the epochs.
        public var start: Timestamp?
        /// The duration of the scenario, or `nil` to run until `stop()`.
        public var duration: Duration?
        /// The time for which the device is silent before the scenario begins.
        package var silence = Duration.zero
        /// The speed of the line in bits per second.
        public var lineSpeed = 115_200
        /// The factor by which the scenario and the line are faster than real time.
        public var speedup = 1.0
        /// Whether late epochs are sent instead of dropped, unlike with a real receiver.
        package var keepsAll = false
        /// Whether every user may open the device; required by a gpsd that root started, because it drops its rights.
        package var anyone = geteuid() == 0
        /// The path of the device, or `nil` for one in a new temporary folder.
        public var path: String?

        /// Creates the default settings: real time, from now on, at 115,200 bit/s.
        public init() {}
    }

    /// The path of the device, which exists while the receiver is plugged in.
    public let path: String
    /// The encoder of the bytes that are sent, which also knows the truth behind them.
    package let encoder: ScenarioEncoder
    private let mailbox: ReceiverThread.Mailbox
    private let thread: NativeThread

    /// Creates a receiver, plugs it in, and starts its scenario.
    public init(_ scenario: ReceiverScenario, settings: Settings = Settings()) throws(SimulationError) {
        guard PseudoTerminal.canRun(at: settings.lineSpeed) else {
            throw SimulationError("no serial line has a speed of \(settings.lineSpeed) bits per second")
        }
        let origin: (start: Timestamp, delay: Duration) =
            settings.start.map { ($0, settings.silence) }
            ?? Self.nextRound(after: settings.silence, every: 1_000_000_000 / Int64(scenario.rate))
        encoder = ScenarioEncoder(
            scenario, seed: settings.seed, start: origin.start, duration: settings.duration)
        do throws(SystemFailure) {
            let line = try LinkedTerminal(path: settings.path)
            path = line.path
            mailbox = try ReceiverThread.Mailbox(Progress())
            let worker = try ReceiverThread(
                line: line, encoder: encoder, settings: settings, start: MonotonicTime.now + origin.delay,
                mailbox: mailbox)
            thread = try NativeThread { worker.play() }
        } catch {
            let isOccupied = [EEXIST, EBUSY].contains(error.code)
            throw SimulationError(
                isOccupied
                    ? "\(VisibleText.of(settings.path ?? "")) is a file other than the link of a receiver"
                    : error.description)
        }
    }

    /// Returns the first multiple of `interval` nanoseconds that is more than `least` ahead, and the delay until then.
    private static func nextRound(after least: Duration, every interval: Int64) -> (start: Timestamp, delay: Duration) {
        let now = Timestamp.now.nanosecondsSince1970
        let next = ((now + least.nanoseconds) / interval + 1) * interval
        return (Timestamp(nanosecondsSince1970: next), .nanoseconds(next - now))
    }

    deinit { stop() }

    /// Ends the receiver and removes its device; returns within a tenth of a second, even if the device is not read.
    public func stop() {
        thread.join { mailbox.send(.stop) }
    }

    /// Unplugs the receiver: the device is gone when this returns, and a process that has it open sees a hang-up.
    public func unplug() { mailbox.send(.unplug) }

    /// Plugs the receiver in again, at the same path; the scenario has continued in the meantime.
    public func plugIn() { mailbox.send(.plugIn) }

    package var progress: Progress { mailbox.progress }
}
