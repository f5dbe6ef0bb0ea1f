import LocwatchSupport

/// The choice of the receiver whose position a machine has.
///
/// That is its *current receiver*: 3D before 2D, then the smaller error. A current receiver that loses its position is
/// replaced at once; one that another receiver clearly beats is replaced after `challengeTime`.
package struct BestReceiver: Sendable {
    /// The time for which another receiver must be clearly better before it becomes the current one.
    package static let challengeTime = Duration.seconds(10)

    /// The state of the machine, and the change of its current receiver, if any.
    typealias Choice = (state: LocationState, handover: Handover?)

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
    private(set) var current: Int?
    /// That of the last current one, whose reason is that of the session among equal ones.
    private var lastCurrent: Int?
    /// That of another receiver that is clearly better than the current one, and since when it is.
    private var challenge: (place: Int, since: Moment)?

    /// Notes that a receiver has reported.
    mutating func noteReport(_ event: LocationEvent, of place: Int) {
        if case .device = event {} else { session = nil }
        if place == haveReported.count { haveReported.append(false) }
        if !haveReported[place] { reportedCount += 1 }
        haveReported[place] = true
    }

    /// Notes an event of the whole session, and returns the places of the receivers that it concerns.
    mutating func interrupt(with state: LocationState, onlyReported: Bool) -> [Int] {
        session = state
        let isNone = onlyReported && reportedCount == 0
        let places = isNone ? [] : haveReported.indices.filter { !onlyReported || haveReported[$0] }
        if reportedCount > 0 { (haveReported, reportedCount) = (haveReported.map { _ in false }, 0) }
        return places
    }

    /// Notes how far from a fix a receiver is after an event.
    mutating func note(_ state: LocationState, of place: Int) {
        if place == distances.count { distances.append(Self.neverSearched) }
        distances[place] =
            switch state {
            case .found: Self.found
            case .searching(let reason): reason.distanceToFix ?? Self.neverSearched
            case .error: Self.neverSearched
            }
    }

    /// Returns the choice after a change of the receiver at a place, or of all; `nil` if the state stays.
    mutating func choose(after place: Int?, of trackers: PerDevice<LocationTracker>, at moment: Moment) -> Choice? {
        if let place { note(trackers[place: place].state, of: place) }
        if let session {
            lastCurrent = current ?? lastCurrent
            current = nil
            challenge = nil
            return (session, nil)
        }
        guard let current else { return chooseBest(of: trackers) }
        let state = trackers[place: current].state
        guard case .found = state else { return replace(current, in: trackers, at: moment) }
        guard trackers.count > 1, let winner = review(place, against: current, of: trackers, at: moment) else {
            return (state, nil)
        }
        return hand(over: current, to: winner, .better, in: trackers, at: moment)
    }

    /// Returns the best position, if any, or else the search reason that is closest to a fix.
    private mutating func chooseBest(of trackers: PerDevice<LocationTracker>) -> Choice? {
        current = best(of: trackers)
        return (current ?? mostHopeful).map { (trackers[place: $0].state, nil) }
    }

    /// Replaces a current receiver that has lost its position.
    private mutating func replace(
        _ lost: Int, in trackers: PerDevice<LocationTracker>, at moment: Moment
    ) -> Choice? {
        current = nil
        lastCurrent = lost
        challenge = nil
        guard let place = best(of: trackers), case .searching(let reason) = trackers[place: lost].state else {
            return chooseBest(of: trackers)
        }
        return hand(over: lost, to: place, .lost(reason), in: trackers, at: moment)
    }

    /// Updates the challenge after a report, and returns the challenger if that has lasted long enough.
    private mutating func review(
        _ place: Int?, against current: Int, of trackers: PerDevice<LocationTracker>, at moment: Moment
    ) -> Int? {
        let challenger = place == current ? challenge?.place : place
        guard let challenger, place == current || challenge == nil || challenge?.place == place else { return nil }
        guard case .found(let other) = trackers[place: challenger].state,
            case .found(let location) = trackers[place: current].state, other.isClearlyBetter(than: location)
        else {
            if challenge?.place == challenger { challenge = nil }
            return nil
        }
        let since = challenge?.since ?? moment
        challenge = (challenger, since)
        guard since.duration(to: moment) >= Self.challengeTime else { return nil }
        challenge = nil
        return challenger
    }

    private mutating func hand(
        over old: Int, to new: Int, _ reason: Handover.Reason, in trackers: PerDevice<LocationTracker>,
        at moment: Moment
    ) -> Choice {
        current = new
        let (from, to) = (trackers.device(at: old), trackers.device(at: new))
        return (trackers[place: new].state, Handover(from: from, to: to, reason: reason, at: moment))
    }

    /// Returns the receiver with the best position; among equals, the one that reported first.
    private func best(of trackers: PerDevice<LocationTracker>) -> Int? {
        var best: (place: Int, location: Location)?
        for place in distances.indices where distances[place] == Self.found {
            guard case .found(let location) = trackers[place: place].state else { continue }
            if let known = best?.location, !location.isBetter(than: known) { continue }
            best = (place, location)
        }
        return best?.place
    }

    /// The receiver that is closest to a fix; among equals, the last current one.
    private var mostHopeful: Int? {
        var nearest = lastCurrent
        if let place = nearest, [Self.found, Self.neverSearched].contains(distances[place]) { nearest = nil }
        for place in distances.indices where distances[place] != Self.found {
            if distances[place] < nearest.map({ distances[$0] }) ?? Self.neverSearched { nearest = place }
        }
        return nearest
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
