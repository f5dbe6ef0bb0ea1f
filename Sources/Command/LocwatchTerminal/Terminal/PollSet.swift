import Glibc

/// A set of descriptors to poll together.
package struct PollSet {
    private var entries: [pollfd] = []

    package init() {}

    /// Adds a descriptor, unless it is negative; without events only its failures are reported.
    package mutating func add(_ descriptor: Int32, _ events: Int32 = 0) {
        guard descriptor >= 0 else { return }
        entries.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
    }

    /// Returns whether one of the events is reported for a descriptor.
    package func isReady(_ descriptor: Int32, _ events: Int32 = ~0) -> Bool {
        entries.contains { $0.fd == descriptor && Int32($0.revents) & events != 0 }
    }

    /// Waits until an event is reported, for at most `milliseconds`; −1 means without a limit.
    package mutating func wait(_ milliseconds: Int32) {
        let count = poll(&entries, nfds_t(entries.count), milliseconds)
        // An interrupted poll leaves the results of the last call.
        if count < 0 { for index in entries.indices { entries[index].revents = 0 } }
    }
}
