/// A state machine that determines from a receiver's events whether its position is current: searching, found or error.
///
/// It has no clock: callers pass moments in and call `expire(at:)` at `deadline`. It never shows a stale position as
/// current.
package struct LocationTracker: Hashable, Sendable {
    private var standing = StateHistory()
    // HeapOptional, as is what few receivers have, because a fleet has a tracker for each machine.
    @HeapOptional private var givenStaleAfter: Duration?
    private var interval: ReportInterval
    /// The reason that its daemon gives for a position that is overdue.
    @HeapOptional private var overdue: SearchReason?
    private var lastUsable: Moment?
    /// The moment at which the last usable position becomes stale; cached, because it is read far more often than it
    /// changes.
    private var lapse: Moment?
    private var lastFix: Fix?
    @HeapOptional private var loss: Loss?

    private struct Fix: Hashable {
        var timestamp: Timestamp
        var coordinate: Coordinate
        var elapsed: Duration
    }

    /// The loss of the receiver or the daemon, which a position must postdate to count again.
    private struct Loss: Hashable {
        var timestamp: Timestamp
        /// The last coordinate before the loss, which the daemon may have cached.
        var coordinate: Coordinate
        /// The first timestamp reported after the loss.
        var firstReported: Timestamp?
    }

    /// Creates a tracker for a session that begins now.
    ///
    /// By default a position stays current without a new report for three times the interval at which the receiver
    /// reports, which is learned from the reports; until there are enough of them, the cycle that the daemon names
    /// counts if it is longer.
    package init(staleAfter: Duration? = nil, interval: ReportInterval = ReportInterval()) {
        self.interval = interval
        givenStaleAfter = staleAfter.map { max(.zero, $0) }
    }

    package var state: LocationState { standing.state }

    /// The time for which a position stays current without a new report; see `init(staleAfter:interval:)`.
    package var staleAfter: Duration { givenStaleAfter ?? interval.staleAfter }

    /// The interval of its reports, as far as it is known.
    var reportInterval: ReportInterval.Estimate { .init(median: interval.median, staleAfter: staleAfter) }

    /// The moment at which the position becomes stale if nothing arrives before, or `nil` without a current position.
    package var deadline: Moment? {
        guard case .found = standing.state else { return nil }
        return lapse
    }

    /// Processes an event and returns the resulting transitions; a deadline that passed before it is applied first.
    ///
    /// A position that is not suitable counts as a report, but not as a current position.
    package mutating func apply(
        _ event: LocationEvent, at moment: Moment, isSuitable: Bool = true
    ) -> [StateChange] {
        var transitions: [StateChange] = []
        // Usually there is at most one transition; the array is built only on demand because transitions are large.
        if let expired = expire(at: moment) { transitions.append(expired) }
        if let moved = move(event, at: moment, isSuitable) { transitions.append(moved) }
        return transitions
    }

    private mutating func move(_ event: LocationEvent, at moment: Moment, _ isSuitable: Bool) -> StateChange? {
        switch event {
        case .location(let location): return apply(location, at: moment, isSuitable)
        case .searching(let reason, let device): return apply(reason, device: device, at: moment)
        case .failure(let error, _): return lose(to: .error(error), at: moment, device: nil)
        case .device(let status): if let cycle = status.cycle { learn(at: moment) { $0.cycle = cycle } }
        case .satellites, .attitude, .receiver, .clock, .authorization, .line, .notice, .other: break
        }
        return nil
    }

    /// Expires the position if its deadline has passed, as of the deadline.
    package mutating func expire(at moment: Moment) -> StateChange? {
        guard let deadline, moment >= deadline else { return nil }
        let reason = overdue ?? .silent(for: staleAfter)
        overdue = nil
        return standing.move(to: .searching(reason), at: deadline, device: state.location?.device)
    }

    private mutating func apply(_ location: Location, at moment: Moment, _ isSuitable: Bool) -> StateChange? {
        if !location.isLate {
            learn(at: moment) { $0.note(at: moment.arrival(of: location).elapsed) }
        }
        guard location.fix >= .twoD, !location.isLate, isNewerThanLoss(location) else { return nil }
        guard isSuitable || deadline != nil else {
            return standing.move(to: .searching(.unsuitable), at: moment, device: location.device)
        }
        // That no position is suitable counts when the last suitable one becomes stale.
        overdue = isSuitable ? nil : .unsuitable
        guard isSuitable else { return nil }
        loss = nil
        lastUsable = moment
        lapse = max(moment, moment.arrival(of: location).advanced(by: staleAfter))
        if let timestamp = location.timestamp {
            lastFix = Fix(timestamp: timestamp, coordinate: location.coordinate, elapsed: moment.elapsed)
        }
        return standing.move(to: .found(location), at: moment, device: location.device)
    }

    private mutating func apply(_ reason: SearchReason, device: String?, at moment: Moment) -> StateChange? {
        switch reason {
        case .connecting, .unanswered, .noDevice, .deviceLost, .deviceUnopenable:
            return lose(to: .searching(reason), at: moment, device: device)
        case .deviceSilent where deadline.map({ moment < $0 }) ?? false:
            // gpsd hears nothing between two reports of a receiver that reports seldom: its position is current all the same.
            overdue = reason
            return nil
        case .noFix: learn(at: moment) { $0.note(at: moment.elapsed, isEpoch: false) }
        case .starting, .connected, .unsuitable, .deviceSilent, .deviceBabbling, .silent: break
        }
        return standing.move(to: .searching(reason), at: moment, device: device)
    }

    private mutating func learn(at moment: Moment, _ change: (inout ReportInterval) -> Void) {
        let before = interval.staleAfter
        change(&interval)
        guard interval.staleAfter != before, _givenStaleAfter.isEmpty else { return }
        // A position that a shorter interval makes stale was current until now.
        lapse = lastUsable.map { max(moment, $0.advanced(by: staleAfter)) }
    }

    /// Records the loss of the receiver or the daemon, so that a position cached from before it does not count as
    /// found.
    private mutating func lose(to state: LocationState, at moment: Moment, device: String?) -> StateChange? {
        interval.interrupt()
        overdue = nil
        if loss == nil, let lastFix {
            loss = Loss(
                timestamp: lastFix.timestamp.advanced(by: moment.elapsed - lastFix.elapsed),
                coordinate: lastFix.coordinate)
        }
        return standing.move(to: state, at: moment, device: device)
    }

    /// Returns whether a position postdates the loss.
    ///
    /// A cached position keeps its timestamp while that of a live receiver advances, even if its clock restarted in the
    /// past.
    private mutating func isNewerThanLoss(_ location: Location) -> Bool {
        guard let loss, let timestamp = location.timestamp, timestamp <= loss.timestamp else { return true }
        // A different coordinate at the very time of the loss was not cached: it comes from a script whose clock stands
        // still.
        if timestamp == loss.timestamp, location.coordinate != loss.coordinate { return true }
        guard let first = loss.firstReported else {
            self.loss?.firstReported = timestamp
            return false
        }
        return first != timestamp
    }
}
