import Glibc
package import LocationCore
package import LocwatchPlatform
import LocwatchSupport
package import LocwatchTerminal

/// A track writer with a thread of its own, so that reading the session does not wait for the disk or for the reader of
/// the output, and a second core does the writing.
///
/// It drops nothing: when its queue is full, `append` waits.
package final class BackgroundTrackWriter: Sendable {
    private struct Content {
        var queue: [TrackPiece] = []
        var closing: Closing?
        var failure: OutputFailure?
        var written = Written()
    }

    /// The result of the writing.
    package struct Written: Sendable {
        package var points = 0
        package var paths: [String] = []
    }

    /// The way in which the track ends.
    private enum Closing {
        case finished(at: Timestamp)
        case abandoned
    }

    /// The number of pieces that can be queued.
    private static let limit = 8192
    /// The time in milliseconds for which the end after a signal waits for the reader of the output.
    private static let millisecondsToWait: Int32 = 2000

    private let sink: Lock<(any TrackSink)?>
    private let content = Lock(Content())
    private let signals: Event
    private let work: Event
    private let room: Event
    private let done: Event

    /// Creates a writer to a sink; `signals` happens if writing fails, so that the session ends.
    package init(_ sink: sending any TrackSink, signals: Event) throws(OutputFailure) {
        self.sink = Lock(sink)
        self.signals = signals
        do throws(SystemFailure) {
            work = try Event()
            room = try Event()
            done = try Event()
            try NativeThread.start { self.run() }
        } catch {
            throw .cannotCreate("\(error)")
        }
    }

    /// Queues the next pieces, and waits while the queue is full.
    package func append(_ pieces: [TrackPiece]) throws(OutputFailure) {
        while true {
            let (isFull, failure) = content.withLock { ($0.queue.count >= Self.limit, $0.failure) }
            if let failure { throw failure }
            // After a signal the session must end, even if the reader takes nothing.
            if !isFull || CaughtSignals.first != nil { break }
            wait(for: room)
            room.clear()
        }
        content.withLock { $0.queue += pieces }
        work.happen()
    }

    /// Throws the failure of the writing, if any.
    package func check() throws(OutputFailure) {
        if let failure = content.withLock({ $0.failure }) { throw failure }
    }

    /// Waits until everything is written and finished, and returns the result.
    ///
    /// - Parameters:
    ///   - isAbandoned: Whether the output is discarded instead of becoming a file.
    ///   - isForReader: Whether a reader takes the output. After a signal the wait is then short, because the reader
    ///     may have stopped.
    package func finish(at time: Timestamp, isAbandoned: Bool, isForReader: Bool) throws(OutputFailure) -> Written {
        content.withLock { $0.closing = isAbandoned ? .abandoned : .finished(at: time) }
        work.happen()
        if !isForReader {
            done.wait()
        } else if !wait(for: done) {
            var watched = pollfd(fd: done.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&watched, 1, Self.millisecondsToWait)
        }
        try check()
        return content.withLock { $0.written }
    }

    /// Waits for an event; returns `false` if a signal comes first.
    @discardableResult private func wait(for event: Event) -> Bool {
        var watched = [
            pollfd(fd: event.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&watched, 2, -1) < 0, errno == EINTR, CaughtSignals.first == nil {}
        return watched[0].revents != 0
    }

    private func run() {
        do throws(OutputFailure) {
            while true {
                work.wait()
                work.clear()
                let (pieces, closing) = content.withLock { content in
                    let taken = content.queue
                    content.queue = []
                    return (taken, content.closing)
                }
                room.happen()
                if case .abandoned = closing {
                    // The sink is released here, because the program may end right after `done`, before its draft is
                    // removed.
                    sink.withLock { $0 = nil }
                    break
                }
                if !pieces.isEmpty { try use { (sink) throws(OutputFailure) in try sink.process(pieces) } }
                guard case .finished(let time) = closing else { continue }
                try use { (sink) throws(OutputFailure) in try sink.finish(at: time) }
                break
            }
        } catch {
            // The program may end right after the failure is known, before the sink removes its draft.
            sink.withLock { $0 = nil }
            content.withLock { $0.failure = error }
            room.happen()
            signals.happen()
        }
        done.happen()
    }

    private func use(_ body: (any TrackSink) throws(OutputFailure) -> Void) throws(OutputFailure) {
        let written = try sink.withLock { (sink) throws(OutputFailure) in
            guard let sink else { return Written() }
            try body(sink)
            return Written(points: sink.points, paths: sink.paths)
        }
        content.withLock { $0.written = written }
    }
}
