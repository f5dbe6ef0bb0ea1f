package import LocationCore
import LocwatchSupport

/// The time of a recording, forward only: its arrival stamps, or its receivers' own times if it has none.
///
/// Without stamps, what counts as passed is the way to the greatest time so far. Two receivers whose clocks differ are dated by the
/// later one: a receiver that is ahead of the others by an hour adds that hour once.
package struct RecordingClock: Hashable, Sendable {
    /// The moment of the last line, or `nil` until the recording has provided a time.
    package private(set) var now: Moment?
    /// Whether the recording contains the times at which its lines arrived.
    private(set) var isStamped = false
    /// The start of the session, according to its marks.
    private var started: Timestamp?
    /// The session time at which the current recording begins, because a file may hold several, one after another.
    private var beginning = Duration.zero
    /// The time of the last report that moved the clock.
    private var heard: Timestamp?
    /// The time before a clock was set back, and its session time, until a report has that time again.
    private var before: Moment?
    /// The time of the last fix, if it was out of order.
    private var behind: Timestamp?
    /// Whether a receiver has reported a fix, so that its clock is set.
    private var isSet = false

    /// Creates a clock for a recording that has not provided a time.
    package init() {}

    /// Advances to the time of a line: a mark's moment, the line's own stamp, or the receiver's time in the report.
    package mutating func follow(_ report: GPSDReport, stamp: Timestamp?) {
        if case .mark(let mark) = report {
            follow(mark)
        } else if let stamp {
            arrive(at: stamp)
        } else if let (time, isOfFix, hasFix) = report.ownTime {
            hear(time, isOfFix: isOfFix, hasFix: hasFix)
        }
    }

    /// Advances to the host's time while the recording has provided none, for example because it is still being
    /// written.
    package mutating func pass(to moment: Moment) {
        guard !isStamped, heard == nil, moment >= now ?? moment else { return }
        now = moment
    }

    private mutating func follow(_ mark: RecordingMark) {
        if mark.format != nil, let start = mark.started, now != nil {
            arrive(at: start)
            beginning = now?.elapsed ?? beginning
        }
        started = mark.started ?? started
        guard let started else { return }
        let elapsed = now?.elapsed ?? .zero
        let at = mark.at.map { Duration(clampingSeconds: $0) } ?? max(.zero, elapsed - beginning)
        arrive(at: Moment(elapsed: beginning + at, wall: started.advanced(by: at)))
    }

    /// Advances to the arrival of a line.
    mutating func arrive(at stamp: Timestamp) {
        isStamped = true
        guard let now else {
            self.now = Moment(elapsed: .zero, wall: stamp)
            return
        }
        let step = stamp.since(now.wall)
        let passed = step > .zero && step < Self.hostStep ? step : .zero
        self.now = Moment(elapsed: now.elapsed + passed, wall: stamp)
    }

    /// Advances to a moment that the recording itself contains.
    mutating func arrive(at moment: Moment) {
        isStamped = true
        now = Moment(elapsed: max(now?.elapsed ?? .zero, moment.elapsed), wall: moment.wall)
    }

    /// Advances to a receiver's own time if the lines have no stamps.
    ///
    /// A step back of less than a minute is a report out of order, unless the next fix follows it. A larger one is a clock that was set
    /// back, or another receiver's: it is no time, and the steps from there on are, until a report has the earlier time again.
    ///
    /// - Parameters:
    ///   - isOfFix: Whether it is the time of a report that can have a fix. gpsd dates the satellites of a u-blox receiver by the time
    ///     of the week alone as long as no message tells the week, and then they seem to be years older than the fixes.
    ///   - hasFix: Whether the report has a fix. Before the first one a receiver has the time of its battery or of its last end: a step
    ///     of a minute or more, in either direction, sets that clock, and does not count as time.
    package mutating func hear(_ time: Timestamp, isOfFix: Bool = true, hasFix: Bool = true) {
        guard !isStamped else { return }
        defer { isSet = isSet || hasFix }
        guard let now, let heard else { return set(to: time, at: now?.elapsed ?? .zero) }
        let step = time.since(heard)
        let isSetBack = step <= .zero - Self.disorder
        if !isSet, isSetBack || step >= Self.disorder {
            if isOfFix { set(to: time, at: now.elapsed) }
        } else if let before, time >= before.wall {
            // A single wrong time does not add the hours until the right one. A clock that passes its earlier time later than it should
            // was really set back.
            let onward = before.elapsed + time.since(before.wall) - now.elapsed
            self.before = nil
            set(to: time, at: now.elapsed + (onward < .zero ? step : min(step, onward)))
        } else if step >= Self.receiverStep || isSetBack {
            if isOfFix { set(to: time, at: now.elapsed, isBack: isSetBack) }
        } else if step > .zero {
            set(to: time, at: now.elapsed + step)
        } else if step < .zero, isOfFix {
            if let behind, time > behind {
                set(to: time, at: now.elapsed + time.since(behind), isBack: true)
            } else {
                behind = time
            }
        }
    }

    private mutating func set(to time: Timestamp, at elapsed: Duration, isBack: Bool = false) {
        if isBack, let now, let heard { before = before ?? Moment(elapsed: now.elapsed, wall: heard) }
        (heard, behind, now) = (time, nil, Moment(elapsed: elapsed, wall: time))
    }

    /// The least step back of a clock that was set, and not of a report out of order.
    private static let disorder = Duration.seconds(60)
    /// The least step of a host that learns the date: one without a battery begins with the date of its last end.
    private static let hostStep = Duration.seconds(86_400)
    /// The least step of a receiver that learns the week, by years; shorter ones are pauses, as between the days of a journey.
    private static let receiverStep = Duration.seconds(366 * 86_400)
}

extension GPSDReport {
    /// The receiver's own time in the report, if any, whether the report can have a fix, and whether it has one.
    var ownTime: (time: Timestamp, isOfFix: Bool, hasFix: Bool)? {
        switch self {
        case .tpv(let report): report.time.map { ($0, true, report.mode >= 2) }
        case .sky(let report): report.time.map { ($0, false, false) }
        case .gst(let report): report.time.map { ($0, false, false) }
        default: nil
        }
    }
}
