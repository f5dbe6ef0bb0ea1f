import Glibc

/// A set of descriptors to poll together.
package struct PollSet {
    private var entries: [pollfd] = []

    package init() {}

    /// Removes all descriptors, and keeps the memory for those of the next wait.
    package mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Adds a descriptor, unless it is negative; without events only its failures are reported.
    package mutating func add(_ descriptor: Int32, _ events: Int32 = 0) {
        guard descriptor >= 0 else { return }
        entries.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
    }

    /// Returns whether one of the events is reported for a descriptor.
    package func isReady(_ descriptor: Int32, _ events: Int32 = ~0) -> Bool {
        entries.contains { $0.fd == descriptor && Int32($0.revents) & events != 0 }
    }

    /// Waits until an event is reported, a signal is handled, or the limit has passed, if there is one; returns whether there
    /// is an event.
    @discardableResult
    package mutating func wait(within limit: Duration? = nil) -> Bool {
        let count = poll(&entries, nfds_t(entries.count), limit?.wholeMilliseconds ?? -1)
        // An interrupted poll leaves the results of the last call.
        if count < 0 { for index in entries.indices { entries[index].revents = 0 } }
        return count > 0
    }

    /// Waits once until one of the descriptors can be read, as `wait(within:)` does, and returns their set.
    @discardableResult
    package static func wait(for descriptors: [Int32], within limit: Duration? = nil) -> PollSet {
        var set = PollSet()
        for descriptor in descriptors { set.add(descriptor, POLLIN) }
        set.wait(within: limit)
        return set
    }

    /// Waits once for events of one descriptor, as `wait(within:)` does; a limit of zero only asks.
    @discardableResult
    package static func wait(for descriptor: Int32, _ events: Int32 = POLLIN, within limit: Duration? = nil) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return poll(&entry, 1, limit?.wholeMilliseconds ?? -1) > 0
    }
}
