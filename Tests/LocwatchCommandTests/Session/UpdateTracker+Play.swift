import LocationCore

extension UpdateTracker {
    /// Processes updates, each after the deadlines before it, and at last the deadlines until `end`.
    ///
    /// Calls `take` with each result and the view after it.
    mutating func play(
        _ updates: [LocationUpdate], until end: Moment? = nil, _ take: (TrackedUpdate, SessionView) -> Void
    ) {
        for update in updates {
            expire(until: update.moment, take)
            process(update)
            while let next = next() { take(next, view) }
        }
        if let end { expire(until: end, take) }
    }

    private mutating func expire(until moment: Moment, _ take: (TrackedUpdate, SessionView) -> Void) {
        while let due = deadline, due <= moment {
            expire(at: due)
            while let next = next() { take(next, view) }
        }
    }
}
