import Glibc
import LocwatchSupport

/// A thread that waits for the descriptors of all sessions that tasks read, and calls back when one is ready.
///
/// The thread runs while a descriptor is watched. A function that it calls must not block.
package final class Reactor: Sendable {
    private struct Watch {
        var descriptor: Int32
        var events: Int32
        var body: @Sendable () -> Void
    }

    private struct Content {
        var watches: [Int: Watch] = [:]
        var lastWatch = 0
        /// The event that ends a wait of the thread, while it runs.
        var change: Event?
        var isPolling = false
    }

    package static let shared = Reactor()

    private let content = Lock(Content())

    /// Calls `body` once, on the thread, when one of the events is reported for a descriptor; returns a number for `cancel`.
    package func watch(
        _ descriptor: Int32, for events: Int32 = POLLIN, _ body: @escaping @Sendable () -> Void
    ) throws(SystemFailure) -> Int {
        try content.withLock { (content) throws(SystemFailure) in
            if let change = content.change {
                if content.isPolling { change.happen() }
            } else {
                let change = try Event()
                try NativeThread.start { [self] in run(change) }
                content.change = change
            }
            content.lastWatch += 1
            content.watches[content.lastWatch] = Watch(descriptor: descriptor, events: events, body: body)
            return content.lastWatch
        }
    }

    /// Ends a watch; a call that has begun is not waited for.
    package func cancel(_ number: Int) {
        // The closure, with all that it captures, is released outside the lock.
        _ = content.withLock { content in
            let watch = content.watches.removeValue(forKey: number)
            if watch != nil, content.isPolling { content.change?.happen() }
            return watch
        }
    }

    private func run(_ change: Event) {
        while let watches = beginWait() {
            var set = PollSet()
            set.add(change.descriptor, POLLIN)
            for watch in watches.values { set.add(watch.descriptor, watch.events) }
            set.wait()
            for watch in endWait(set, change, watches) { watch.body() }
        }
    }

    /// Returns the descriptors to wait for, or `nil` to end the thread because there are none.
    private func beginWait() -> [Int: Watch]? {
        content.withLock { content in
            content.isPolling = !content.watches.isEmpty
            if content.isPolling { return content.watches }
            content.change = nil
            return nil
        }
    }

    /// Removes and returns the watches whose descriptors are ready.
    private func endWait(_ set: PollSet, _ change: Event, _ watches: [Int: Watch]) -> [Watch] {
        content.withLock { content in
            content.isPolling = false
            if set.isReady(change.descriptor) { change.clear() }
            return watches.filter { set.isReady($0.value.descriptor) }.keys.sorted().compactMap {
                content.watches.removeValue(forKey: $0)
            }
        }
    }
}
