import LocationCore
import GPSDProtocol

/// The position in a session that is played: the next line, when it is due, and the shift of the times in it.
///
/// The pace and the pauses are those of `ReplayPace.playingTime(of:)`, as in every replay.
struct PlaybackCursor {
    private let session: StandInRecording
    private var simulation: SimulatedReports?
    private let settings: StandInGPSD.Settings
    private var position = 0
    /// The monotonic time at which the round began, or `nil` before the first one.
    private var start: Duration?
    private var shift = (time: Duration.zero, activated: Duration.zero)
    private(set) var rounds = 0
    /// The duration of a round, including the pause before the next one.
    private let length: Duration
    private let origin: Duration

    init(_ session: StandInRecording, settings: StandInGPSD.Settings) {
        self.session = session
        self.settings = settings
        simulation = session.simulation
        let moments = session.lines.compactMap { $0.moment?.elapsed }
        origin = moments.first ?? .zero
        let last = moments.last ?? .zero
        // The pause before the next round is as long as the last interval between lines.
        let pause = moments.last { $0 < last }.map { last - $0 } ?? .seconds(1)
        length = last - origin + pause
    }

    /// Whether lines become due without a request.
    var isRunning: Bool { start != nil && settings.advance != .byHand && hasMore }
    private var hasMore: Bool { simulation != nil || position < session.lines.count || settings.loops }
    /// The shift of the `activated` times of the session's devices.
    var activatedShift: Duration { shift.activated }

    /// Begins the session unless it has begun.
    mutating func begin(at now: Duration, wall: Timestamp) {
        guard start == nil else { return }
        start = now
        date(wall)
        guard var simulation else { return }
        // The epochs are at round times, as those of real receivers.
        let interval = simulation.interval.nanoseconds
        let tick = (wall.nanosecondsSince1970 + interval - 1) / interval * interval
        start = now + .nanoseconds(tick - wall.nanosecondsSince1970)
        simulation.start(at: Timestamp(nanosecondsSince1970: tick))
        self.simulation = simulation
    }

    var hasBegun: Bool { start != nil }

    /// Sets the shift as if the session began now, unless it has begun, for answers that precede it.
    mutating func anticipate(at wall: Timestamp) {
        if start == nil { date(wall) }
    }

    /// The monotonic time at which the next line is due, or `nil` if time does not matter.
    var due: Duration? {
        guard isRunning, let start else { return nil }
        if let simulation { return playingTime(of: simulation.due).map { start + $0 } }
        let elapsed =
            position < session.lines.count ? session.lines[position].moment?.elapsed ?? origin : origin + length
        return playingTime(of: elapsed).map { start + $0 }
    }

    /// Returns the time from the start of a round to a time of the recording, or `nil` where time does not matter.
    private func playingTime(of elapsed: Duration) -> Duration? {
        guard case .paced(let pace) = settings.advance else { return nil }
        return pace.playingTime(of: elapsed - origin)
    }

    /// Returns the next line, with shifted times if the settings ask for that, or `nil` at the end.
    mutating func next(at now: Duration, wall: Timestamp) -> (line: StandInRecording.Line, bytes: ArraySlice<UInt8>)? {
        begin(at: now, wall: wall)
        if let line = simulation?.next() {
            position = 1
            return (line, line.bytes)
        }
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
        return (line, ReportMembers.redating(line.bytes, time: shift.time, activated: shift.activated))
    }

    /// Whether the next line is the first of a round.
    var isAtStart: Bool { position == 0 || (position == session.lines.count && settings.loops) }

    /// Returns the time at which a line's device was heard, as gpsd would report it.
    func heard(_ line: StandInRecording.Line, wall: Timestamp) -> Timestamp? {
        settings.redates ? wall : line.moment?.wall
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
