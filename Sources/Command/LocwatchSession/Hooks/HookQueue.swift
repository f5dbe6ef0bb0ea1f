import LocwatchArguments

/// The events that wait for their hooks, in the order in which the hooks will start.
///
/// Each hook has a place of its own: its events run one at a time and in order, and neither a hook that takes long nor one with many
/// events holds another one back. A new event removes an older one of the same hook, fence and device that still waits, and goes to
/// the end, so that the last run of a hook is that of its newest event. The number of waiting events is limited for each hook.
package struct HookQueue: Hashable, Sendable {
    /// An event and the hook that it runs.
    struct WaitingEvent: Hashable, Sendable {
        /// The index of the hook among all hooks.
        let hook: Int
        let event: HookEvent

        fileprivate func isReplaced(by other: WaitingEvent) -> Bool {
            hook == other.hook && event.fence == other.event.fence && event.device == other.event.device
        }
    }

    /// The number of events that wait for one hook.
    package static let limit = 64
    /// The number of hooks that run at once.
    package static let mostRunning = 16

    private var entries: [WaitingEvent] = []
    /// The number of events that were dropped because too many others waited.
    private(set) var dropped = 0

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    /// Adds an event for each hook of the list that runs at it, in the order of the list.
    mutating func add(_ event: HookEvent, for hooks: [Hook]) {
        for (index, hook) in hooks.enumerated() where hook.trigger.matches(event) {
            add(WaitingEvent(hook: index, event: event))
        }
    }

    private mutating func add(_ entry: WaitingEvent) {
        if let old = entries.firstIndex(where: { $0.isReplaced(by: entry) }) {
            entries.remove(at: old)
        } else if entries.count(where: { $0.hook == entry.hook }) == Self.limit,
            let oldest = entries.firstIndex(where: { $0.hook == entry.hook })
        {
            entries.remove(at: oldest)
            dropped += 1
        }
        entries.append(entry)
    }

    /// Removes and returns the oldest event whose hook can start, given the indices of the hooks that run.
    mutating func next(running: some Collection<Int>) -> WaitingEvent? {
        guard running.count < Self.mostRunning else { return nil }
        return entries.firstIndex { !running.contains($0.hook) }.map { entries.remove(at: $0) }
    }
}
