import Glibc
import LocationCore
import LocwatchPlatform

/// The standard output of a session: whole lines, at once, and never at the price of the session.
///
/// For a live session the newest matters: while the reader is slow, a bounded backlog waits for it, and what was dropped is
/// counted and announced in its place. A recording waits for its reader instead, and loses nothing.
final class OutputChannel {
    /// What a slow reader means.
    enum Backpressure { case live, complete }

    typealias Kind = Backlog<[UInt8]>.Kind

    /// The bytes that a pipe takes as a whole once it is ready, by POSIX.
    private static let wholePiece = Int(PIPE_BUF)
    /// The bytes that may wait for a slow reader.
    private static let limit = 256 * 1024
    /// The bytes that are gathered before they are written, if single lines are not waited for.
    private static let batch = 64 * 1024

    /// How long, in milliseconds, a reader may take nothing before the program ends without it.
    private static let shutdownTimeout: Int32 = 2000

    private let descriptor: Int32
    private let console: Console
    private let backpressure: Backpressure
    /// Makes the line that announces what was dropped.
    private let announce: (Notice) -> [UInt8]
    private var fresh = TextBuffer()
    private var marks: [(end: Int, kind: Kind)] = []
    private var backlog = Backlog<[UInt8]>(limit: OutputChannel.limit)
    /// The rest of a piece that is partly written; nothing else may be written before it.
    private var torn: ArraySlice<UInt8> = []
    private var dropped = DroppedCount()
    /// Whether the reader took nothing after a signal, so that nothing more is tried.
    private var isGivenUp = false

    /// A channel to the standard output of a console.
    init(_ console: Console, _ backpressure: Backpressure, announce: @escaping (Notice) -> [UInt8] = { _ in [] }) {
        self.console = console
        descriptor = console.output
        self.backpressure = backpressure
        self.announce = announce
    }

    /// Whether there is something that the reader has not taken yet.
    var isWaiting: Bool { !torn.isEmpty || !backlog.isEmpty || fresh.count > 0 }

    /// Appends what `body` writes.
    func put(_ kind: Kind = .other, _ body: (inout TextBuffer) -> Void) throws(OutputFailure) {
        let before = fresh.count
        body(&fresh)
        guard fresh.count > before else { return }
        if backpressure == .live { marks.append((fresh.count, kind)) }
        if backpressure == .complete, fresh.count >= Self.batch { try writeAll() }
    }

    /// Writes what the reader takes, without waiting for it in a live session.
    func flush() throws(OutputFailure) {
        guard isWaiting else { return }
        console.wipe()
        switch backpressure {
        case .complete: try writeAll()
        case .live: try writeWhatFits()
        }
    }

    /// Adds the descriptor to those that the loop polls: for room while something waits, and to notice a reader that has gone.
    func addDescriptor(to set: inout PollSet) { set.add(descriptor, isWaiting ? POLLOUT : 0) }

    /// Throws if the reader has gone.
    func check(_ set: PollSet) throws(OutputFailure) {
        if set.isReady(descriptor, POLLERR) { throw .readerGone }
    }

    /// Writes everything, waiting for the reader as long as no signal comes.
    func finish() throws(OutputFailure) {
        guard isWaiting else { return }
        console.wipe()
        while backpressure == .live, isWaiting {
            try writeWhatFits()
            guard isWaiting else { return }
            var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            // Once a signal has come, a reader that takes nothing for so long will not take the end either.
            if poll(&watched, 1, Self.shutdownTimeout) == 0, CaughtSignals.first != nil { return }
        }
        try writeAll()
    }

    private func writeAll() throws(OutputFailure) {
        defer { fresh.removeAll() }
        try fresh.written.withUnsafeBufferPointer { (bytes) throws(OutputFailure) in
            var rest = bytes[...]
            while !rest.isEmpty {
                // Once a signal has come, a reader that takes nothing must not keep the program.
                var next = rest
                if CaughtSignals.first != nil {
                    var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    isGivenUp = isGivenUp || poll(&watched, 1, Self.shutdownTimeout) == 0
                    if isGivenUp { return }
                    next = rest.prefix(Self.wholePiece)
                }
                rest = rest.dropFirst(try writePiece(next))
            }
        }
    }

    /// Writes a beginning of the bytes and answers with its length.
    private func writePiece(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) throws(OutputFailure) -> Int {
        let count = write(descriptor, UnsafeBufferPointer(rebasing: bytes).baseAddress, bytes.count)
        let code = errno
        if count >= 0 { return count }
        switch code {
        case EINTR: return 0
        case EAGAIN:
            var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&watched, 1, -1)
            return 0
        default: throw OutputFailure(errno: code)
        }
    }

    private func writeWhatFits() throws(OutputFailure) {
        if torn.isEmpty, backlog.isEmpty, fresh.count <= Self.wholePiece, isReady {
            // The usual case: a line or two, and a reader that waits for them.
            let count = try written(fresh.written.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) })
            store(after: count)
            if torn.isEmpty, backlog.isEmpty { return }
        } else {
            store(after: 0)
        }
        while isReady {
            if torn.isEmpty {
                if dropped.isZero {
                    guard let piece = backlog.popFirst() else { return }
                    torn = piece[...]
                } else {
                    // What is left is newer than what was dropped.
                    torn = announce(dropped.notice)[...]
                    dropped = DroppedCount()
                    continue
                }
            }
            let count = try written(
                torn.prefix(Self.wholePiece).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) })
            guard count > 0 else { return }
            torn = torn.dropFirst(count)
        }
    }

    /// The bytes that a write took; none if it was interrupted or would wait.
    private func written(_ result: Int) throws(OutputFailure) -> Int {
        let code = errno
        if result >= 0 { return result }
        if code == EINTR || code == EAGAIN { return 0 }
        throw OutputFailure(errno: code)
    }

    private var isReady: Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&watched, 1, 0) > 0
    }

    /// Moves what is fresh, but for the bytes that are written already, behind what waits.
    private func store(after written: Int) {
        var start = 0
        for mark in marks {
            let piece = fresh.written[start..<mark.end]
            start = mark.end
            if written >= mark.end { continue }
            if written > piece.startIndex {
                torn = Array(piece[written...])[...]
            } else {
                backlog.append(Array(piece), mark.kind, cost: piece.count) { dropped.add($1) }
            }
        }
        fresh.removeAll()
        marks.removeAll(keepingCapacity: true)
    }
}
