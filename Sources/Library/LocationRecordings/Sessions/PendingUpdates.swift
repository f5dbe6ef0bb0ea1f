import LocationCore

/// Updates that wait until they are taken, in memory that is reused.
struct PendingUpdates {
    private var updates: [LocationUpdate] = []
    private var head = 0

    var next: LocationUpdate? { head < updates.count ? updates[head] : nil }
    var count: Int { updates.count - head }

    mutating func append(_ update: LocationUpdate) {
        if head > 0, head == updates.count { removeAll() }
        updates.append(update)
    }

    mutating func popFirst() -> LocationUpdate? {
        guard head < updates.count else { return nil }
        head += 1
        return updates[head - 1]
    }

    /// Replaces the updates with those that were read elsewhere.
    mutating func load(_ updates: [LocationUpdate]) { (self.updates, head) = (updates, 0) }

    mutating func removeAll() {
        updates.removeAll(keepingCapacity: true)
        head = 0
    }
}
