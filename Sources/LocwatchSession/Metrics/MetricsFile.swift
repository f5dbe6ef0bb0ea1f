import Glibc
package import LocationCore
import LocationTracks
package import LocwatchArguments
import LocwatchPlatform
import LocwatchSupport
package import LocwatchTerminal

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
    private static let millisecondsToWait: Int32 = 2000

    private let path: String
    private let console: Console
    private let saysFailures: Bool
    private let clock = ContinuousClock()
    private var due: ContinuousClock.Instant
    private var written: ContinuousClock.Instant?
    private var writing: Writing?
    private var hasFailed = false
    /// The metrics so far.
    package private(set) var metrics = SessionMetrics()
    /// Completes the metrics before they are written.
    package var complete: (inout SessionMetrics) -> Void = { _ in }

    /// Creates the consumer, and the file with what is known before the session; throws if that is not possible.
    init(_ path: String, _ console: Console, _ settings: Settings) throws(OutputFailure) {
        self.path = path
        self.console = console
        saysFailures = settings.verbosity > .quiet
        due = clock.now
        try Self.write(metrics.text.bytes, to: path)
    }

    /// Returns the consumer if the settings name a file.
    package static func from(_ settings: Settings, _ console: Console) throws(OutputFailure) -> MetricsFile? {
        guard let path = settings.metricsFile else { return nil }
        return try MetricsFile(path, console, settings)
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(OutputFailure) {
        do throws(TrackFileError) {
            var draft = try FileReplacement(of: path)
            try draft.write(bytes)
            try draft.finish()
        } catch {
            throw .track(error)
        }
    }

    /// A file that is being written on another thread.
    private final class Writing: Sendable {
        let done: Event
        private let outcome = Lock<OutputFailure?>(nil)

        init(_ bytes: [UInt8], to path: String) throws(SystemFailure) {
            done = try Event()
            try NativeThread.start { [self] in
                do throws(OutputFailure) { try MetricsFile.write(bytes, to: path) } catch {
                    outcome.withLock { $0 = error }
                }
                done.happen()
            }
        }

        var failure: OutputFailure? { outcome.withLock { $0 } }

        /// Waits for the end, but not forever; returns whether it came.
        func wait(_ milliseconds: Int32) -> Bool {
            var watched = pollfd(fd: done.descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&watched, 1, milliseconds) > 0
        }
    }

    // MARK: The session

    package func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        metrics.process(update, view)
        if case .transition = update { note() }
        return nil
    }

    /// Notes a change that is worth a file of its own.
    private func note() { due = min(due, (written ?? clock.now) + Self.shortest) }

    package var refreshInterval: Duration? { writing == nil ? max(.zero, due - clock.now) + .milliseconds(1) : nil }

    package func refresh(at now: Moment) {
        // After the session nothing polls the event.
        if let writing, writing.wait(0) { finish(writing) }
        guard writing == nil, clock.now >= due else { return }
        start()
    }

    private func start() {
        complete(&metrics)
        written = clock.now
        due = clock.now + Self.interval
        do throws(SystemFailure) { writing = try Writing(metrics.text.bytes, to: path) } catch {
            report(.cannotCreate("\(error)"))
        }
    }

    package func addDescriptors(to set: inout PollSet) {
        if let writing { set.add(writing.done.descriptor, POLLIN) }
    }

    package func respond(to set: PollSet) {
        if let writing, set.isReady(writing.done.descriptor) { finish(writing) }
    }

    private func finish(_ writing: Writing) {
        report(writing.failure)
        self.writing = nil
    }

    private func report(_ failure: OutputFailure?) {
        if let failure, !hasFailed, saysFailures { console.say("locwatch: \(failure.message)\n") }
        hasFailed = failure != nil
    }

    /// Writes the file for the last time, with the metrics of an ended session.
    package func end() {
        if let writing, !writing.wait(Self.millisecondsToWait) { return }
        writing = nil
        metrics.end()
        start()
        if let writing, writing.wait(Self.millisecondsToWait) { report(writing.failure) }
    }
}
