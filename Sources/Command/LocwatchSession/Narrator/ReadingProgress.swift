import LocationCore
import LocwatchTerminal

/// The progress through a recording, for a terminal line that is rewritten in place.
struct ReadingProgress {
    /// The time before the first display, as short recordings need no progress.
    private static let delay = Duration.milliseconds(300)
    private static let interval = Duration.milliseconds(100)

    private let size: Int
    private let start = ContinuousClock.now
    private var nextShow: ContinuousClock.Instant

    init(of size: Int) {
        self.size = size
        nextShow = start + Self.delay
    }

    /// Returns the line if it is time to show it again.
    mutating func line(read: () -> Int, columns: Int) -> String? {
        let now = ContinuousClock.now
        guard now >= nextShow else { return nil }
        nextShow = now + Self.interval
        return Self.line(read: read(), of: size, after: now - start, columns: columns)
    }

    static func line(read: Int, of size: Int, after time: Duration, columns: Int) -> String {
        let share = min(1, Double(read) / Double(max(1, size)))
        let seconds = time.inSeconds
        var tail = TextBuffer()
        tail.put(" \(Int(clamping: share * 100)) %")
        if seconds > 0, read > 0 {
            let rate = Double(read) / seconds
            let left = Duration(clampingSeconds: (Double(max(0, size - read)) / rate).rounded(.up))
            tail.put("  ")
            tail.put(fixed: rate / 1e6, decimals: rate < 1e7 ? 1 : 0)
            tail.put(" MB/s  \(left.spoken) left")
        }
        let width = min(40, columns - tail.count - 3)
        guard width >= 4 else { return String(tail.text.dropFirst().prefix(max(0, columns - 1))) }
        let done = Int(clamping: share * Double(width))
        return "[" + String(repeating: "#", count: done) + String(repeating: ".", count: width - done) + "]" + tail.text
    }
}
