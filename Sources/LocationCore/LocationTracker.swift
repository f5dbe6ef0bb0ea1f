/// Tells out of a receiver's events whether its position is current: searching, found or error.
///
/// A value without a clock: moments come in as arguments, and the next one at which something happens by itself comes out
/// as `deadline`. It never shows a position as current when it is not.
public struct LocationTracker: Hashable, Sendable {
    private var standing = StandingState()
    private let givenStaleAfter: Duration?
    private var interval = ReportInterval()
    /// The reason that its daemon gives for a position that is overdue.
    private var overdue: SearchReason?
    private var lastUsable: Moment?
    /// When what is usable now is no longer: kept, as it is asked for more often than it changes.
    private var lapse: Moment?
    private var lastFix: Fix?
    private var loss: Loss?

    private struct Fix: Hashable {
        var timestamp: Timestamp
        var coordinate: Coordinate
        var elapsed: Duration
    }

    /// What must be overtaken after the receiver or the daemon had gone, before a position counts again.
    private struct Loss: Hashable {
        /// The loss by the receiver's clock.
        var timestamp: Timestamp
        /// Where the receiver was before, which is what a daemon remembers.
        var coordinate: Coordinate
        /// The first that was reported after it.
        var firstReported: Timestamp?
    }

    /// A tracker whose session begins now.
    ///
    /// - Parameter staleAfter: how long a position stays current without a new report; by default three times the interval
    ///   at which the receiver reports, at least 3 s and at most 60 s. The interval is learnt from its reports; until
    ///   there are enough of them, the cycle that its daemon names counts if it is longer.
    public init(staleAfter: Duration? = nil) {
        givenStaleAfter = staleAfter.map { max(.zero, $0) }
        self.staleAfter = givenStaleAfter ?? interval.staleAfter
    }

    /// Where the search stands.
    public var state: LocationState { standing.state }

    /// How long a position stays current without a new report; see `init(staleAfter:)`.
    public private(set) var staleAfter: Duration {
        didSet { lapse = lastUsable?.advanced(by: staleAfter) }
    }

    /// When the position stops being current if nothing comes before; `nil` where there is none.
    public var deadline: Moment? {
        guard case .found = standing.state else { return nil }
        return lapse
    }

    /// Takes an event in and answers with the transitions it makes; a deadline that had passed before it comes first.
    public mutating func apply(_ event: LocationEvent, at moment: Moment) -> [Transition] {
        var transitions: [Transition] = []
        // Nearly always there is none, and a transition is large: nothing is put together without need.
        if let expired = expire(at: moment) { transitions.append(expired) }
        if let moved = move(event, at: moment) { transitions.append(moved) }
        return transitions
    }

    private mutating func move(_ event: LocationEvent, at moment: Moment) -> Transition? {
        switch event {
        case .location(let location): apply(location, at: moment)
        case .searching(let reason, let device): apply(reason, device: device, at: moment)
        case .failure(let error, _): lose(to: .error(error), at: moment, device: nil)
        case .device(let status): learn(status)
        case .satellites, .receiver, .authorization, .line, .notice: nil
        }
    }

    /// Lets time pass: a position whose deadline has come is no longer current, as of its deadline.
    public mutating func expire(at moment: Moment) -> Transition? {
        guard let deadline, moment >= deadline else { return nil }
        let reason = overdue ?? .silent(for: staleAfter)
        overdue = nil
        return standing.move(to: .searching(reason), at: deadline, device: state.location?.device)
    }

    private mutating func apply(_ location: Location, at moment: Moment) -> Transition? {
        if !location.isLate, location.revision == 0 { noteReport(at: moment) }
        guard location.fix >= .twoD, !location.isLate, isNewerThanLoss(location) else { return nil }
        loss = nil
        overdue = nil
        lastUsable = moment
        lapse = moment.advanced(by: staleAfter)
        if let timestamp = location.timestamp {
            lastFix = Fix(timestamp: timestamp, coordinate: location.coordinate, elapsed: moment.elapsed)
        }
        return standing.move(to: .found(location), at: moment, device: location.device)
    }

    private mutating func apply(_ reason: SearchReason, device: String?, at moment: Moment) -> Transition? {
        switch reason.kind {
        case .connecting, .noDevice, .deviceLost, .deviceUnopenable:
            lose(to: .searching(reason), at: moment, device: device)
        case .deviceSilent where deadline.map({ moment < $0 }) ?? false:
            // gpsd hears nothing between two reports of a receiver that reports seldom: its position is current all the same.
            withhold(reason)
        case .noFix: search(reason, at: moment, device: device)
        case .starting, .connected, .deviceSilent, .deviceBabbling, .silent:
            standing.move(to: .searching(reason), at: moment, device: device)
        }
    }

    private mutating func withhold(_ reason: SearchReason) -> Transition? {
        overdue = reason
        return nil
    }

    private mutating func search(_ reason: SearchReason, at moment: Moment, device: String?) -> Transition? {
        noteReport(at: moment)
        return standing.move(to: .searching(reason), at: moment, device: device)
    }

    /// Learns the interval from a report that has arrived.
    private mutating func noteReport(at moment: Moment) {
        interval.note(at: moment.elapsed)
        if givenStaleAfter == nil, staleAfter != interval.staleAfter { staleAfter = interval.staleAfter }
    }

    /// The receiver or the daemon is gone: what it remembers from before must not count as found later.
    private mutating func lose(to state: LocationState, at moment: Moment, device: String?) -> Transition? {
        interval.interrupt()
        overdue = nil
        if loss == nil, let lastFix {
            loss = Loss(
                timestamp: lastFix.timestamp.advanced(by: moment.elapsed - lastFix.elapsed),
                coordinate: lastFix.coordinate)
        }
        return standing.move(to: state, at: moment, device: device)
    }

    /// A remembered position stands still while a living receiver's time moves, wherever its clock stands after a restart.
    private mutating func isNewerThanLoss(_ location: Location) -> Bool {
        guard let loss, let timestamp = location.timestamp, timestamp <= loss.timestamp else { return true }
        // Of the very moment of the loss and somewhere else: a script whose clock stands still, and nothing remembered.
        if timestamp == loss.timestamp, location.coordinate != loss.coordinate { return true }
        guard let first = loss.firstReported else {
            self.loss?.firstReported = timestamp
            return false
        }
        return first != timestamp
    }

    private mutating func learn(_ status: DeviceStatus) -> Transition? {
        if let cycle = status.cycle { interval.cycle = cycle }
        if givenStaleAfter == nil, staleAfter != interval.staleAfter { staleAfter = interval.staleAfter }
        return nil
    }
}
