package import LocationCore
import LocwatchSupport

/// The time of a recording, forward only: its arrival stamps, or the reports' own times if it has none.
package struct RecordingClock: Hashable, Sendable {
    /// The moment of the last line, or `nil` until the recording has provided a time.
    package private(set) var now: Moment?
    /// Whether the recording contains the times at which its lines arrived.
    private(set) var isStamped = false
    /// The start of the session, according to its marks.
    private var started: Timestamp?
    /// The session time at which the current recording begins, because a file may hold several, one after another.
    private var beginning = Duration.zero
    private var reported = PerDevice<Reported>()
    /// The receiver whose times the wall clock follows.
    private var leader: String??
    /// The last step of a receiver that was no pause.
    ///
    /// No update carries this interval: a recording without times of arrival has no updates until this clock has dated them.
    private(set) var interval = Duration.zero

    private struct Reported: Hashable {
        var time: Timestamp
        /// The session time of the report.
        var elapsed: Duration
        var isOfFix = true
        /// Whether the receiver has reported a fix, so that its clock is set.
        var hadFix = true
        /// The greatest time before the clock was set back, and its session time.
        var latest: Latest?
        /// The time of the last fix, if it was out of order.
        var behind: Timestamp?
    }

    private struct Latest: Hashable {
        var time: Timestamp
        var elapsed: Duration
    }

    /// Creates a clock for a recording that has not provided a time.
    package init() {}

    /// Advances to the time of a line: a mark's moment, the line's own stamp, or the receiver's time in the report.
    package mutating func follow(_ report: GPSDReport, stamp: Timestamp?) {
        if case .mark(let mark) = report {
            follow(mark)
        } else if let stamp {
            arrive(at: stamp)
        } else if let (time, device, isOfFix, hasFix) = report.ownTime {
            hear(time, from: device, isOfFix: isOfFix, hasFix: hasFix)
        }
    }

    /// Advances to the host's time while the recording has provided none, for example because it is still being
    /// written.
    package mutating func pass(to moment: Moment) {
        guard !isStamped, reported.count == 0, moment >= now ?? moment else { return }
        now = moment
    }

    /// Returns the time by which a receiver that is heard for the first time is ahead, or `nil` for any other report.
    func lead(of report: GPSDReport) -> Duration? {
        guard !isStamped, let now, let (time, device, isOfFix, _) = report.ownTime else { return nil }
        if let before = reported[device] {
            // The date of its satellites was not that of its fixes.
            guard isOfFix, !before.isOfFix, time.since(before.time) >= Self.receiverStep else { return nil }
        } else if reported.count >= ReportTranslator.fleetLimit {
            return nil
        }
        let lead = Self.passed(time.since(now.wall), lessThan: Self.receiverStep)
        return lead > .zero ? lead : nil
    }

    /// Returns the time from now to the report of a receiver that is known, or `nil` for any other report.
    func step(to report: GPSDReport) -> Duration? {
        guard let now, let (time, device, _, _) = report.ownTime, let before = reported[device] else { return nil }
        let step = Self.passed(time.since(before.time), lessThan: before.hadFix ? Self.receiverStep : Self.disorder)
        return step > .zero ? before.elapsed + step - now.elapsed : nil
    }

    /// Advances without a report.
    mutating func advance(by duration: Duration) {
        now = now.map { Moment(elapsed: $0.elapsed + duration, wall: $0.wall.advanced(by: duration)) }
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
        let step = Self.passed(stamp.since(now.wall), lessThan: Self.hostStep)
        self.now = Moment(elapsed: now.elapsed + step, wall: stamp)
    }

    /// Advances to a moment that the recording itself contains.
    mutating func arrive(at moment: Moment) {
        isStamped = true
        now = Moment(elapsed: max(now?.elapsed ?? .zero, moment.elapsed), wall: moment.wall)
    }

    /// Advances to a receiver's own time if the lines have no stamps.
    ///
    /// - Parameters:
    ///   - isOfFix: Whether it is the time of a report that can have a fix. gpsd dates the satellites of a u-blox receiver by the time
    ///     of the week alone as long as no message tells the week, and then they seem to be years older than the fixes.
    ///   - hasFix: Whether the report has a fix. Before its first one a receiver has the time of its battery or of its last end: a step
    ///     of a minute or more sets that clock, and does not count as time.
    package mutating func hear(
        _ time: Timestamp, from device: String?, isOfFix: Bool = true, hasFix: Bool = true
    ) {
        guard !isStamped else { return }
        guard let now else {
            self.now = Moment(elapsed: .zero, wall: time)
            reported.set(Reported(time: time, elapsed: .zero, isOfFix: isOfFix, hadFix: hasFix), for: device)
            leader = .some(device)
            return
        }
        guard var before = reported[device] else {
            guard reported.count < ReportTranslator.fleetLimit else { return }
            // The offset of another receiver's clock is arbitrary, and only its steps count; see `Newcomer` for one that is
            // ahead.
            reported.set(Reported(time: time, elapsed: now.elapsed, isOfFix: isOfFix, hadFix: hasFix), for: device)
            return
        }
        var step = time.since(before.time)
        // A step back of less than a minute is a report out of order and is ignored, unless the next fix follows it; a larger one
        // is a clock that was set back.
        if step <= .zero, step > .zero - Self.disorder {
            guard isOfFix, step < .zero else { return }
            guard let behind = before.behind, time > behind else {
                before.behind = time
                return reported.set(before, for: device)
            }
            before.latest = before.latest ?? Latest(time: before.time, elapsed: before.elapsed)
            before.time = behind
            step = time.since(behind)
        }
        var passed = Self.passed(step, lessThan: Self.receiverStep)
        if before.isOfFix, !isOfFix, passed == .zero { return }
        var latest = before.latest
        if step < .zero {
            latest = latest ?? Latest(time: before.time, elapsed: before.elapsed)
        } else if let last = latest, time >= last.time {
            // A single wrong time does not add the hours until the right one.
            let onward = Self.passed(time.since(last.time), lessThan: Self.receiverStep)
            let rest = onward + last.elapsed - before.elapsed
            // A clock that passes its earlier time later than it should was really set back.
            if rest >= .zero { passed = min(step, rest) }
            latest = nil
        }
        if !before.hadFix, passed >= Self.disorder { passed = .zero }
        if passed > .zero, passed < Self.disorder { interval = passed }
        let elapsed = max(now.elapsed, before.elapsed + passed)
        let wall = leader == .some(device) ? time : now.wall.advanced(by: elapsed - now.elapsed)
        reported.set(
            Reported(
                time: time, elapsed: elapsed, isOfFix: isOfFix || before.isOfFix, hadFix: hasFix || before.hadFix,
                latest: latest), for: device)
        self.now = Moment(elapsed: elapsed, wall: wall)
    }

    /// The least step back of a clock that was set, and not of a report out of order.
    private static let disorder = Duration.seconds(60)
    /// The least step of a host that learns the date: one without a battery begins with the date of its last end.
    private static let hostStep = Duration.seconds(86_400)
    /// The least step of a receiver that learns the week, by years; shorter ones are pauses, as between the days of a journey.
    private static let receiverStep = Duration.seconds(366 * 86_400)

    /// Returns the time that has passed in a step of a clock, which is zero if the clock was set.
    ///
    /// That time has not passed, and a replay must not wait for it.
    private static func passed(_ step: Duration, lessThan limit: Duration) -> Duration {
        step > .zero && step < limit ? step : .zero
    }
}

extension GPSDReport {
    /// The receiver's own time in the report, if any, whether the report can have a fix, and whether it has one.
    var ownTime: (time: Timestamp, device: String?, isOfFix: Bool, hasFix: Bool)? {
        switch self {
        case .tpv(let report): report.time.map { ($0, report.device, true, report.mode >= 2) }
        case .sky(let report): report.time.map { ($0, report.device, false, false) }
        case .gst(let report): report.time.map { ($0, report.device, false, false) }
        default: nil
        }
    }
}
