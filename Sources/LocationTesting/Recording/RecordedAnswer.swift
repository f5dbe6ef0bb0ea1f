public import GPSDReports
import LocationCore

/// A recorded session as the answer of a source that pretends to be live, with the hardships of a line and with faults.
///
/// Where `ReplayProvider` shows a recording as it was, at the recording's own moments, this one lets it happen now: an
/// event's moment is when it arrives. It goes through the same decoder and the same translator.
///
/// ```swift
/// var answer = RecordedAnswer(.path("Fixtures/walk/session.json"))
/// answer.responseTime = .seconds(2)
/// answer.bandwidth = 1200
/// answer.faults = [.cut(afterLines: 40)]
/// let source = ScriptedLocationSource([.replay(answer), .endThrowing(lost)], clock: clock)
/// ```
public struct RecordedAnswer: Hashable, Sendable {
    /// Where the recording's bytes come from.
    public var recording: RecordingSource
    /// How long it takes until the first byte comes.
    public var responseTime = Duration.zero
    /// How fast it is played.
    public var pace = ReplayPace.recorded
    /// How many bytes a second the line carries; `nil` where that does not matter.
    public var bandwidth: Int?
    /// What goes wrong, one after the other.
    public var faults: [SessionFault] = []

    /// A recorded session, played at its own pace and without faults.
    public init(_ recording: RecordingSource) {
        self.recording = recording
    }

    /// A recorded session out of its lines.
    public init(lines: [String]) {
        self.init(.bytes(Array(lines.joined(separator: "\n").utf8) + [UInt8(ascii: "\n")], name: "lines"))
    }
}

/// An event of a recorded answer, and when it arrives after the answer's beginning.
struct Arrival: Hashable, Sendable {
    var event: LocationEvent
    var due: Duration
}

/// Goes through a recorded answer line by line.
struct AnswerReader {
    private let answer: RecordedAnswer
    private var lines: ArraySlice<ArraySlice<UInt8>>
    private let isEmpty: Bool
    private var reader: SessionReader
    /// What the recording's own clock shows.
    private var recorded = Duration.zero
    /// When the line is free again.
    private var free: Duration
    private var hasFinished = false

    init(_ answer: RecordedAnswer, includesLines: Bool = false) async throws(LocationError) {
        self.answer = answer
        reader = SessionReader(timing: .recorded, includesLines: includesLines)
        lines = SessionFault.lines(answer.faults.applied(to: try await answer.recording.contents()))[...]
        isEmpty = lines.isEmpty
        free = answer.responseTime
    }

    /// What the next line, or the end, tells; `nil` when all has been told.
    mutating func next() throws(LocationError) -> [Arrival]? {
        if hasFinished { return nil }
        var updates: [LocationUpdate] = []
        if let line = lines.popFirst() {
            line.withUnsafeBytes { reader.read($0) { updates.append($0) } }
            recorded = max(recorded, updates.last?.moment.elapsed ?? .zero)
            free = max(free, answer.responseTime + scaled(recorded))
            if let bandwidth = answer.bandwidth { free += .seconds(line.count) / max(1, bandwidth) }
        } else {
            hasFinished = true
            reader.finish { updates.append($0) }
            if reader.reportCount == 0 {
                throw .noSession(named: answer.recording.name, fault: reader.firstFault, isEmpty: isEmpty)
            }
        }
        return updates.map { Arrival(event: $0.event, due: free) }
    }

    private func scaled(_ duration: Duration) -> Duration {
        guard case .times(let rate) = answer.pace, rate > 0 else { return .zero }
        return duration / rate
    }
}
