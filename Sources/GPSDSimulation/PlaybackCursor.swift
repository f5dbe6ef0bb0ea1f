import GPSDReports
import LocationCore

/// The position in a session that is played: the next line, when it is due, and the shift of the times in it.
///
/// The pace and the pauses are those of `ReplayPace.playingTime(of:)`, as in every replay.
struct PlaybackCursor {
    private let session: StandInSession
    private let settings: StandInGPSD.Settings
    private var position = 0
    /// The monotonic time at which the round began; `nil` before.
    private var start: Duration?
    private var shift = (time: Duration.zero, activated: Duration.zero)
    private(set) var rounds = 0
    /// How long a round lasts, the pause before the next one included.
    private let length: Duration
    private let origin: Duration

    init(_ session: StandInSession, settings: StandInGPSD.Settings) {
        self.session = session
        self.settings = settings
        let moments = session.lines.compactMap { $0.moment?.elapsed }
        origin = moments.first ?? .zero
        let last = moments.last ?? .zero
        // The next round comes after as much time as there was before the last line.
        let pause = moments.last { $0 < last }.map { last - $0 } ?? .seconds(1)
        length = last - origin + pause
    }

    /// Whether lines are due by themselves.
    var isRunning: Bool { start != nil && settings.advance != .byHand && hasMore }
    private var hasMore: Bool { position < session.lines.count || settings.loops }
    /// How much the times of the session's devices are shifted.
    var activatedShift: Duration { shift.activated }

    /// Begins the session, if it has not begun.
    mutating func begin(at now: Duration, wall: Timestamp) {
        guard start == nil else { return }
        start = now
        date(wall)
    }

    var hasBegun: Bool { start != nil }

    /// Sets the shift of a session that has not begun as if it began now, for the answers that come before it.
    mutating func anticipate(at wall: Timestamp) {
        if start == nil { date(wall) }
    }

    /// When the next line is due by the monotonic clock; `nil` where time does not matter.
    var due: Duration? {
        guard isRunning, let start else { return nil }
        let elapsed =
            position < session.lines.count ? session.lines[position].moment?.elapsed ?? origin : origin + length
        return playingTime(of: elapsed).map { start + $0 }
    }

    /// Returns the time from the start of a round to a time of the recording, or `nil` where time does not matter.
    private func playingTime(of elapsed: Duration) -> Duration? {
        guard case .paced(let pace) = settings.advance else { return nil }
        return pace.playingTime(of: elapsed - origin)
    }

    /// The next line with its times as they are to be; `nil` at the end.
    mutating func next(at now: Duration, wall: Timestamp) -> (line: StandInSession.Line, bytes: ArraySlice<UInt8>)? {
        begin(at: now, wall: wall)
        if position == session.lines.count {
            guard settings.loops else { return nil }
            position = 0
            start = start.flatMap { start in playingTime(of: origin + length).map { start + $0 } } ?? now
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

    /// When a line's device was heard, as its daemon would say.
    func heard(_ line: StandInSession.Line, wall: Timestamp) -> Timestamp? {
        settings.redates ? wall : line.moment?.wall
    }

    private mutating func date(_ wall: Timestamp) {
        guard settings.redates else { return }
        // Whole milliseconds, as that is what gpsd writes: no two times come closer or farther than they were.
        func distance(to first: Timestamp?) -> Duration {
            guard let first else { return .zero }
            return .milliseconds(
                wall.since(first).components.seconds * 1000
                    + wall.since(first).components.attoseconds / 1_000_000_000_000_000)
        }
        // One shift keeps the distances between all times. A receiver whose clock is wrong needs one of its own: it
        // is more than a day off, or the device was heard after the session's first report.
        let receiver = session.firstTime ?? session.firstActivated
        let host = session.firstActivated ?? session.firstTime
        let lead = (receiver?.secondsSince1970 ?? 0) - (host?.secondsSince1970 ?? 0)
        shift = (distance(to: receiver), distance(to: -5..<86_400 ~= lead ? receiver : host))
    }
}
