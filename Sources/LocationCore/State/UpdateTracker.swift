/// Applies the trackers and the filters to the updates of one session.
///
/// This is the one place where updates become changes of state: for a task (`TrackedUpdates`) and for a poll loop alike.
/// States are judged before the filters, so that standing still behind a distance filter is no silence.
package struct UpdateTracker {
    private var trackers: DeviceTrackers
    private var filters: [LocationFilter]
    private var hasBegun = false

    /// A tracker for a session that begins now.
    ///
    /// - Parameters:
    ///   - filters: what to hold back.
    ///   - staleAfter: see `LocationTracker.init(staleAfter:)`.
    package init(filters: [LocationFilter], staleAfter: Duration? = nil) {
        trackers = DeviceTrackers(staleAfter: staleAfter)
        self.filters = filters
    }

    /// The state of the session.
    package var state: LocationState { trackers.state }

    /// The moment at which `expire` has something to do if nothing arrives before.
    package var deadline: Moment? { trackers.deadline }

    /// Processes an update: returns the changes that it causes, and whether the update itself is passed on after them.
    package mutating func process(_ update: LocationUpdate) -> (changes: [TrackedUpdate], isPassedOn: Bool) {
        hasBegun = true
        if filters.isEmpty { return (trackers.apply(update.event, at: update.moment), true) }
        guard filters.concern(update.event) else { return ([], false) }
        let changes = trackers.apply(update.event, at: update.moment)
        return (changes, filters.admit(update))
    }

    /// Lets time pass until a deadline that nothing has preceded.
    package mutating func expire(at deadline: Moment) -> [TrackedUpdate] { trackers.expire(at: deadline) }

    /// Processes the error that ends the session.
    package mutating func fail(_ error: LocationError, at moment: Moment) -> [TrackedUpdate] {
        // What turns out to be no recording never was a session whose state could change.
        if !hasBegun, error.concernsFile { return [] }
        return trackers.apply(.failure(error), at: moment)
    }
}

extension LocationError {
    /// Whether a file or a stream cannot be read as a session.
    fileprivate var concernsFile: Bool {
        switch self {
        case .unreadable, .notASession: true
        default: false
        }
    }
}
