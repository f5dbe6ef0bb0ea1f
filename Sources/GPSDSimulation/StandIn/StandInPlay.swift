import GPSDReports
import LocationCore

/// The playback position of a session: the next line, its due time, and the shift of its times.
struct StandInPlay {
    private let session: StandInSession
    private let settings: StandInGPSD.Settings
    private var position = 0
    /// The monotonic time at which the round began, or `nil` before the first one.
    private var start: Duration?
    private var shift = (time: Duration.zero, activated: Duration.zero)
    private(set) var rounds = 0
    /// The duration of a round, including the pause before the next one.
    private let length: Duration
    private let origin: Duration

    init(_ session: StandInSession, settings: StandInGPSD.Settings) {
        self.session = session
        self.settings = settings
        let moments = session.lines.compactMap { $0.moment?.elapsed }
        origin = moments.first ?? .zero
        let last = moments.last ?? .zero
        // The pause before the next round is as long as the last interval between lines.
        let pause = moments.last { $0 < last }.map { last - $0 } ?? .seconds(1)
        length = last - origin + pause
    }

    /// Whether lines become due without a request.
    var isRunning: Bool { start != nil && settings.advance != .byHand && hasMore }
    private var hasMore: Bool { position < session.lines.count || settings.loops }
    /// The shift of the `activated` times of the session's devices.
    var activatedShift: Duration { shift.activated }

    /// Begins the session unless it has begun.
    mutating func begin(at now: Duration, wall: Timestamp) {
        guard start == nil else { return }
        start = now
        date(wall)
    }

    var hasBegun: Bool { start != nil }

    /// Sets the shift as if the session began now, unless it has begun, for answers that precede it.
    mutating func anticipate(at wall: Timestamp) {
        if start == nil { date(wall) }
    }

    /// The monotonic time at which the next line is due, or `nil` if time does not matter.
    var due: Duration? {
        guard isRunning, let start, case .paced(.times(let rate)) = settings.advance, rate > 0 else { return nil }
        guard position < session.lines.count else { return start + length / rate }
        let offset = session.lines[position].moment.map { $0.elapsed - origin } ?? .zero
        return start + offset / rate
    }

    /// Returns the next line, with shifted times if the settings ask for that, or `nil` at the end.
    mutating func next(at now: Duration, wall: Timestamp) -> (line: StandInSession.Line, bytes: ArraySlice<UInt8>)? {
        begin(at: now, wall: wall)
        if position == session.lines.count {
            guard settings.loops else { return nil }
            position = 0
            start = due(ofNextRoundAt: now)
            date(wall)
        }
        let line = session.lines[position]
        position += 1
        if position == session.lines.count { rounds += 1 }
        guard settings.redates else { return (line, line.bytes) }
        return (line, RedatedText.shifting(line.bytes, time: shift.time, activated: shift.activated)[...])
    }

    /// Whether the next line is the first of a round.
    var isAtStart: Bool { position == 0 || (position == session.lines.count && settings.loops) }

    /// Returns the time at which a line's device was heard, as gpsd would report it.
    func heard(_ line: StandInSession.Line, wall: Timestamp) -> Timestamp? {
        settings.redates ? wall : line.moment?.wall
    }

    private func due(ofNextRoundAt now: Duration) -> Duration {
        guard let start, case .paced(.times(let rate)) = settings.advance, rate > 0 else { return now }
        return start + length / rate
    }

    private mutating func date(_ wall: Timestamp) {
        guard settings.redates else { return }
        // A shift by whole milliseconds, which is the resolution of gpsd's times, keeps all their distances.
        func distance(to first: Timestamp?) -> Duration {
            guard let first else { return .zero }
            return .milliseconds(
                wall.since(first).components.seconds * 1000
                    + wall.since(first).components.attoseconds / 1_000_000_000_000_000)
        }
        // One shift keeps the distances between all times. A receiver with a wrong clock needs its own shift: its first
        // time is a day or more after the device's `activated` time, or more than 5 s before it.
        let receiver = session.firstTime ?? session.firstActivated
        let host = session.firstActivated ?? session.firstTime
        let lead = (receiver?.secondsSince1970 ?? 0) - (host?.secondsSince1970 ?? 0)
        shift = (distance(to: receiver), distance(to: -5..<86_400 ~= lead ? receiver : host))
    }
}
