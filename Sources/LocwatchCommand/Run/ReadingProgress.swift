import GPSDReports
import Glibc
import LocationCore

/// How far a recording is read: a line on the terminal that is rewritten in place.
final class ReadingProgress {
    /// What is read so quickly needs no line.
    private static let patience = Duration.milliseconds(300)
    private static let interval = Duration.milliseconds(100)

    private let size: Int
    private let start = ContinuousClock.now
    private var read = 0
    private var nextShow: ContinuousClock.Instant
    private var line = ScreenLine()

    /// Progress through a recording; `nil` of what has no end that is known, and where there is no terminal to show it on.
    ///
    /// - Parameter sharesScreen: standard output goes on the same terminal, and would be mixed with it.
    init?(_ source: SourceWord, _ settings: Settings, _ environment: [String: String], sharesScreen: Bool) {
        var status = stat()
        guard case .recording(let path) = source, settings.verbosity > .quiet, environment["TERM"] != "dumb",
            settings.pace == .max, Terminal.isShown(on: 2), !sharesScreen,
            path == "-" ? fstat(0, &status) == 0 : stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size > 0
        else { return nil }
        size = Int(status.st_size)
        nextShow = start + Self.patience
    }

    /// Takes note of bytes that were read.
    func take(_ count: Int) { read += count }

    /// Writes the line anew, if it is time.
    func show() {
        let now = ContinuousClock.now
        guard now >= nextShow else { return }
        nextShow = now + Self.interval
        line.show(Self.line(read: read, of: size, after: now - start, columns: line.columns))
    }

    /// Takes the line off the screen, before anything else is written there.
    func wipe() { line.wipe() }

    /// The line for a screen of so many columns.
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
            tail.put(spoken: Duration(toldSeconds: (Double(max(0, size - read)) / rate).rounded(.up)))
            tail.put(" left")
        }
        let width = min(40, columns - tail.count - 3)
        guard width >= 4 else { return String(tail.text.dropFirst().prefix(max(0, columns - 1))) }
        let done = Int(clamping: share * Double(width))
        return "[" + String(repeating: "#", count: done) + String(repeating: ".", count: width - done) + "]" + tail.text
    }
}

/// What a terminal is like.
enum Terminal {
    /// Whether there is one.
    static func isShown(on descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// How many columns and rows it has, or what is usual.
    static func size(of descriptor: Int32) -> (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
