import LocationCore

/// A choice of the best position among the first ones of a session's receivers.
///
/// The receivers of a daemon report in any order, so the first position is often not the best one. The choice is made when
/// every known receiver has reported its first epoch, and at most `patience` after the first good position.
///
/// A gpsd that opens a device in the middle of an epoch reports a part of it first: 2D, without a time or without an accuracy.
/// For such a position the choice waits until the receiver has reported another epoch. In a recording
/// it waits for a whole one, or it takes the first: the points of a track have no accuracy.
struct ReceiverChoice {
    /// The longest time for which the choice waits for other receivers, or for another epoch.
    private static let patience = Duration.seconds(2)

    /// Whether the first position can be a part of an epoch.
    let canBeginWithin: Bool
    let isLive: Bool
    private(set) var best: LocationUpdate?
    /// The moment at which the choice is made if not all receivers report before.
    private(set) var deadline: Moment?

    /// Whether the best position can be a part of an epoch.
    private(set) var isPart = false

    mutating func process(_ update: LocationUpdate, _ location: Location) {
        deadline = deadline ?? update.moment.advanced(by: Self.patience)
        guard let known = best?.location, known.device == location.device else {
            guard best?.location.map({ location.isBetter(than: $0) }) ?? true else { return }
            best = update
            // Each message of a machine with a name is an epoch.
            isPart = canBeginWithin && update.subject == nil && !location.isWhole
            return
        }
        guard isLive || !isPart || location.isWhole else { return }
        isPart = false
        if !known.isBetter(than: location) { best = update }
    }

    func isMade(at moment: Moment, _ view: SessionView) -> Bool {
        guard let deadline else { return false }
        return moment >= deadline || !isPart && !view.rivals.contains { view[$0]?.isExpected ?? false }
    }
}

extension ReceiverView {
    /// Whether the receiver has not reported an epoch, but can be expected to do so.
    fileprivate var isExpected: Bool {
        guard lastLocation == nil else { return false }
        switch state {
        case .searching(.starting), .searching(.connected): break
        default: return false
        }
        return switch status?.activity {
        case .unopenable, .gone, .babbling, nil: false
        case .unknown, .idle, .silent, .reporting: true
        }
    }
}

extension Location {
    /// Whether the position has what the last sentences of an epoch and the first ones bring.
    fileprivate var isWhole: Bool { fix == .threeD && timestamp != nil && horizontalAccuracy != nil }
}
