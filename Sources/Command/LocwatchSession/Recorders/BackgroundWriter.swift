import Glibc
package import LocwatchPlatform
import LocwatchSupport
package import LocwatchTerminal

/// A sink on a thread of its own, so that a session does not wait for a slow disk or reader, and a second core does the
/// writing.
///
/// The work runs in the order in which it was queued, and nothing is dropped. The first failure ends it. The sink is
/// released on the thread before `done` happens, because the program may end right then, and a sink removes its draft.
package final class BackgroundWriter<Sink>: Sendable {
    package typealias Work = @Sendable (Sink) throws(OutputFailure) -> Void

    private struct Queue {
        var work: [Work] = []
        var size = 0
        var isClosed = false
        var failure: OutputFailure?
    }

    /// The time in milliseconds after a signal for which the end waits for a reader that takes nothing.
    private static var millisecondsToWait: Int32 { 2000 }

    private let sink: Lock<Sink?>
    private let queue = Lock(Queue())
    private let limit: Int
    private let signals: Event?
    private let work: Event
    private let room: Event
    /// An event that happens when all work is done or has failed.
    package let done: Event

    /// Creates a writer and starts its thread.
    ///
    /// - Parameters:
    ///   - limit: The size of the queue from which on `append` waits.
    ///   - signals: An event that happens at a signal, which ends that wait, and that a failure triggers.
    package init(_ sink: sending Sink, limit: Int = .max, signals: Event? = nil) throws(SystemFailure) {
        self.sink = Lock(sink)
        self.limit = limit
        self.signals = signals
        work = try Event()
        room = try Event()
        done = try Event()
        try NativeThread.start { self.run() }
    }

    /// The failure that ended the work, if any.
    package var failure: OutputFailure? { queue.withLock { $0.failure } }

    package func check() throws(OutputFailure) { if let failure { throw failure } }

    /// Queues work, after waiting while the queue is full; returns `false` if the writer is closed or has failed.
    ///
    /// It waits by itself because a live source is never stopped by `SessionWait.isFull`, and a track loses nothing.
    @discardableResult package func append(size: Int = 1, _ work: @escaping Work) -> Bool {
        // After a signal the session must end, even if the reader takes nothing.
        while queue.withLock({ $0.size >= limit && $0.failure == nil }), CaughtSignals.first == nil {
            waitForRoom()
        }
        let isQueued = queue.withLock { queue in
            guard !queue.isClosed, queue.failure == nil else { return false }
            queue.work.append(work)
            queue.size += size
            return true
        }
        self.work.happen()
        return isQueued
    }

    /// Closes the queue; `done` happens when the work in it is done.
    package func close() {
        queue.withLock { $0.isClosed = true }
        work.happen()
    }

    /// Closes the queue without doing the work in it.
    package func abandon() {
        queue.withLock { ($0.work, $0.isClosed) = ([], true) }
        work.happen()
    }

    /// Closes the queue and waits until all work is done or has failed.
    ///
    /// It waits by itself because a session that could not begin has no loop, and leaves a file to complete or to discard.
    ///
    /// - Parameters:
    ///   - isForReader: Whether a reader takes the output: after a signal the wait is then short, because the reader may
    ///     have stopped.
    ///   - progress: Returns a number that changes while the reader takes something, if that is known.
    package func finish(isForReader: Bool, progress: () -> Int = { 0 }) {
        close()
        while true {
            let before = progress()
            var watched = pollfd(fd: done.descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&watched, 1, Self.millisecondsToWait)
            if count > 0 { return }
            if count == 0, isForReader, CaughtSignals.first != nil, progress() == before { return }
        }
    }

    private func waitForRoom() {
        PollSet.wait(for: [room.descriptor, signals?.descriptor ?? -1])
        room.clear()
    }

    private func run() {
        do throws(OutputFailure) {
            while true {
                work.wait()
                work.clear()
                let (taken, isClosed) = queue.withLock { queue in
                    defer { (queue.work, queue.size) = ([], 0) }
                    return (queue.work, queue.isClosed)
                }
                room.happen()
                for next in taken {
                    try sink.withLock { (sink) throws(OutputFailure) in if let sink { try next(sink) } }
                }
                if isClosed { break }
            }
            sink.withLock { $0 = nil }
        } catch {
            sink.withLock { $0 = nil }
            queue.withLock { $0.failure = error }
            room.happen()
            signals?.happen()
        }
        done.happen()
    }
}
