import Glibc
import LocationCore
import LocationTracks
import LocwatchPlatform
import LocwatchLock

/// Writes a track on a thread of its own, in the order in which it comes: the session goes on being read while the disk or the
/// reader of the output is waited for, and a second core does the writing.
///
/// Nothing is dropped: when too much waits, whoever gives more waits too.
final class BackgroundTrackWriter: Sendable {
    private struct Content {
        var queue: [TrackPiece] = []
        var closing: Closing?
        var failure: OutputFailure?
        var written = Written()
    }

    /// What was written in the end.
    struct Written: Sendable {
        var points = 0
        var paths: [String] = []
    }

    /// How the track ends.
    private enum Closing {
        case finished(at: Timestamp)
        case abandoned
    }

    /// How many pieces may wait.
    private static let limit = 8192
    /// How long whoever ends the program by a signal waits for the reader of the output.
    private static let patience: Int32 = 2000

    private let sink: Lock<(any TrackSink)?>
    private let content = Lock(Content())
    private let signals: Event
    private let work: Event
    private let room: Event
    private let done: Event

    /// Writes to a sink; `signals` happens too when nothing more can be written, so that the session ends.
    init(_ sink: sending any TrackSink, signals: Event) throws(OutputFailure) {
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

    /// Hands over the next pieces, and waits while too many wait already.
    func append(_ pieces: [TrackPiece]) throws(OutputFailure) {
        while true {
            let (isFull, failure) = content.withLock { ($0.queue.count >= Self.limit, $0.failure) }
            if let failure { throw failure }
            // A signal is to end the session, whoever does not read.
            if !isFull || CaughtSignals.first != nil { break }
            wait(for: room)
            room.clear()
        }
        content.withLock { $0.queue += pieces }
        work.happen()
    }

    /// Throws what went wrong, if something did.
    func check() throws(OutputFailure) {
        if let failure = content.withLock({ $0.failure }) { throw failure }
    }

    /// Has everything written and ended, and tells what it was.
    ///
    /// - Parameters:
    ///   - isAbandoned: there is nothing worth a file.
    ///   - isForReader: after a signal it is not waited for long, as whoever reads may take nothing any more.
    func finish(at time: Timestamp, isAbandoned: Bool, isForReader: Bool) throws(OutputFailure) -> Written {
        content.withLock { $0.closing = isAbandoned ? .abandoned : .finished(at: time) }
        work.happen()
        if !isForReader {
            done.wait()
        } else if !wait(for: done) {
            var watched = pollfd(fd: done.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&watched, 1, Self.patience)
        }
        try check()
        return content.withLock { $0.written }
    }

    /// Waits for an event; `false` when a signal asks to end first.
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
                    // Released here, because the program may end right after `done`, and a draft must be removed before.
                    sink.withLock { $0 = nil }
                    break
                }
                if !pieces.isEmpty { try use { (sink) throws(OutputFailure) in try sink.process(pieces) } }
                guard case .finished(let time) = closing else { continue }
                try use { (sink) throws(OutputFailure) in try sink.finish(at: time) }
                break
            }
        } catch {
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
