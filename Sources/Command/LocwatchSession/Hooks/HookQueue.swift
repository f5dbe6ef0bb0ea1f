import LocwatchArguments

/// The events that wait for their hooks, in the order in which the hooks will run.
///
/// A new event removes an older one of the same hook, fence and device that still waits, and goes to the end, so that the
/// last hook that runs is that of the newest event. The number of waiting events is limited.
package struct HookQueue: Hashable, Sendable {
    /// An event and the hook that it runs.
    struct Entry: Hashable, Sendable {
        /// The index of the hook among all hooks.
        let hook: Int
        let event: HookEvent

        fileprivate func isReplaced(by other: Entry) -> Bool {
            hook == other.hook && event.fence == other.event.fence && event.device == other.event.device
        }
    }

    package static let limit = 64

    private var entries: [Entry] = []
    /// The number of events that were dropped because too many others waited.
    private(set) var dropped = 0

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    /// Adds an event for each hook of the list that runs at it, in the order of the list.
    mutating func add(_ event: HookEvent, for hooks: [Hook]) {
        for (index, hook) in hooks.enumerated() where hook.trigger.matches(event) {
            add(Entry(hook: index, event: event))
        }
    }

    private mutating func add(_ entry: Entry) {
        if let old = entries.firstIndex(where: { $0.isReplaced(by: entry) }) {
            entries.remove(at: old)
        } else if entries.count == Self.limit {
            entries.removeFirst()
            dropped += 1
        }
        entries.append(entry)
    }

    /// Removes and returns the event whose hook runs next.
    mutating func next() -> Entry? { entries.isEmpty ? nil : entries.removeFirst() }
}
