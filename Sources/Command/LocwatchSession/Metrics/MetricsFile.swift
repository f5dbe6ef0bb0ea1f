package import LocationCore
import LocationTracks
package import LocwatchArguments
package import LocwatchPlatform
import LocwatchTerminal

/// A consumer that keeps a file with the metrics of the session for node_exporter's textfile collector.
///
/// The file is replaced as a whole, so that a reader never sees a part of it.
package final class MetricsFile: SessionConsumer {
    /// The interval at which the file is written, that of most Prometheus servers.
    private static let interval = Duration.seconds(15)
    /// The shortest interval, with which a change of state is written.
    private static let shortest = Duration.seconds(1)

    private static let kind = FileReplacement.ReplacedKind(
        "metrics of locwatch", beginningWith: "# HELP locwatch_")

    private let path: String
    private let kept: KeptFile
    package private(set) var metrics = SessionMetrics()
    /// Completes the metrics before they are written.
    package var complete: (inout SessionMetrics) -> Void = { _ in }

    /// Creates the consumer, and the file with what is known before the session, or returns `nil` if the settings name no file.
    init?(_ settings: Settings, _ narrator: Narrator) throws(OutputFailure) {
        guard let path = settings.reactions.metricsFile else { return nil }
        self.path = path
        kept = KeptFile(every: Self.interval, narrator)
        try FileReplacement.write(metrics.text.bytes, to: path, only: Self.kind)
    }

    package func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        metrics.process(update, view)
        // A change of state is worth a file of its own.
        if case .transition = update { kept.change(atMostEvery: Self.shortest) }
        return nil
    }

    package func prepare(_ wait: inout SessionWait) { kept.prepare(&wait) { writing } }

    package func serve(_ ready: PollSet) -> SessionEnd.Reason? {
        kept.serve(ready)
        return nil
    }

    /// The writing of the metrics as they are now.
    private var writing: KeptFile.Writing {
        complete(&metrics)
        return { [bytes = metrics.text.bytes, path] () throws(OutputFailure) in
            try FileReplacement.write(bytes, to: path, only: Self.kind)
        }
    }

    /// Notes that the session has ended, and writes the file soon.
    package func end() {
        metrics.end()
        kept.hurry()
    }

    /// Writes the file for the last time, with the metrics of an ended session, unless the disk takes too long.
    package func linger(_ ending: Ending) -> Bool {
        kept.linger(ending) {
            metrics.end()
            return writing
        }
    }
}
