package import LocationCore

/// The time of a recording: its arrival stamps where it has them, else the reports' own times, forward only.
package struct RecordingClock: Hashable, Sendable {
    /// The moment of the line that was read last; `nil` until the recording has told a time.
    package private(set) var now: Moment?
    private var isStamped = false
    /// When the session began, as its marks tell.
    private var started: Timestamp?
    /// Where in the session the recording at hand begins: a file may hold several, one after another.
    private var beginning = Duration.zero
    private var reported = PerDevice<Reported>()
    /// The receiver whose times the wall clock follows.
    private var leader: String??

    private struct Reported: Hashable {
        var time: Timestamp
        var elapsed: Duration
    }

    /// A clock whose recording has not told a time yet.
    package init() {}

    /// Goes on to what a line tells: a mark's moment, the line's own stamp, or the receiver's time in it.
    package mutating func follow(_ report: GPSDReport, stamp: Timestamp?) {
        if case .mark(let mark) = report {
            follow(mark)
        } else if let stamp {
            arrive(at: stamp)
        } else if let (time, device) = report.ownTime {
            hear(time, from: device)
        }
    }

    /// Lets the host's time pass while the recording tells none, as one does that is only just being made.
    package mutating func pass(to moment: Moment) {
        guard !isStamped, reported.count == 0, moment >= now ?? moment else { return }
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

    /// Goes on to the arrival of a line.
    mutating func arrive(at stamp: Timestamp) {
        isStamped = true
        guard let now else {
            self.now = Moment(elapsed: .zero, wall: stamp)
            return
        }
        self.now = Moment(elapsed: now.elapsed + passed(stamp.since(now.wall)), wall: stamp)
    }

    /// Goes on to a moment that the recording itself tells.
    mutating func arrive(at moment: Moment) {
        isStamped = true
        now = Moment(elapsed: max(now?.elapsed ?? .zero, moment.elapsed), wall: moment.wall)
    }

    /// Goes on to a receiver's own time, where the lines have no stamps.
    mutating func hear(_ time: Timestamp, from device: String?) {
        guard !isStamped else { return }
        guard let now else {
            self.now = Moment(elapsed: .zero, wall: time)
            reported.set(Reported(time: time, elapsed: .zero), for: device)
            leader = .some(device)
            return
        }
        guard let before = reported[device] else {
            // Another receiver's clock may stand anywhere: only its steps count.
            reported.set(Reported(time: time, elapsed: now.elapsed), for: device)
            return
        }
        let step = time.since(before.time)
        // A receiver that reports a little out of order is not given time for it; one whose clock was set back is.
        if step <= .zero, step > .seconds(-60) { return }
        let elapsed = max(now.elapsed, before.elapsed + passed(step))
        let wall = leader == .some(device) ? time : now.wall.advanced(by: elapsed - now.elapsed)
        reported.set(Reported(time: time, elapsed: elapsed), for: device)
        self.now = Moment(elapsed: elapsed, wall: wall)
    }

    /// How much time a step of a clock stands for: none where the clock was set back, and none where it was set forward.
    ///
    /// A receiver that learns the week, and a host without a battery that learns the date, jump by years within a second;
    /// so much time has not passed, and nobody wants to wait for it.
    private func passed(_ step: Duration) -> Duration {
        step > .zero && step < .seconds(86_400) ? step : .zero
    }
}

extension GPSDReport {
    /// The receiver's own time in a report that has one.
    fileprivate var ownTime: (Timestamp, String?)? {
        switch self {
        case .tpv(let report): report.time.map { ($0, report.device) }
        case .sky(let report): report.time.map { ($0, report.device) }
        case .gst(let report): report.time.map { ($0, report.device) }
        default: nil
        }
    }
}
