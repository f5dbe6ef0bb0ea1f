public import LocationCore

/// Reads a session out of its bytes, live or recorded, and tells what follows from each line.
///
/// A line that cannot be understood is skipped and told of; nothing after it is lost.
public struct SessionReader: Sendable {
    /// Where the moments come from.
    public enum Timing: Hashable, Sendable {
        /// Each chunk is given with the moment at which it arrived.
        case arrival
        /// The recording tells: stamps before the lines, marks between them, or the reports' own times.
        case recorded
    }

    /// How many reports may wait for the recording's first time before it is taken to have none.
    private static let undatedLimit = 256

    private let timing: Timing
    private var lines = LineReader()
    private var decoder = ReportDecoder()
    private var translator = ReportTranslator()
    private var clock = RecordingClock()
    private var undated: [GPSDReport]? = []
    private var skipped = (count: 0, cause: "")

    /// How many lines were read, good and bad.
    public private(set) var lineCount = 0
    /// How many of them were reports.
    public private(set) var reportCount = 0
    /// What was wrong with the first line that was no report.
    public private(set) var firstFault: (line: Int, cause: String)?

    /// A reader that has not read anything yet.
    public init(timing: Timing) {
        self.timing = timing
    }

    /// Reads the next bytes; `arrival` is their moment in a live session.
    public mutating func read(
        _ chunk: UnsafeRawBufferPointer, arrival: Moment? = nil, _ tell: (LocationUpdate) -> Void
    ) {
        // Taken out while it runs, so that its lines can change the rest of the reader.
        var lines = LineReader()
        swap(&lines, &self.lines)
        lines.feed(chunk) { line in take(line, arrival: arrival, tell) }
        swap(&lines, &self.lines)
        if timing == .arrival { tellOfSkipped(arrival, tell) }
    }

    /// Reads what is left when no more bytes come: a last line without its end, whole or torn.
    public mutating func finish(arrival: Moment? = nil, _ tell: (LocationUpdate) -> Void) {
        var lines = LineReader()
        swap(&lines, &self.lines)
        lines.finish { line in
            guard case .line(let bytes) = line else {
                take(line, arrival: arrival, tell)
                return
            }
            do throws(ReportError) {
                _ = try decoder.decode(ArrivalStamp.part(bytes).json)
                take(line, arrival: arrival, tell)
            } catch {
                flush(tell)
                lineCount += 1
                tell(LocationUpdate(.notice(.tornEnd(bytes: bytes.count)), at: moment(arrival)))
            }
        }
        flush(tell)
        tellOfSkipped(arrival, tell)
    }

    private mutating func take(_ line: LineReader.Line, arrival: Moment?, _ tell: (LocationUpdate) -> Void) {
        lineCount += 1
        switch line {
        case .tooLong(let bytes): skip("a line of \(bytes) bytes is too long")
        case .line(let bytes):
            if bytes.isEmpty { return }
            let (stamp, json) = ArrivalStamp.part(bytes)
            do throws(ReportError) {
                let report = try decoder.decode(json)
                reportCount += 1
                tellOfSkipped(arrival, tell)
                take(report, stamp: stamp, arrival: arrival, tell)
            } catch {
                skip("line \(lineCount): \(error)")
            }
        }
    }

    private mutating func take(
        _ report: GPSDReport, stamp: Timestamp?, arrival: Moment?, _ tell: (LocationUpdate) -> Void
    ) {
        if timing == .arrival {
            if let arrival { translate(report, at: arrival, tell) }
            return
        }
        clock.follow(report, stamp: stamp)
        if case .mark = report { return }
        guard let now = clock.now else {
            undated?.append(report)
            if undated?.count ?? 0 >= Self.undatedLimit { flush(tell) }
            if undated == nil { translate(report, at: .unknown, tell) }
            return
        }
        flush(tell)
        translate(report, at: now, tell)
    }

    /// Gives what came before the first time that time.
    private mutating func flush(_ tell: (LocationUpdate) -> Void) {
        guard let waiting = undated else { return }
        undated = nil
        for report in waiting { translate(report, at: clock.now ?? .unknown, tell) }
    }

    private mutating func translate(_ report: GPSDReport, at moment: Moment, _ tell: (LocationUpdate) -> Void) {
        translator.translate(report, at: moment) { tell(LocationUpdate($0, at: moment)) }
    }

    private mutating func skip(_ cause: String) {
        if firstFault == nil { firstFault = (lineCount, cause) }
        if skipped.count == 0 { skipped.cause = cause }
        skipped.count += 1
    }

    private mutating func tellOfSkipped(_ arrival: Moment?, _ tell: (LocationUpdate) -> Void) {
        guard skipped.count > 0 else { return }
        tell(LocationUpdate(.notice(.linesSkipped(count: skipped.count, cause: skipped.cause)), at: moment(arrival)))
        skipped = (0, "")
    }

    private func moment(_ arrival: Moment?) -> Moment { arrival ?? clock.now ?? .unknown }
}

extension Moment {
    /// The moment of everything in a recording that tells no time at all.
    fileprivate static let unknown = Moment(elapsed: .zero, wall: Timestamp(nanosecondsSince1970: 0))
}
