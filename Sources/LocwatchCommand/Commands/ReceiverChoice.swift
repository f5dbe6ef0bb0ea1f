import LocationCore

/// A choice of the best position among the first ones of a session's receivers.
///
/// The receivers of a daemon report in any order, so the first position is often not the best one. The choice is made when
/// every known receiver has reported its first epoch, and at most `patience` after the first good position.
struct ReceiverChoice {
    /// The longest time for which the choice waits for other receivers.
    private static let patience = Duration.seconds(2)

    /// The latest moment of the choice, whatever the receivers do.
    private let latest: Moment?
    /// The best position so far.
    private(set) var best: LocationUpdate?
    /// The moment at which the choice is made if not all receivers report before.
    private(set) var deadline: Moment?

    /// Creates a choice.
    ///
    /// - Parameter latest: The moment by which the choice must be made, if any.
    init(latest: Moment? = nil) { self.latest = latest }

    /// Considers a position that is good enough.
    mutating func process(_ update: LocationUpdate, _ location: Location) {
        if deadline == nil {
            let due = update.moment.advanced(by: Self.patience)
            deadline = latest.map { min($0, due) } ?? due
        }
        if best?.location.map({ location.isBetter(than: $0) }) ?? true { best = update }
    }

    /// Returns whether the choice is made at a moment.
    func isMade(at moment: Moment, _ view: SessionView) -> Bool {
        guard let deadline else { return false }
        // The devices of a fleet are independent of each other, and their number is not known.
        return moment >= deadline || view.isFleet || !view.devices.contains { view[$0]?.isExpected ?? false }
    }
}

extension ReceiverView {
    /// Whether the receiver has not reported an epoch, but can be expected to do so.
    fileprivate var isExpected: Bool {
        guard lastLocation == nil, case .searching(let reason) = state,
            reason.code == .starting || reason.code == .connected
        else { return false }
        return switch status?.activity {
        case .unopenable, .gone, .babbling, nil: false
        case .unknown, .idle, .silent, .reporting: true
        }
    }
}
