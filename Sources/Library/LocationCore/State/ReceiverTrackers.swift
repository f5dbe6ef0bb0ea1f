import LocwatchSupport

/// The trackers of the receivers of one machine, and the state of that machine.
///
/// The machine has the position of its *current receiver*: 3D before 2D, then the smaller error. A current receiver that
/// loses its position is replaced at once; one that another receiver clearly beats is replaced after `challengeTime`.
package struct ReceiverTrackers: Sendable {
    /// The time for which another receiver must be clearly better before it becomes the current one.
    package static let challengeTime = Duration.seconds(10)
    /// The number of receivers beyond which an event takes constant time on average: `deadline` may be earlier than the
    /// first of their deadlines, and an event of the whole session changes a receiver once until it reports again.
    private static let exactReceivers = 8

    private var staleAfter: Duration?
    /// Whether the source is a track, which names that time.
    private(set) var isTrack = false
    private(set) var standing = StandingState()
    private var trackers = PerDevice<LocationTracker>()
    /// The distance of each receiver from a fix, which is quicker to search than the states.
    private var distances: [Int] = []
    private static let found = -10
    private static let neverSearched = Int.max
    /// The state of the session as a whole, until a receiver reports something newer.
    private var session: LocationState? = .searching(.starting)
    /// Whether each receiver has reported since the last event of the whole session.
    private var haveReported: [Bool] = []
    private var reportedCount = 0
    /// The place of the current receiver.
    private var current: Int?
    /// That of the last current one, whose reason is that of the session among equal ones.
    private var lastCurrent: Int?
    /// That of another receiver that is clearly better than the current one, and since when it is.
    private var challenge: (place: Int, since: Moment)?

    /// Creates the trackers of a session that begins now; see ``LocationTracker``.
    package init(staleAfter: Duration? = nil) { self.staleAfter = staleAfter }

    package var state: LocationState { standing.state }

    /// The state of each receiver; the key of a receiver without a name is `nil`.
    package var devices: [String?: LocationState] {
        Dictionary(uniqueKeysWithValues: zip(trackers.devices, trackers.values.map(\.state)))
    }

    var receivers: Zip2Sequence<[String?], [LocationTracker]> { zip(trackers.devices, Array(trackers.values)) }

    /// The moment at which `expire` must be called if nothing arrives before.
    package private(set) var deadline: Moment?

    /// Processes an event and returns the resulting changes; deadlines that passed before it are applied first.
    package mutating func apply(
        _ event: LocationEvent, at moment: Moment, isSuitable: Bool = true
    ) -> [TrackedUpdate] {
        var changes = expire(at: moment)
        switch event {
        case .location, .searching(_, _?):
            session = nil
            changes += track(event, at: moment, isSuitable)
        case .device: changes += track(event, at: moment, isSuitable)
        case .searching(let reason, nil): changes += track(event, ofAll: .searching(reason), at: moment)
        case .failure(let error, _): changes += track(event, ofAll: .error(error), at: moment)
        case .satellites, .receiver, .clock, .authorization, .line, .notice, .other: break
        }
        return changes
    }

    /// Sets the time after which positions are stale, as a track names it, unless it was given.
    mutating func suppose(staleAfter time: Duration) {
        isTrack = true
        staleAfter = staleAfter ?? time
    }

    /// Returns the state of a receiver, or `nil` if it has not been reported.
    package func state(of device: String?) -> LocationState? { trackers[device]?.state }

    /// Returns the interval of a receiver's reports, or `nil` if it has not been reported.
    func reports(of device: String?) -> ReportInterval.Estimate? {
        trackers[device]?.reports
    }

    /// Returns the standing of a position that was applied last.
    package func standing(of location: Location) -> TrackedUpdate.Standing {
        guard let current else { return location.isLate ? .late : .outdated }
        if trackers.device(at: current) == location.device {
            if location.isLate { return .late }
            return location.fix >= .twoD ? .current : .outdated
        }
        if location.isLate { return .other }
        guard case .found? = trackers[location.device]?.state else { return .outdated }
        return .other
    }

    /// Expires the positions whose deadline has passed, each as of its deadline, and returns the resulting changes.
    package mutating func expire(at moment: Moment) -> [TrackedUpdate] {
        guard let first = deadline, moment >= first else { return [] }
        let overdue = (0..<trackers.count)
            .compactMap { place in trackers[place: place].deadline.map { (place: place, due: $0) } }
            .filter { $0.due <= moment }
            .sorted { ($0.due, $0.place) < ($1.due, $1.place) }
        var changes: [TrackedUpdate] = []
        for (place, due) in overdue {
            if let transition = trackers[place: place].expire(at: due) {
                changes.append(.deviceTransition(transition.of(trackers.device(at: place))))
            }
            noteDistance(at: place)
            changes += settle(place, at: due)
        }
        deadline = earliestDeadline()
        return changes
    }

    /// Processes an event of one receiver.
    private mutating func track(_ event: LocationEvent, at moment: Moment, _ isSuitable: Bool) -> [TrackedUpdate] {
        let device = event.device
        let place = trackers.place(of: device, default: LocationTracker(staleAfter: staleAfter))
        noteReport(at: place)
        let transitions = trackers[place: place].apply(event, at: moment, isSuitable: isSuitable)
        noteDistance(at: place)
        if trackers.count > Self.exactReceivers, let due = trackers[place: place].deadline {
            deadline = deadline.map { min($0, due) } ?? due
        }
        return transitions.map { .deviceTransition($0.of(device)) } + settle(place, at: moment)
    }

    /// Notes how far from a fix a receiver is after an event.
    private mutating func noteDistance(at place: Int) {
        while distances.count <= place { distances.append(Self.neverSearched) }
        distances[place] =
            switch trackers[place: place].state {
            case .found: Self.found
            case .searching(let reason): reason.distanceToFix ?? Self.neverSearched
            case .error: Self.neverSearched
            }
    }

    private mutating func noteReport(at place: Int) {
        if place == haveReported.count { haveReported.append(false) }
        if !haveReported[place] { reportedCount += 1 }
        haveReported[place] = true
    }

    private mutating func track(
        _ event: LocationEvent, ofAll state: LocationState, at moment: Moment
    ) -> [TrackedUpdate] {
        var changes: [TrackedUpdate] = []
        let isExact = trackers.count <= Self.exactReceivers
        for place in 0..<(isExact || reportedCount > 0 ? trackers.count : 0) where isExact || haveReported[place] {
            let device = trackers.device(at: place)
            changes += trackers[place: place].apply(event, at: moment).map { .deviceTransition($0.of(device)) }
            noteDistance(at: place)
        }
        if reportedCount > 0 { (haveReported, reportedCount) = (haveReported.map { _ in false }, 0) }
        session = state
        return changes + settle(nil, at: moment)
    }

    /// Updates the state of the session after a change of the receiver at a place, or of all.
    private mutating func settle(_ place: Int?, at moment: Moment) -> [TrackedUpdate] {
        let device = place.flatMap { trackers.device(at: $0) }
        if trackers.count <= Self.exactReceivers { deadline = earliestDeadline() }
        if let session {
            lastCurrent = current ?? lastCurrent
            current = nil
            challenge = nil
            return move(to: session, at: moment, device: device)
        }
        guard let current else { return moveToBest(at: moment, device: device) }
        let state = trackers[place: current].state
        guard case .found = state else { return replace(current, at: moment, device: device) }
        _ = standing.move(to: state, at: moment, device: device)
        return trackers.count > 1 ? review(place, against: current, at: moment) : []
    }

    private mutating func move(to state: LocationState, at moment: Moment, device: String?) -> [TrackedUpdate] {
        standing.move(to: state, at: moment, device: device).map { [.transition($0)] } ?? []
    }

    /// Moves to the best position, if any, or else to the search reason that is closest to a fix.
    private mutating func moveToBest(at moment: Moment, device: String?) -> [TrackedUpdate] {
        if let place = best() {
            current = place
            return move(to: trackers[place: place].state, at: moment, device: device)
        }
        return move(to: mostHopeful() ?? state, at: moment, device: device)
    }

    /// Replaces a current receiver that has lost its position.
    private mutating func replace(_ lost: Int, at moment: Moment, device: String?) -> [TrackedUpdate] {
        current = nil
        lastCurrent = lost
        challenge = nil
        guard let place = best(), case .searching(let reason) = trackers[place: lost].state else {
            return moveToBest(at: moment, device: device)
        }
        return hand(over: lost, to: place, .lost(reason), at: moment)
    }

    /// Updates the challenge after a report, and hands over if it has lasted long enough.
    private mutating func review(_ place: Int?, against current: Int, at moment: Moment) -> [TrackedUpdate] {
        let challenger = place == current ? challenge?.place : place
        guard let challenger, place == current || challenge == nil || challenge?.place == place else { return [] }
        guard case .found(let other) = trackers[place: challenger].state, case .found(let location) = standing.state,
            other.isClearlyBetter(than: location)
        else {
            if challenge?.place == challenger { challenge = nil }
            return []
        }
        let since = challenge?.since ?? moment
        challenge = (challenger, since)
        guard since.duration(to: moment) >= Self.challengeTime else { return [] }
        challenge = nil
        return hand(over: current, to: challenger, .better, at: moment)
    }

    private mutating func hand(
        over old: Int, to new: Int, _ reason: Handover.Reason, at moment: Moment
    ) -> [TrackedUpdate] {
        current = new
        let (from, to) = (trackers.device(at: old), trackers.device(at: new))
        _ = standing.move(to: trackers[place: new].state, at: moment, device: to)
        return [.handover(Handover(from: from, to: to, reason: reason, at: moment))]
    }

    private func earliestDeadline() -> Moment? {
        (0..<trackers.count).lazy.compactMap { trackers[place: $0].deadline }.min()
    }

    /// Returns the receiver with the best position; among equals, the one that reported first.
    private func best() -> Int? {
        var best: (place: Int, location: Location)?
        for place in 0..<trackers.count where distances[place] == Self.found {
            guard case .found(let location) = trackers[place: place].state else { continue }
            if let known = best?.location, !location.isBetter(than: known) { continue }
            best = (place, location)
        }
        return best?.place
    }

    /// Returns the search reason that is closest to a fix among all receivers; among equals, that of the last current one.
    private func mostHopeful() -> LocationState? {
        var nearest = lastCurrent
        if let place = nearest, [Self.found, Self.neverSearched].contains(distances[place]) { nearest = nil }
        for place in 0..<trackers.count where distances[place] != Self.found {
            if distances[place] < nearest.map({ distances[$0] }) ?? Self.neverSearched { nearest = place }
        }
        return nearest.map { trackers[place: $0].state }
    }
}

extension StateChange {
    func of(_ device: String?) -> StateChange {
        var copy = self
        copy.device = device
        return copy
    }
}

extension SearchReason {
    /// The distance from a fix, for comparison only, or `nil` before anything is known.
    fileprivate var distanceToFix: Int? {
        switch self {
        case .unsuitable: -1
        case .noFix: 0
        case .silent: 1
        case .connected: 2
        case .starting: nil
        case .deviceBabbling: 4
        case .deviceSilent: 5
        case .deviceLost: 6
        case .deviceUnopenable: 7
        case .noDevice: 8
        case .unanswered: 9
        case .connecting: 10
        }
    }
}

extension Location {
    /// Returns whether this position is better than another of the same time: more dimensions, then the smaller error.
    package func isBetter(than other: Location) -> Bool {
        if fix != other.fix { return fix > other.fix }
        return (horizontalAccuracy ?? .infinity) < (other.horizontalAccuracy ?? .infinity)
    }

    /// Returns whether this position is better by a dimension or a fifth of the error, so that equal receivers do not
    /// alternate.
    fileprivate func isClearlyBetter(than other: Location) -> Bool {
        if fix != other.fix { return fix > other.fix }
        guard let accuracy = horizontalAccuracy else { return false }
        guard let otherAccuracy = other.horizontalAccuracy else { return true }
        return accuracy < otherAccuracy * 0.8
    }
}
