import GPSDReports
import LocationCore

/// How far the bytes of a recording are taken, to see what each step costs.
enum BenchStage: String {
    /// Lines alone.
    case lines
    /// Lines decoded to typed reports: what gps_unpack does.
    case reports
    /// Reports translated to the events of a session.
    case events

    /// Takes all bytes and answers how many lines, reports or events there were.
    func run(_ bytes: UnsafeRawBufferPointer) -> Int {
        var count = 0
        switch self {
        case .lines, .reports:
            var lines = LineReader()
            var decoder = ReportDecoder()
            lines.feed(bytes) { line in
                guard case .line(let json) = line else { return }
                if self == .lines {
                    count += 1
                } else if (try? decoder.decode(json)) != nil {
                    count += 1
                }
            }
        case .events:
            var reader = SessionReader(timing: .recorded)
            reader.read(bytes) { _ in count += 1 }
            reader.finish { _ in count += 1 }
        }
        return count
    }
}
