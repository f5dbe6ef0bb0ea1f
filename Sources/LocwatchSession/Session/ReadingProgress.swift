import GPSDReports
package import LocationCore
package import LocwatchArguments
package import LocwatchTerminal

/// The progress through a recording, shown on a terminal line that is rewritten in place.
package final class ReadingProgress: SessionConsumer {
    /// The time before the first display, as short recordings need no progress.
    private static let delay = Duration.milliseconds(300)
    private static let interval = Duration.milliseconds(100)

    private let console: Console
    private let size: Int
    private let start = ContinuousClock.now
    private var nextShow: ContinuousClock.Instant
    private weak var loop: SessionLoop?

    /// Creates the progress of a recording; `nil` if its size is unknown or no terminal can show it.
    ///
    /// - Parameter sharesScreen: whether data go to the same terminal, where they would mix with the line.
    package init?(_ source: SourceWord, _ settings: Settings, _ console: Console, sharesScreen: Bool) {
        guard let size = source.source.size, size > 0, settings.verbosity > .quiet, settings.pace == .max,
            console.canRewrite(console.error), !sharesScreen
        else { return nil }
        self.console = console
        self.size = size
        nextShow = start + Self.delay
    }

    package func begin(_ loop: SessionLoop) { self.loop = loop }

    package func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? { nil }

    package func flush() {
        let now = ContinuousClock.now
        guard now >= nextShow, let loop else { return }
        nextShow = now + Self.interval
        console.show(line: Self.line(read: loop.bytesRead, of: size, after: now - start, columns: console.columns))
    }

    /// Returns the line for a screen with the given columns.
    static func line(read: Int, of size: Int, after time: Duration, columns: Int) -> String {
        let share = min(1, Double(read) / Double(max(1, size)))
        let seconds = time.inSeconds
        var tail = TextBuffer()
        tail.put(" ")
        tail.put(Int(clamping: share * 100))
        tail.put(" %")
        if seconds > 0, read > 0 {
            let rate = Double(read) / seconds
            tail.put("  ")
            tail.put(fixed: rate / 1e6, decimals: rate < 1e7 ? 1 : 0)
            tail.put(" MB/s  ")
            tail.put(spoken: Duration(clampingSeconds: (Double(max(0, size - read)) / rate).rounded(.up)))
            tail.put(" left")
        }
        let width = min(40, columns - tail.count - 3)
        guard width >= 4 else { return String(tail.text.dropFirst().prefix(max(0, columns - 1))) }
        let done = Int(clamping: share * Double(width))
        return "[" + String(repeating: "#", count: done) + String(repeating: ".", count: width - done) + "]" + tail.text
    }
}
