import LocationCore
import TestSupport

extension Tracker {
    /// Processes updates, each after the deadlines before it, and at last the deadlines until `end`.
    ///
    /// Calls `take` with each result and the view after it.
    mutating func play(
        _ updates: [LocationUpdate], until end: Moment? = nil, _ take: (TrackedUpdate, SessionView) throws -> Void
    ) rethrows {
        for update in updates.withSkies {
            try expire(until: update.moment, take)
            apply(update)
            while let next = next() { try take(next, view) }
        }
        if let end { try expire(until: end, take) }
    }

    private mutating func expire(until moment: Moment, _ take: (TrackedUpdate, SessionView) throws -> Void) rethrows {
        while let due = deadline, due <= moment {
            expire(at: due)
            while let next = next() { try take(next, view) }
        }
    }
}
