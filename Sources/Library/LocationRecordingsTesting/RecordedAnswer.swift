package import LocationCore
public import GPSDProtocol
public import LocationTesting

/// A recorded session that a scripted source plays as live data, with a limited bandwidth and with faults if required.
///
/// `ReplayProvider` keeps the moments of the recording. This type instead dates each event with the time of its
/// arrival. Both use the same decoder and the same translator.
///
/// ```swift
/// var answer = RecordedAnswer(.path("Fixtures/walk/session.json"))
/// answer.responseTime = .seconds(2)
/// answer.bandwidth = 1200
/// answer.faults = [.cut(afterLines: 40)]
/// let source = ScriptedLocationSource([.replay(answer), .endThrowing(lost)], clock: clock)
/// ```
public struct RecordedAnswer: Hashable, Sendable {
    /// The source of the recorded bytes.
    public var recording: RecordingSource
    /// The delay before the first byte.
    public var responseTime = Duration.zero
    /// The playback speed.
    public var pace = ReplayPace.recorded
    /// The bandwidth of the line in bytes per second, or `nil` if it is unlimited.
    public var bandwidth: Int?
    /// The faults to apply, in order.
    public var faults: [SessionFault] = []

    /// Creates an answer that plays a recording at its own pace and without faults.
    public init(_ recording: RecordingSource) {
        self.recording = recording
    }

    /// Creates an answer from the lines of a session.
    public init(lines: [String]) {
        self.init(.bytes(Array(lines.joined(separator: "\n").utf8) + [UInt8(ascii: "\n")], name: "lines"))
    }
}

extension ScriptStep {
    /// Plays a recorded session and then continues; ends the session with an error if the recording cannot be read.
    public static func replay(_ answer: RecordedAnswer) -> ScriptStep { .play(ScriptedPlayback(answer)) }
}

extension RecordedAnswer: ScriptedAnswer {
    package func open(includesLines: Bool) async throws(LocationError) -> any ScriptedArrivals {
        try await AnswerReader(self, includesLines: includesLines)
    }
}

/// A reader of a recorded answer that returns the events of one line at a time.
private final class AnswerReader: ScriptedArrivals {
    private let answer: RecordedAnswer
    private var lines: ArraySlice<ArraySlice<UInt8>>
    private let isEmpty: Bool
    private var stream: GPSDStream
    private var recorded = Duration.zero
    /// The time at which the simulated line has transmitted everything so far.
    private var free: Duration
    private var hasFinished = false

    init(_ answer: RecordedAnswer, includesLines: Bool = false) async throws(LocationError) {
        self.answer = answer
        stream = GPSDStream(includesLines: includesLines)
        lines = SessionFault.lines(answer.faults.applied(to: try await answer.recording.contents()))[...]
        isEmpty = lines.isEmpty
        free = answer.responseTime
    }

    /// Returns the events of the next line or of the end, or `nil` after the end.
    func next() throws(LocationError) -> [(event: LocationEvent, due: Duration)]? {
        if hasFinished { return nil }
        var emitted = free
        if let line = lines.popFirst() {
            line.withUnsafeBytes { stream.feed($0) }
            recorded = max(recorded, stream.now?.elapsed ?? .zero)
            free = max(free, answer.responseTime + scaled(recorded))
            if let bandwidth = answer.bandwidth { free += .seconds(line.count) / max(1, bandwidth) }
        } else {
            hasFinished = true
            stream.finish()
            if stream.tally.reports == 0 {
                throw stream.tally.noSession(named: answer.recording.name, isEmpty: isEmpty)
            }
        }
        // An epoch that became due before the line was emitted then.
        var events: [(event: LocationEvent, due: Duration)] = []
        while let update = stream.next() {
            if update.moment.elapsed < recorded {
                emitted = min(free, max(emitted, answer.responseTime + scaled(update.moment.elapsed)))
                events.append((update.event, emitted))
            } else {
                events.append((update.event, free))
            }
        }
        return events
    }

    private func scaled(_ duration: Duration) -> Duration {
        guard case .times(let rate) = answer.pace, rate > 0 else { return .zero }
        return duration / rate
    }
}
