import LocationCore
import LocationRecordings

/// A stage of processing, to measure the cost of each.
enum BenchStage: String {
    /// Splits the bytes into lines.
    case lines
    /// Decodes the lines to typed reports, as gps_unpack does.
    case reports
    /// Translates the reports to the events of a session.
    case events

    /// Processes all bytes and returns the number of lines, reports or events.
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
