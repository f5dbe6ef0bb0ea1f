import LocationCore

/// The interpretation of a session's updates, with the distance if that is shown or kept.
///
/// It cannot be copied, so that a function can borrow it from the loop: a property of a class is copied otherwise before its parts are
/// read, and copies of the view for each update took 3 % of the instructions of `watch -j`.
struct SessionInterpretation: ~Copyable {
    var tracker: Tracker
    /// The meter of the distance, which is used if the distance is shown or kept.
    ///
    /// It is not optional, because the question whether it is there copies its 5 kB.
    private var meter = DistanceMeter()
    private var measuresDistance = false

    init(_ tracker: consuming Tracker) { self.tracker = tracker }

    mutating func measureDistance(startingAt metres: Double) {
        meter = DistanceMeter(startingAt: metres)
        measuresDistance = true
    }

    /// The work that the tracker has left after an update.
    struct Remainder {
        /// Whether there are more results.
        var hasMore = false
        /// The moment at which the tracker must be asked if nothing arrives before.
        var deadline: Moment?
    }

    /// Processes an update, and returns its first result, if any.
    mutating func process(_ update: consuming LocationUpdate, _ remainder: inout Remainder) -> TrackedUpdate? {
        tracker.apply(consume update)
        let first = next()
        remainder = Remainder(hasMore: tracker.hasResults, deadline: tracker.deadline)
        return first
    }

    /// Processes the deadline of the tracker, if a moment has reached it.
    mutating func expire(ifDueAt moment: Moment) {
        if let deadline = tracker.deadline, deadline <= moment { tracker.expire(at: deadline) }
    }

    /// Returns the next result of the tracker, with which the distance is measured.
    mutating func next() -> TrackedUpdate? {
        guard let update = tracker.next() else { return nil }
        if measuresDistance {
            meter.process(update)
            tracker.note(distance: meter.distance)
        }
        return update
    }
}
