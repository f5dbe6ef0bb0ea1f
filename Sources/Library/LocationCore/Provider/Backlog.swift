/// The importance of an element of a backlog when elements must be dropped.
package enum BacklogKind: Hashable, Sendable {
    case location
    case sky
    /// An element that a newer one with the same key supersedes, such as a repeated failure.
    case replaceable(String)
    case other
}

/// A bounded queue for a slow consumer, with the policy for what it drops.
///
/// When the queue is full, it drops the oldest position first, because a newer one supersedes it; then the oldest sky
/// view, then an element that a newer one with the same key replaces, and finally the oldest of everything else.
/// Dropping takes constant time, so that a flood costs no more than its elements.
@usableFromInline package struct Backlog<Element> {
    fileprivate struct PendingElement {
        var element: Element
        let kind: BacklogKind
        let cost: Int
    }

    private let limit: Int
    /// The greatest total cost of positions, sky views and replaceable elements.
    private let measurementLimit: Int
    /// The elements in order; a dropped one leaves an empty entry.
    private var entries: [PendingElement?] = []
    /// The index of the first element.
    private var head = 0
    /// The number of elements.
    @usableFromInline var count = 0
    /// The number of entries removed from the array; a place is an index plus this number, and so stays valid until empty entries
    /// are removed.
    private var removed = 0
    private var cost = 0
    private var measurementCost = 0
    /// The places at which to search next for the oldest position, sky view and replaced element.
    private var cursors = [0, 0, 0]
    /// The place of the newest element for each key.
    private var newest: [String: Int] = [:]

    /// The number of empty entries that are not worth moving the others.
    private static var keptEntries: Int { 64 }

    /// The number of entries, with those of dropped elements, that fit without more memory.
    var capacity: Int { entries.capacity }

    /// Creates a queue with a limit for the total cost of its elements.
    package init(limit: Int, measurementLimit: Int? = nil) {
        self.limit = limit
        self.measurementLimit = measurementLimit ?? limit
    }

    /// Whether there is no element; inlinable, because a copy of the queue for the question takes 200 instructions.
    @inlinable package var isEmpty: Bool { count == 0 }

    package var first: Element? { isEmpty ? nil : entries[head]?.element }

    /// Appends an element, and drops elements that exceed the limits.
    package mutating func append(
        _ element: Element, _ kind: BacklogKind, cost: Int = 1, onDrop: (Element, BacklogKind) -> Void
    ) {
        if case .replaceable(let key) = kind, let old = newest.updateValue(removed + entries.count, forKey: key) {
            // A search can have passed it while it was the newest.
            cursors[2] = min(cursors[2], old)
        }
        entries.append(PendingElement(element: element, kind: kind, cost: cost))
        count += 1
        add(cost, kind)
        while measurementCost > measurementLimit, let entry = removeMeasurement() { onDrop(entry.element, entry.kind) }
        // For a consumer that reads nothing, the newest element is the most useful, so it is kept unless it is a measurement
        // that was dropped above.
        let kept = kind == .location || kind == .sky ? 0 : 1
        while self.cost > limit, let entry = removeMeasurement() ?? (count > kept ? remove(at: removed + head) : nil) {
            onDrop(entry.element, entry.kind)
        }
    }

    package mutating func popFirst() -> Element? { remove(at: removed + head)?.element }

    /// Changes the last element that `change` accepts, and returns whether there was one.
    package mutating func changeLast(_ change: (inout Element) -> Bool) -> Bool {
        for index in entries[head...].indices.reversed() {
            guard var entry = entries[index], change(&entry.element) else { continue }
            entries[index] = entry
            return true
        }
        return false
    }

    private mutating func add(_ amount: Int, _ kind: BacklogKind) {
        cost += amount
        if kind != .other { measurementCost += amount }
    }

    /// Removes and returns the oldest position, or else the oldest sky view, or else the oldest element that is replaced.
    private mutating func removeMeasurement() -> PendingElement? {
        for rank in cursors.indices {
            cursors[rank] = max(cursors[rank], removed + head)
            while cursors[rank] < removed + entries.count {
                if hasRank(rank, at: cursors[rank]) { return remove(at: cursors[rank]) }
                cursors[rank] += 1
            }
        }
        return nil
    }

    private func hasRank(_ rank: Int, at place: Int) -> Bool {
        switch entries[place - removed]?.kind {
        case .location: rank == 0
        case .sky: rank == 1
        case .replaceable(let key): rank == 2 && newest[key] ?? place > place
        case .other, nil: false
        }
    }

    private mutating func remove(at place: Int) -> PendingElement? {
        let index = place - removed
        guard index < entries.count, let entry = entries[index].take() else { return nil }
        add(-entry.cost, entry.kind)
        if case .replaceable(let key) = entry.kind, newest[key] == place { newest[key] = nil }
        count -= 1
        while head < entries.count, entries[head] == nil { head += 1 }
        if entries.count > 2 * count + Self.keptEntries { removeEmpty() }
        return entry
    }

    /// Removes the empty entries, which would collect behind one that stays while a reader takes nothing.
    private mutating func removeEmpty() {
        removed += head
        entries = entries[head...].filter { $0 != nil }
        head = 0
        cursors = [0, 0, 0]
        newest.removeAll(keepingCapacity: true)
        for (index, entry) in entries.enumerated() {
            if case .replaceable(let key)? = entry?.kind { newest[key] = removed + index }
        }
    }
}

extension Backlog: Sendable where Element: Sendable {}
extension Backlog.PendingElement: Sendable where Element: Sendable {}

/// The numbers of elements that a slow consumer has missed.
package struct DroppedCount: Hashable, Sendable {
    private var locations = 0
    private var skyViews = 0
    private var others = 0

    package init() {}

    package var isZero: Bool { self == DroppedCount() }

    package mutating func add(_ kind: BacklogKind) {
        switch kind {
        case .location: locations += 1
        case .sky: skyViews += 1
        case .replaceable, .other: others += 1
        }
    }

    package var notice: Notice { Notice(.dropped(locations: locations, skyViews: skyViews, others: others)) }
}
