import Glibc
package import LocationCore
import LocationTracks
package import LocwatchArguments
package import LocwatchPlatform
import LocwatchTerminal

/// A consumer that keeps a file with the metrics of the session for node_exporter's textfile collector.
///
/// The file is replaced as a whole, so that a reader never sees a part of it, and on a separate thread, so that a slow disk
/// does not delay the session. A file that cannot be written is tried again, with one message until it can.
package final class MetricsFile: SessionConsumer {
    /// The interval at which the file is written, that of most Prometheus servers.
    private static let interval = Duration.seconds(15)
    /// The shortest interval, with which a change of state is written.
    private static let shortest = Duration.seconds(1)
    /// The time for which the end of the session waits for the disk.
    private static let limit = Duration.seconds(2)

    private let path: String
    private let narrator: Narrator
    private let clock = ContinuousClock()
    private var due: ContinuousClock.Instant
    private var written: ContinuousClock.Instant?
    /// A file that is being written, and the failure of that.
    private var writing: Background<OutputFailure?>?
    private var hasFailed = false
    /// Whether the file is written for the last time.
    private var isLast = false
    /// The time at which the end of the session waits no longer for the disk.
    private var giveUp: ContinuousClock.Instant?
    package private(set) var metrics = SessionMetrics()
    /// Completes the metrics before they are written.
    package var complete: (inout SessionMetrics) -> Void = { _ in }

    /// Creates the consumer, and the file with what is known before the session, or returns `nil` if the settings name no file.
    init?(_ settings: Settings, _ narrator: Narrator) throws(OutputFailure) {
        guard let path = settings.reactions.metricsFile else { return nil }
        self.path = path
        self.narrator = narrator
        due = clock.now
        try FileReplacement.write(metrics.text.bytes, to: path)
    }

    // MARK: The session

    package func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        metrics.process(update, view)
        // A change of state is worth a file of its own.
        if case .transition = update { due = min(due, (written ?? clock.now) + Self.shortest) }
        return nil
    }

    package func prepare(_ wait: inout SessionWait) {
        if let giveUp {
            guard let writing, clock.now < giveUp else { return }
            wait.add(writing.done.descriptor, POLLIN)
            return wait.shorten(to: giveUp - clock.now + .milliseconds(1))
        }
        if writing == nil, clock.now >= due { start() }
        if let writing {
            wait.add(writing.done.descriptor, POLLIN)
        } else {
            wait.shorten(to: max(.zero, due - clock.now) + .milliseconds(1))
        }
    }

    private func start() {
        complete(&metrics)
        written = clock.now
        due = clock.now + Self.interval
        do throws(SystemFailure) {
            let bytes = metrics.text.bytes
            let path = path
            writing = try Background {
                do throws(OutputFailure) { try FileReplacement.write(bytes, to: path) } catch { return error }
                return nil
            }
        } catch {
            report(.cannotCreate("\(error)"))
        }
    }

    package func serve(_ ready: PollSet) -> SessionEnd.Reason? {
        if let writing, ready.isReady(writing.done.descriptor) {
            report(writing.value ?? nil)
            self.writing = nil
        }
        return nil
    }

    private func report(_ failure: OutputFailure?) {
        if let failure, !hasFailed { narrator.say(failure.message) }
        hasFailed = failure != nil
    }

    // MARK: The end

    /// Notes that the session has ended, and writes the file soon.
    package func end() {
        metrics.end()
        due = clock.now
    }

    /// Writes the file for the last time, with the metrics of an ended session, unless the disk takes too long.
    package func linger(_ ending: Ending) -> Bool {
        // The metrics are also those of the command, which can work longer than the session.
        guard !ending.commandIsBusy else { return false }
        if writing == nil, !isLast {
            isLast = true
            metrics.end()
            start()
        }
        let limit = giveUp ?? clock.now + Self.limit
        giveUp = limit
        return writing != nil && clock.now < limit
    }
}
