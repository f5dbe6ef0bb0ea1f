/// A bounded queue for a slow consumer, with the policy for what it drops.
///
/// When the queue is full, it drops the oldest position first, because a newer one supersedes it; then the oldest sky
/// view, then an element that a newer one with the same key replaces, and finally the oldest of everything else.
/// Dropping takes constant time, so that a flood costs no more than its elements.
package struct Backlog<Element> {
    /// The importance of an element when elements must be dropped.
    package enum Kind: Hashable, Sendable {
        case location
        case sky
        /// An element that a newer one with the same key supersedes, such as a repeated failure.
        case replaceable(String)
        case other
    }

    fileprivate struct Entry {
        var element: Element
        let kind: Kind
        let cost: Int
    }

    private let limit: Int
    /// The greatest total cost of positions, sky views and replaceable elements.
    private let measurementLimit: Int
    /// The elements in order; a dropped one leaves an empty entry.
    private var entries: [Entry?] = []
    private var head = 0
    /// The number of entries removed from the front; a place is an index plus this number and so stays valid.
    private var removed = 0
    private var cost = 0
    private var measurementCost = 0
    /// The places at which to search next for the oldest element of each kind.
    private var cursors = (location: 0, sky: 0, replaceable: 0, other: 0)
    /// The place of the newest element for each key.
    private var newest: [String: Int] = [:]

    /// The number of entries whose memory is kept while the queue is empty, and of empty entries that are not worth moving
    /// the others.
    private static var keptEntries: Int { 64 }
    private var count = 0

    /// The number of entries, with those of dropped elements, that fit without more memory.
    var capacity: Int { entries.capacity }

    /// Creates a queue with a limit for the total cost of its elements.
    package init(limit: Int, measurementLimit: Int? = nil) {
        self.limit = limit
        self.measurementLimit = measurementLimit ?? limit
    }

    package var isEmpty: Bool { head == entries.count }

    package var first: Element? { head < entries.count ? entries[head]?.element : nil }

    /// Appends an element, and drops elements that exceed the limits.
    package mutating func append(
        _ element: Element, _ kind: Kind, cost: Int = 1, onDrop: (Element, Kind) -> Void
    ) {
        entries.append(Entry(element: element, kind: kind, cost: cost))
        count += 1
        if case .replaceable(let key) = kind { newest[key] = removed + entries.count - 1 }
        add(cost, kind)
        while measurementCost > measurementLimit, let place = oldestMeasurement() { drop(place, onDrop) }
        while self.cost > limit, let place = oldestMeasurement() ?? oldestOther() { drop(place, onDrop) }
        if entries.count - head > 2 * count + Self.keptEntries { removeEmpty() }
    }

    package mutating func popFirst() -> Element? {
        guard head < entries.count, let entry = entries[head] else { return nil }
        add(-entry.cost, entry.kind)
        forget(entry, at: removed + head)
        entries[head] = nil
        count -= 1
        skipEmpty()
        return entry.element
    }

    /// Changes the last element that `change` accepts, and returns whether there was one.
    package mutating func changeLast(_ change: (inout Element) -> Bool) -> Bool {
        for index in entries[head...].indices.reversed() {
            guard var entry = entries[index], change(&entry.element) else { continue }
            entries[index] = entry
            return true
        }
        return false
    }

    private mutating func add(_ amount: Int, _ kind: Kind) {
        cost += amount
        if kind != .other { measurementCost += amount }
    }

    private mutating func drop(_ place: Int, _ onDrop: (Element, Kind) -> Void) {
        let index = place - removed
        guard let entry = entries[index] else { return }
        add(-entry.cost, entry.kind)
        forget(entry, at: place)
        entries[index] = nil
        count -= 1
        if index == head { skipEmpty() }
        onDrop(entry.element, entry.kind)
    }

    private mutating func forget(_ entry: Entry, at place: Int) {
        if case .replaceable(let key) = entry.kind, newest[key] == place { newest[key] = nil }
    }

    /// Moves the head to the next element, and frees the entries before it when they are more than half of all.
    private mutating func skipEmpty() {
        while head < entries.count, entries[head] == nil { head += 1 }
        guard head * 2 > entries.count else { return }
        removed += head
        if head == entries.count {
            entries.removeAll(keepingCapacity: entries.capacity <= 2 * Self.keptEntries)
        } else {
            entries.removeFirst(head)
        }
        head = 0
    }

    /// Removes the entries of dropped elements behind one that stays, which would collect while a reader takes nothing.
    private mutating func removeEmpty() {
        removed += head
        entries = entries[head...].filter { $0 != nil }
        head = 0
        cursors = (0, 0, 0, 0)
        newest.removeAll(keepingCapacity: true)
        for (index, entry) in entries.enumerated() {
            if case .replaceable(let key)? = entry?.kind { newest[key] = removed + index }
        }
    }

    private func oldest(from cursor: inout Int, _ isIt: (Kind, Int) -> Bool) -> Int? {
        cursor = max(cursor, removed + head)
        while cursor < removed + entries.count {
            if let entry = entries[cursor - removed], isIt(entry.kind, cursor) { return cursor }
            cursor += 1
        }
        return nil
    }

    private mutating func oldestMeasurement() -> Int? {
        var cursors = cursors
        defer { self.cursors = cursors }
        if let place = oldest(from: &cursors.location, { kind, _ in kind == .location }) { return place }
        if let place = oldest(from: &cursors.sky, { kind, _ in kind == .sky }) { return place }
        return oldest(from: &cursors.replaceable) { kind, place in
            if case .replaceable(let key) = kind { newest[key] ?? place > place } else { false }
        }
    }

    private mutating func oldestOther() -> Int? {
        var cursors = cursors
        defer { self.cursors = cursors }
        // The last element is kept: for a consumer that reads nothing, the newest one is the most useful.
        guard let place = oldest(from: &cursors.other, { _, _ in true }), place < removed + entries.count - 1 else {
            return nil
        }
        return place
    }
}

extension Backlog: Sendable where Element: Sendable {}
extension Backlog.Entry: Sendable where Element: Sendable {}

/// The numbers of elements that a slow consumer has missed.
package struct DroppedCount: Hashable, Sendable {
    private var locations = 0
    private var skyViews = 0
    private var others = 0

    package init() {}

    package var isZero: Bool { self == DroppedCount() }

    package mutating func add<Element>(_ kind: Backlog<Element>.Kind) {
        switch kind {
        case .location: locations += 1
        case .sky: skyViews += 1
        case .replaceable, .other: others += 1
        }
    }

    package var notice: Notice { Notice(.dropped(locations: locations, skyViews: skyViews, others: others)) }
}
