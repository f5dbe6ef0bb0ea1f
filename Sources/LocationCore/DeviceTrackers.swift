/// A tracker for each receiver of a session, and the state of them all together: the best position wins.
public struct DeviceTrackers: Sendable {
    /// A receiver and where the search for its position stands.
    private struct Receiver {
        let device: String?
        var tracker: LocationTracker
    }

    private let staleAfter: Duration?
    private var standing = StandingState()
    /// In the order in which the receivers were first heard of, so that equals are told apart alike in every run.
    private var receivers: [Receiver] = []
    /// What was said last about the session as a whole, until a receiver says something newer.
    private var session: LocationState? = .searching(.starting)

    /// Trackers of a session that begins now; see `LocationTracker.init(staleAfter:)`.
    public init(staleAfter: Duration? = nil) {
        self.staleAfter = staleAfter
    }

    /// Where the search stands, all receivers together.
    public var state: LocationState { standing.state }

    /// Where the search stands for each receiver; a receiver without a name is `nil`.
    public var devices: [String?: LocationState] {
        Dictionary(uniqueKeysWithValues: receivers.map { ($0.device, $0.tracker.state) })
    }

    // Kept, as it is asked for more often than it changes.
    /// When the first of the positions stops being current if nothing comes before.
    public private(set) var deadline: Moment?

    /// Takes an event in and answers with the transitions of the whole; deadlines that had passed before it come first.
    public mutating func apply(_ event: LocationEvent, at moment: Moment) -> [Transition] {
        var transitions = expire(at: moment)
        switch event {
        case .location: track(event, of: event.device, at: moment)
        case .searching(_, let device?): track(event, of: device, at: moment)
        case .device(let status): tracker(of: status.path) { $0.settle(event, at: moment) }
        case .searching(let reason, nil): track(event, ofAll: .searching(reason), at: moment)
        case .failure(let error): track(event, ofAll: .error(error), at: moment)
        case .satellites, .authorization, .notice: return transitions
        }
        transitions += settle(at: moment, device: event.device)
        return transitions
    }

    /// Lets time pass: positions whose deadline has come are no longer current, each as of its deadline.
    public mutating func expire(at moment: Moment) -> [Transition] {
        var transitions: [Transition] = []
        while let deadline, moment >= deadline {
            for index in receivers.indices where receivers[index].tracker.deadline == deadline {
                _ = receivers[index].tracker.expire(at: deadline)
                transitions += settle(at: deadline, device: receivers[index].device)
            }
        }
        return transitions
    }

    private mutating func tracker(of device: String?, _ change: (inout LocationTracker) -> Void) {
        // Nearly always one or two: walking over them is faster than hashing a path.
        var index = receivers.startIndex
        while index < receivers.endIndex, receivers[index].device != device { index += 1 }
        if index == receivers.endIndex {
            receivers.append(Receiver(device: device, tracker: LocationTracker(staleAfter: staleAfter)))
        }
        change(&receivers[index].tracker)
    }

    private mutating func track(_ event: LocationEvent, of device: String?, at moment: Moment) {
        tracker(of: device) { $0.settle(event, at: moment) }
        session = nil
    }

    private mutating func track(_ event: LocationEvent, ofAll state: LocationState, at moment: Moment) {
        for index in receivers.indices { receivers[index].tracker.settle(event, at: moment) }
        session = state
    }

    private mutating func settle(at moment: Moment, device: String?) -> [Transition] {
        deadline = earliestDeadline()
        let state = session ?? best() ?? mostHopeful() ?? state
        return standing.move(to: state, at: moment, device: device).map { [$0] } ?? []
    }

    private func earliestDeadline() -> Moment? {
        var first: Moment?
        for index in receivers.indices {
            guard let deadline = receivers[index].tracker.deadline else { continue }
            first = first.map { min($0, deadline) } ?? deadline
        }
        return first
    }

    private func best() -> LocationState? {
        if receivers.count == 1 {
            // The usual case has nothing to compare.
            guard case .found = receivers[0].tracker.state else { return nil }
            return receivers[0].tracker.state
        }
        let found = receivers.compactMap(\.tracker.state.location)
        guard var best = found.first(where: { $0.device == state.location?.device }) ?? found.first else { return nil }
        for location in found where location.isClearlyBetter(than: best) { best = location }
        return .found(best)
    }

    /// Among receivers that all search, the one that is nearest to a position speaks for them.
    private func mostHopeful() -> LocationState? {
        let reasons = receivers.compactMap { receiver in
            if case .searching(let reason) = receiver.tracker.state { reason } else { nil }
        }
        let nearest = reasons.filter { $0.kind != .starting }.min { $0.kind.distanceToFix < $1.kind.distanceToFix }
        return nearest.map { .searching($0) }
    }
}

extension SearchReason.Kind {
    /// How much has to happen before there is a position, for comparison only.
    fileprivate var distanceToFix: Int {
        switch self {
        case .noFix: 0
        case .silent: 1
        case .connected: 2
        case .starting: 3
        case .deviceBabbling: 4
        case .deviceSilent: 5
        case .deviceLost: 6
        case .deviceUnopenable: 7
        case .noDevice: 8
        case .connecting: 9
        }
    }
}

extension LocationTracker {
    fileprivate mutating func settle(_ event: LocationEvent, at moment: Moment) {
        _ = apply(event, at: moment)
    }
}

extension Location {
    /// Better by a dimension or by a fifth in accuracy, so that two receivers alike do not take turns.
    fileprivate func isClearlyBetter(than other: Location) -> Bool {
        if fix != other.fix { return fix > other.fix }
        guard let accuracy = horizontalAccuracy else { return false }
        guard let otherAccuracy = other.horizontalAccuracy else { return true }
        return accuracy < otherAccuracy * 0.8
    }
}
