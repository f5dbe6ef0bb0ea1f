import LocationCore
import LocwatchPrinting

/// The message that no position of a live source is accurate enough, which would otherwise look like no position at all.
struct CoarsePositions {
    /// The time for which a receiver may still improve.
    private static let patience = Duration.seconds(5)

    /// The moment of the first position that was not accurate enough.
    private var start: Moment?
    private var isSaid = false

    /// Returns the message for an update, once in a session.
    mutating func words(for update: LocationUpdate, _ view: SessionView) -> String? {
        guard !isSaid, case .location = update.event, !view.isSatisfied else { return nil }
        let shortfall = view.shortfall(after: .zero)
        guard case .noFix(.tooCoarse) = shortfall else { return nil }
        let first = start ?? update.moment
        start = first
        guard first.duration(to: update.moment) >= Self.patience else { return nil }
        isSaid = true
        return "waiting: \(ErrorText(shortfall).message)"
    }
}
