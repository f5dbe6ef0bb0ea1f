import GPSDReports
import LocationCore

/// Cuts what arrives into lines, and has them written down with their times.
///
/// The lines of a live session have the time of their arrival; those of a recording keep the times that it tells.
final class RecordingScribe {
    /// How many lines may wait for a recording's first time before it is taken to have none.
    private static let undatedLimit = 256

    private let file: RecordingFile
    /// The end of a recording that is to be recorded in part.
    private let limit: Duration?
    private let start: Moment
    private var lines = LineReader()
    private var writer = RecordingWriter()
    private var decoder = ReportDecoder()
    /// The time of a recording; `nil` in a live session.
    private var clock: RecordingClock?
    /// What came before a recording's first time.
    private var undated: [[UInt8]]? = []

    /// Begins a file.
    init(_ file: RecordingFile, of source: SourceWord, limit: Duration?, at start: Moment) {
        self.file = file
        self.limit = limit
        self.start = start
        clock = source.isLive ? nil : RecordingClock()
        file.append(writer.header(source: source.description, version: Version.number, at: start), lines: 0)
    }

    /// Takes what has arrived at a moment.
    func take(_ chunk: UnsafeRawBufferPointer, at arrival: Moment) {
        var bytes: [UInt8] = []
        var count = 0
        lines.feed(chunk) { line in
            guard case .line(let text) = line, !text.isEmpty else { return }
            write(text, arrival: arrival, into: &bytes, &count)
        }
        if count > 0 { file.append(bytes, lines: count) }
    }

    /// Takes what is left at the end: of a recording the last line may do without its end, of a live session it is torn.
    func finish() {
        var bytes: [UInt8] = []
        var count = 0
        if clock != nil {
            lines.finish { line in
                guard case .line(let text) = line, (try? decoder.decode(ArrivalStamp.part(text).json)) != nil
                else { return }
                write(text, arrival: start, into: &bytes, &count)
            }
            writeUndated(at: start, into: &bytes, &count)
        }
        if count > 0 { file.append(bytes, lines: count) }
    }

    private func write(
        _ text: UnsafeRawBufferPointer, arrival: Moment, into bytes: inout [UInt8], _ count: inout Int
    ) {
        guard clock != nil else {
            bytes += writer.record(text, at: arrival)
            count += 1
            return
        }
        let (stamp, json) = ArrivalStamp.part(text)
        if let report = try? decoder.decode(json) { clock?.follow(report, stamp: stamp) }
        guard let moment = clock?.now ?? (undated == nil ? start : nil) else {
            undated?.append(Array(text))
            if undated?.count ?? 0 >= Self.undatedLimit { writeUndated(at: start, into: &bytes, &count) }
            return
        }
        if let limit, moment.elapsed >= limit { return }
        writeUndated(at: moment, into: &bytes, &count)
        bytes += writer.record(text, at: moment)
        count += 1
    }

    private func writeUndated(at moment: Moment, into bytes: inout [UInt8], _ count: inout Int) {
        for line in undated ?? [] {
            bytes += writer.record(line, at: moment)
            count += 1
        }
        undated = nil
    }
}
