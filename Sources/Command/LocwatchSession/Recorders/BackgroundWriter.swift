import Glibc
package import LocwatchPlatform
import LocwatchSupport
package import LocwatchTerminal

/// A sink on a thread of its own, so that a session does not wait for a slow disk or reader, and a second core does the
/// writing.
///
/// The work runs in the order in which it was queued, and nothing of it is dropped. The first failure ends it. The sink is
/// released on the thread before `done` happens, because the program may end right then, and a sink removes its draft.
///
/// The owner limits the queue: a recording is read no further while it is full (`addRoom`), and what a live source tells then is left
/// out, because such a source is never stopped.
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
    /// The size of the queue from which on it is full.
    private let limit: Int
    private let attention: Event?
    private let work: Event
    private let room: Event
    /// An event that happens when all work is done or has failed.
    package let done: Event

    /// Creates a writer and starts its thread.
    ///
    /// - Parameters:
    ///   - limit: The size of the queue from which on it is full.
    ///   - attention: An event that a failure triggers, for the loop of the session.
    package init(_ sink: sending Sink, limit: Int, attention: Event? = nil) throws(SystemFailure) {
        self.sink = Lock(sink)
        self.limit = limit
        self.attention = attention
        work = try Event()
        room = try Event()
        done = try Event()
        try NativeThread.start { self.run() }
    }

    /// The failure that ended the work, if any.
    package var failure: OutputFailure? { queue.withLock { $0.failure } }

    package func check() throws(OutputFailure) { if let failure { throw failure } }

    package var isFull: Bool { queue.withLock { $0.size >= limit && $0.failure == nil } }

    /// Lets a recording wait until there is room in the queue, if it is full.
    package func addRoom(to wait: inout SessionWait) {
        room.clear()
        guard isFull else { return }
        wait.isFull = true
        wait.add(room.descriptor, POLLIN)
    }

    /// Queues work, also beyond the limit; returns `false` if the writer is closed or has failed.
    @discardableResult package func append(size: Int = 1, _ work: @escaping Work) -> Bool {
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
            attention?.happen()
        }
        done.happen()
    }
}
