/// Something that happened at a fence.
public struct FenceEvent: Hashable, Sendable, Codable {
    /// What can happen at a fence.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// The first fix that says something about the fence is inside.
        case inside
        /// A fix is inside after fixes outside.
        case enter
        /// The fixes are outside, and farther than their accuracy explains.
        case exit
        /// Nothing has left the fence for the time that counts as staying.
        case dwell
    }

    /// The name of the fence.
    public let fence: String
    /// What happened.
    public let kind: Kind
    /// When: the fix's moment, or for a dwell the moment when the time was up.
    public let moment: Moment
    /// Where: the fix, or for a dwell the last one before it that said something about the fence.
    public let coordinate: Coordinate

    /// An event, as a test would expect it.
    public init(fence: String, kind: Kind, moment: Moment, coordinate: Coordinate) {
        self.fence = fence
        self.kind = kind
        self.moment = moment
        self.coordinate = coordinate
    }
}

/// Tells from a run of fixes when fences are entered, left and stayed in, without flapping where fixes drift over a
/// border.
///
/// One fix inside is an enter, or `inside` if it is the first that decides anything. An exit needs fixes outside by more than a margin of 2.5 times their accuracy: what they
/// lie beyond it is added up, in margins, over successive fixes, and fixes short of it count against. So the exit comes
/// with the first fix that is far outside, and after a few where one walks away slowly. A fix whose accuracy is more
/// than twice the fence's radius (for a polygon that of a circle of the same area) decides nothing about that fence.
///
/// The monitor has no clock: time comes in with each call, and `deadline` tells when to call `expire(at:)` if no fix
/// comes.
public struct FenceMonitor: Hashable, Sendable {
    /// The fences that are watched.
    public let fences: [Fence]
    private let dwellAfter: Duration?
    private let minimumMargin: Double
    private let assumedAccuracy: Double
    private let equivalentRadii: [Double]
    private var states: [State]

    private enum State: Hashable {
        case unknown
        case outside
        case inside(Stay)
    }

    private struct Stay: Hashable {
        let since: Moment
        var latest: Coordinate
        /// How far outside the fixes have been of late, in margins.
        var evidenceOutside = 0.0
        var dwelt = false
    }

    private static let marginPerAccuracy = 2.5
    /// With it and the margin, fixes that scatter around a point on the border by as much as their accuracy leave the
    /// fence less than once in 10,000 fixes if they are independent, and once in about a hundred times the time that
    /// they stay alike if they drift.
    private static let decisiveEvidence = 1.2
    private static let coarsestPerRadius = 2.0

    /// Watches fences; the distances are in metres.
    ///
    /// - Parameters:
    ///   - dwellAfter: How long a stay makes a dwell event; `nil` for no such events.
    ///   - minimumMargin: How far outside the fixes have to be for an exit, however accurate they claim to be.
    ///   - assumedAccuracy: What is taken for the accuracy of fixes that do not tell it.
    public init(
        fences: [Fence], dwellAfter: Duration? = nil, minimumMargin: Double = 10, assumedAccuracy: Double = 25
    ) {
        self.fences = fences
        self.dwellAfter = dwellAfter
        self.minimumMargin = minimumMargin
        self.assumedAccuracy = assumedAccuracy
        equivalentRadii = fences.map(\.equivalentRadius)
        states = Array(repeating: .unknown, count: fences.count)
    }

    /// Whether the fence of this name is entered and not left; `nil` before any fix has decided, or without such a
    /// fence.
    public func isInside(_ name: String) -> Bool? {
        guard let index = fences.firstIndex(where: { $0.name == name }) else { return nil }
        return switch states[index] {
        case .unknown: nil
        case .outside: false
        case .inside: true
        }
    }

    /// Takes a fix in; what was due before it comes first, then what is left, then what is entered.
    public mutating func update(
        coordinate: Coordinate, horizontalAccuracy: Double?, at moment: Moment
    ) -> [FenceEvent] {
        var events = expire(at: moment)
        var entered: [FenceEvent] = []
        let accuracy = horizontalAccuracy.flatMap { $0 >= 0 ? $0 : nil } ?? assumedAccuracy
        // Never zero, since what is outside is measured in margins.
        let margin = max(0.001, minimumMargin, accuracy * FenceMonitor.marginPerAccuracy)

        for index in fences.indices where accuracy <= equivalentRadii[index] * FenceMonitor.coarsestPerRadius {
            let inside = fences[index].signedDistanceInside(coordinate)
            func event(_ kind: FenceEvent.Kind) -> FenceEvent {
                FenceEvent(fence: fences[index].name, kind: kind, moment: moment, coordinate: coordinate)
            }
            if case .inside(var stay) = states[index] {
                stay.evidenceOutside = inside > 0 ? 0 : max(0, stay.evidenceOutside - inside / margin - 1)
                stay.latest = coordinate
                let left = stay.evidenceOutside > FenceMonitor.decisiveEvidence
                states[index] = left ? .outside : .inside(stay)
                if left { events.append(event(.exit)) }
            } else if inside > 0 {
                entered.append(event(states[index] == .unknown ? .inside : .enter))
                states[index] = .inside(Stay(since: moment, latest: coordinate))
            } else {
                states[index] = .outside
            }
        }
        // A dwell that needs no time at all is due at once.
        return events + entered + expire(at: moment)
    }

    /// When the next dwell is due, if nothing leaves before.
    public var deadline: Moment? { states.compactMap(due).min() }

    /// What is due by now without a new fix, in the order in which it was due.
    public mutating func expire(at moment: Moment) -> [FenceEvent] {
        var events: [FenceEvent] = []
        for index in states.indices {
            guard case .inside(var stay) = states[index], let due = due(states[index]), due <= moment else { continue }
            stay.dwelt = true
            states[index] = .inside(stay)
            events.append(
                FenceEvent(fence: fences[index].name, kind: .dwell, moment: due, coordinate: stay.latest))
        }
        return events.sorted { $0.moment < $1.moment }
    }

    private func due(_ state: State) -> Moment? {
        guard let dwellAfter, case .inside(let stay) = state, !stay.dwelt else { return nil }
        return stay.since.advanced(by: dwellAfter)
    }
}
