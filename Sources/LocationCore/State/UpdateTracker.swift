/// The trackers and filters of one session.
///
/// All changes of state are determined here, for a task (`TrackedUpdates`) as well as for a poll loop. The trackers see
/// updates before the filters, so that a position rejected by a distance filter still counts as a report.
package struct UpdateTracker {
    private var trackers: DeviceTrackers
    private var filters: [LocationFilter]
    private var hasBegun = false

    /// Creates a tracker for a session that begins now.
    ///
    /// - Parameters:
    ///   - filters: The filters that updates must pass.
    ///   - staleAfter: See `LocationTracker.init(staleAfter:)`.
    ///   - isFleet: Whether the devices are independent of each other.
    package init(filters: [LocationFilter], staleAfter: Duration? = nil, isFleet: Bool = false) {
        trackers = DeviceTrackers(staleAfter: staleAfter, isFleet: isFleet)
        self.filters = filters
    }

    /// The state of the session.
    package var state: LocationState { trackers.state }

    /// The moment at which `expire` must be called if nothing arrives before.
    package var deadline: Moment? { trackers.deadline }

    /// Processes an update; returns the resulting changes, and whether the update itself is passed on after them.
    package mutating func process(_ update: LocationUpdate) -> (changes: [TrackedUpdate], isPassedOn: Bool) {
        hasBegun = true
        if filters.isEmpty { return (trackers.apply(update.event, at: update.moment), true) }
        guard filters.concern(update.event) else { return ([], false) }
        let changes = trackers.apply(update.event, at: update.moment)
        return (changes, filters.admit(update))
    }

    /// Expires positions at a deadline before which no update arrived.
    package mutating func expire(at deadline: Moment) -> [TrackedUpdate] { trackers.expire(at: deadline) }

    /// Processes the error that ends the session.
    package mutating func fail(_ error: LocationError, at moment: Moment) -> [TrackedUpdate] {
        // A file that turns out not to be a recording was never a session, so its state does not change.
        if !hasBegun, error.concernsFile { return [] }
        return trackers.apply(.failure(error), at: moment)
    }
}

extension LocationError {
    /// Whether a file or a stream cannot be read as a session.
    fileprivate var concernsFile: Bool {
        switch self {
        case .unreadable, .notASession, .damaged, .programMissing, .other(code: Self.trackCode, _),
            .other(code: Self.untimedCode, _), .other(code: Self.libraryCode, _):
            true
        default: false
        }
    }
}
