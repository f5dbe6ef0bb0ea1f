/// A monitor that detects from a series of fixes when fences are entered, left and stayed in, without flapping when
/// fixes drift over a border.
///
/// One fix inside is an `enter`, or `inside` if no fix has decided before. An exit needs fixes that are outside by more
/// than a margin, by default 2.5 times their accuracy: the excess accumulates, in margins, over successive fixes, and fixes
/// within the margin reduce it. The exit is therefore detected with the first fix that is far outside, and after a few
/// fixes when moving away slowly. Two successive fixes that are outside by more than the least margin and their accuracy are an
/// exit, too, so that a receiver that walks away is out at the latest then. A fix whose accuracy is more than twice the fence's
/// radius (for a polygon that of a circle of the same area) is ignored for that fence, unless it is so far outside that it makes an
/// exit by itself.
///
/// An anchor drops at the first fix, which is inside, however inaccurate it is. Until a fix within the error of the first one is
/// accurate to half the radius, a more accurate one corrects the place. Two successive fixes that are outside an anchor by more than
/// their accuracy are an exit, also if they are too inaccurate otherwise, because a boat that drifts must not stay unnoticed.
///
/// The clock of a stay stands while there is no fix (see `pause(at:)`), or only one that is ignored for the fence.
///
/// The monitor has no clock: callers pass the time with each call, and call `expire(at:)` at `deadline` if no fix
/// arrives.
package struct FenceMonitor: Hashable, Sendable {
    /// The fences, which the monitors of all subjects share until an anchor has its position.
    private var watched: [WatchedFence]
    /// The state for each of them.
    private var states: [FenceState]
    private let dwellAfter: Duration?
    private let minimumMargin: Double
    private let assumedAccuracy: Double

    private struct WatchedFence: Hashable {
        let fence: Fence
        /// The same fence, as the circle of an anchor that has its position.
        var placed: Fence
        /// The accuracy that a fix needs at least.
        let coarsest: Double
        /// The first place of an anchor that dropped in this session, with the errors in metres of that and of the present one.
        private var drop: Drop?

        private struct Drop: Hashable {
            let place: Coordinate
            let error: Double
            var present: Double
        }

        init(_ fence: Fence) {
            (self.fence, placed, coarsest) = (fence, fence, fence.coarsestAccuracy)
        }

        var isAnchor: Bool { if case .anchor = fence.shape { true } else { false } }

        /// Drops an anchor that has no place yet; returns whether it does.
        mutating func dropAnchor(at coordinate: Coordinate, accuracy: Double) -> Bool {
            guard case .anchor = placed.shape else { return false }
            placed = fence.anchored(at: coordinate)
            drop = Drop(place: coordinate, error: accuracy, present: accuracy)
            return true
        }

        /// Moves an anchor to a fix that is more accurate than its place, which is within the error of the first one; returns whether it
        /// does.
        mutating func correctAnchor(by coordinate: Coordinate, accuracy: Double) -> Bool {
            guard case .anchor(let radius) = fence.shape, let drop, drop.present > radius / 2, accuracy < drop.present,
                coordinate.distance(to: drop.place) <= drop.error
            else { return false }
            placed = fence.anchored(at: coordinate)
            self.drop?.present = accuracy
            return true
        }
    }

    /// The time for which all fixes have been too inaccurate to judge a fence.
    private struct Doubt: Hashable {
        private var since: Moment?
        private var isReported = false

        /// Processes a fix that is too inaccurate; returns whether the fence is to be reported as undecided.
        mutating func note(_ moment: Moment) -> Bool {
            let since = since ?? moment
            self.since = since
            guard !isReported, since.duration(to: moment) >= FenceMonitor.patience else { return false }
            isReported = true
            return true
        }
    }

    private enum FenceState: Hashable {
        /// No fix has decided.
        case unknown(Doubt)
        case outside
        case inside(FenceStay)

        var isInside: Bool? {
            switch self {
            case .unknown: nil
            case .outside: false
            case .inside: true
            }
        }

        /// The moment of the dwell that follows a stay of a length.
        func due(after dwellAfter: Duration?) -> Moment? {
            guard let dwellAfter, case .inside(let stay) = self, !stay.dwelt else { return nil }
            return stay.resumed?.advanced(by: dwellAfter - stay.length)
        }

        /// Stops the clock of a stay, if there is one.
        mutating func pause(at moment: Moment) {
            guard case .inside(var stay) = self else { return }
            stay.length += stay.resumed.take().map { $0.duration(to: moment) } ?? .zero
            self = .inside(stay)
        }

        /// Processes a fix that is too inaccurate; returns whether the fence is to be reported as undecided.
        ///
        /// A stay says so of an anchor only, because a watch that cannot judge must not look like one that has nothing to say.
        mutating func ignoreFix(at moment: Moment, isAnchor: Bool) -> Bool {
            pause(at: moment)
            switch self {
            case .unknown(var doubt):
                let isUndecided = doubt.note(moment)
                self = .unknown(doubt)
                return isUndecided
            case .inside(var stay) where isAnchor:
                // Two positions in a row leave an anchor.
                stay.isAway = false
                let isUndecided = stay.doubt.note(moment)
                self = .inside(stay)
                return isUndecided
            case .inside, .outside: return false
            }
        }
    }

    private struct FenceStay: Hashable {
        let since: Moment
        var latest: Coordinate
        /// The accumulated excess of recent fixes beyond the margin, in margins.
        var evidenceOutside = 0.0
        /// Whether the last fix was outside by more than the least margin and its accuracy, or of an anchor by more than its accuracy.
        var isAway = false
        var doubt = Doubt()
        /// The length of the stay up to `resumed`, without the time for which its clock stood.
        var length = Duration.zero
        /// The moment from which on the clock of the stay runs, or `nil` while it stands.
        var resumed: Moment?
        var dwelt = false
    }

    private static let marginPerAccuracy = 2.5
    /// The accumulated excess that makes an exit.
    ///
    /// With this value and the margin, fixes that scatter around a point on the border by as much as their accuracy
    /// leave the fence less than once in 10,000 fixes if they are independent, and if they drift, once in about a
    /// hundred times their correlation time.
    private static let decisiveEvidence = 1.2
    /// The time with no other than too inaccurate fixes after which the fence is reported as undecided; the accuracy of most receivers
    /// improves in their first seconds.
    private static let patience = Duration.seconds(30)

    /// Creates a monitor; a fence without a dwell time of its own has `dwellAfter`, and an exit needs `minimumMargin`
    /// metres outside, however accurate the fixes claim to be.
    package init(
        fences: [Fence], dwellAfter: Duration? = nil, minimumMargin: Double = 10, assumedAccuracy: Double = 25
    ) {
        watched = fences.map(WatchedFence.init)
        states = Array(repeating: .unknown(Doubt()), count: fences.count)
        self.dwellAfter = dwellAfter
        self.minimumMargin = minimumMargin
        self.assumedAccuracy = assumedAccuracy
    }

    package var fences: [Fence] { watched.map(\.fence) }

    /// Whether the last position has corrected the place of an anchor.
    private(set) var hasCorrectedAnchor = false

    /// The same fences, with the circle of each anchor that has its position.
    var placed: [Fence] { watched.map(\.placed) }

    /// Returns whether the fence with this name is entered and not left, or `nil` if no fix has decided yet or there is
    /// no such fence.
    package func isInside(_ name: String) -> Bool? {
        watched.firstIndex { $0.fence.name == name }.flatMap { states[$0].isInside }
    }

    /// Whether each fence is entered and not left, in the order of `fences`; `nil` where no fix has decided yet.
    var decisions: [Bool?] { states.map(\.isInside) }

    /// Returns each fence as seen from a position, in the order of `fences`.
    func places(from coordinate: Coordinate?) -> [FencePlace] {
        zip(watched, states).map { FencePlace($0.placed, isInside: $1.isInside, from: coordinate) }
    }

    /// The names of the fences that are entered and not left, in the order of the entries.
    var entered: [String] {
        zip(fences, states)
            .compactMap { fence, state in if case .inside(let stay) = state { (fence.name, stay.since) } else { nil } }
            .sorted { $0.1 < $1.1 }
            .map(\.0)
    }

    /// Adds a fence, or replaces the one of the same name; the first fix decides whether it is `inside`.
    ///
    /// A replacement with the same shape changes nothing.
    package mutating func add(_ fence: Fence) {
        if fences.contains(fence) { return }
        remove(fence.name)
        watched.append(WatchedFence(fence))
        states.append(.unknown(Doubt()))
    }

    /// Begins with the state of a record, if the fence is watched and no fix has decided yet.
    mutating func assume(_ record: FenceRecord) {
        guard let index = watched.firstIndex(where: { $0.fence == record.fence }), states[index].isInside == nil else {
            return
        }
        if let placed = record.placed { watched[index].placed = placed }
        switch record.state {
        case .unknown: break
        case .unsatisfied: states[index] = .outside
        case .satisfied:
            // The event has the coordinate of the last fix that counted; before the first one that is the place that was stored.
            guard let latest = record.lastEvent?.coordinate ?? watched[index].placed.somePoint else { return }
            let since = Moment(elapsed: .zero, wall: record.lastEvent?.time ?? Timestamp(nanosecondsSince1970: 0))
            var stay = FenceStay(since: since, latest: latest)
            stay.dwelt = record.lastEvent?.kind == .dwell
            states[index] = .inside(stay)
        }
    }

    /// Removes the fence of this name, if any; no event reports it.
    package mutating func remove(_ name: String) {
        for index in watched.indices.reversed() where watched[index].fence.name == name {
            watched.remove(at: index)
            states.remove(at: index)
        }
    }

    /// Processes a position and returns the events: first those due before it, then exits, then entries.
    package mutating func update(_ location: Location, at moment: Moment) -> [FenceEvent] {
        var events = expire(at: moment)
        var entered: [FenceEvent] = []
        hasCorrectedAnchor = false
        let coordinate = location.coordinate
        let accuracy = location.horizontalAccuracy.flatMap { $0 >= 0 ? $0 : nil } ?? assumedAccuracy
        let drift = max(minimumMargin, accuracy * Self.marginPerAccuracy)

        for index in watched.indices {
            let isAnchor = watched[index].isAnchor
            let drops = isAnchor && watched[index].dropAnchor(at: coordinate, accuracy: accuracy)
            if isAnchor, !drops, states[index].isInside == true {
                let isCorrected = watched[index].correctAnchor(by: coordinate, accuracy: accuracy)
                hasCorrectedAnchor = hasCorrectedAnchor || isCorrected
            }
            let isTooCoarse = accuracy > watched[index].coarsest
            let fence = watched[index].fence
            // Never zero, because the distance is divided by the margin.
            let margin = max(0.001, fence.margin ?? drift)
            let inside = watched[index].placed.signedDistanceInside(coordinate)
            func event(_ kind: FenceEvent.Kind) -> FenceEvent {
                FenceEvent(fence: fence.name, kind: kind, moment: moment, coordinate: coordinate)
            }
            let farthestDrift = max(margin, drift) * (1 + Self.decisiveEvidence)
            let isAway =
                -inside > (isAnchor ? max(fence.margin ?? 0, accuracy) : (fence.margin ?? minimumMargin) + accuracy)
            let leavesAnchor = isAnchor && isAway && states[index].isInside == true
            if isTooCoarse, !drops, !leavesAnchor, -inside <= farthestDrift {
                if states[index].ignoreFix(at: moment, isAnchor: isAnchor) { entered.append(event(.undecided)) }
                continue
            }
            let state = states[index]
            if case .inside(var stay) = state {
                stay.evidenceOutside = inside > 0 ? 0 : max(0, stay.evidenceOutside - inside / margin - 1)
                stay.latest = coordinate
                stay.resumed = stay.resumed ?? moment
                let wasAway = stay.isAway
                stay.isAway = isAway
                stay.doubt = Doubt()
                let left = stay.evidenceOutside > Self.decisiveEvidence || wasAway && stay.isAway
                states[index] = left ? .outside : .inside(stay)
                if left { events.append(event(.exit)) }
            } else if inside > 0 {
                entered.append(event(state == .outside ? .enter : .inside))
                states[index] = .inside(FenceStay(since: moment, latest: coordinate, resumed: moment))
                if isTooCoarse { _ = states[index].ignoreFix(at: moment, isAnchor: isAnchor) }
            } else {
                if state != .outside { entered.append(event(.outside)) }
                states[index] = .outside
            }
        }
        // A dwell time of zero is due at once.
        return events + entered + expire(at: moment)
    }

    /// Stops the clocks of all stays until the next fix, because the position is lost; returns the events that are due.
    package mutating func pause(at moment: Moment) -> [FenceEvent] {
        let events = expire(at: moment)
        for index in states.indices { states[index].pause(at: moment) }
        return events
    }

    /// The moment at which the next dwell is due if the fence is not left before.
    package var deadline: Moment? { watched.indices.lazy.compactMap { due($0) }.min() }

    /// Returns the moment of the next dwell in the fence at an index, if there will be one.
    private func due(_ index: Int) -> Moment? {
        states[index].due(after: watched[index].fence.dwellAfter ?? dwellAfter)
    }

    /// Returns the events that are due without a new fix, in the order in which they became due.
    package mutating func expire(at moment: Moment) -> [FenceEvent] {
        var events: [FenceEvent] = []
        for index in watched.indices {
            guard case .inside(var stay) = states[index], let due = due(index), due <= moment else { continue }
            stay.dwelt = true
            states[index] = .inside(stay)
            events.append(
                FenceEvent(fence: watched[index].fence.name, kind: .dwell, moment: due, coordinate: stay.latest))
        }
        return events.sorted { $0.moment < $1.moment }
    }
}
