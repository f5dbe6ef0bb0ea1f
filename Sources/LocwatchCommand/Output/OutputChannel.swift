import Glibc
import LocationCore
import Platform

/// Standard output of a session: whole lines, at once, and never at the price of the session.
///
/// Of a live session the newest matters: while the reader is slow the oldest positions and sky views are dropped, counted, and
/// announced in their place. A recording waits for its reader instead: nothing of it is lost.
final class OutputChannel {
    /// What a slow reader means.
    enum Manner { case live, complete }

    /// What a piece of output is: measurements may be dropped, as newer ones take their place.
    enum Kind { case location, sky, other }

    private struct Piece {
        var bytes: [UInt8]
        var kind: Kind
    }

    /// What POSIX lets a pipe take as a whole once it says that it is ready.
    private static let wholePiece = Int(PIPE_BUF)
    /// How much may wait for a slow reader.
    private static let backlog = 256 * 1024
    /// How much is gathered before it is written, where nobody waits for single lines.
    private static let batch = 64 * 1024

    /// How long, in milliseconds, a reader may take nothing before the program ends without it.
    private static let farewell: Int32 = 2000

    private let descriptor: Int32
    private let console: Console
    private let manner: Manner
    /// Makes the line that announces what was dropped.
    private let announce: (Notice) -> [UInt8]
    private var fresh = TextBuffer()
    private var marks: [(end: Int, kind: Kind)] = []
    private var waiting: [Piece] = []
    private var waitingBytes = 0
    private var written = 0
    /// Whether the reader took nothing after a signal, so that nothing more is tried.
    private var isGivenUp = false
    private var dropped = (locations: 0, skyViews: 0)

    /// A channel to the standard output of a console.
    init(_ console: Console, manner: Manner, announce: @escaping (Notice) -> [UInt8] = { _ in [] }) {
        self.console = console
        descriptor = console.output
        self.manner = manner
        self.announce = announce
    }

    /// Whether there is something that the reader has not taken yet.
    var isWaiting: Bool { !waiting.isEmpty || fresh.count > 0 }

    /// Takes what `body` writes.
    func put(_ kind: Kind = .other, _ body: (inout TextBuffer) -> Void) throws(OutputFailure) {
        let before = fresh.count
        body(&fresh)
        guard fresh.count > before else { return }
        if manner == .live { marks.append((fresh.count, kind)) }
        if manner == .complete, fresh.count >= Self.batch { try writeAll() }
    }

    /// Writes what the reader takes, without waiting for it in a live session.
    func flush() throws(OutputFailure) {
        guard isWaiting else { return }
        console.wipe()
        switch manner {
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
        while manner == .live, isWaiting {
            try writeWhatFits()
            guard isWaiting else { return }
            var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            // Once a signal has come, a reader that takes nothing for so long will not take the end either.
            if poll(&watched, 1, Self.farewell) == 0, CaughtSignals.first != nil { return }
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
                    isGivenUp = isGivenUp || poll(&watched, 1, Self.farewell) == 0
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
        if waiting.isEmpty, fresh.count <= Self.wholePiece, isReady {
            // The usual case: a line or two, and a reader that waits for them.
            let count = fresh.written.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count == fresh.count {
                fresh.removeAll()
                marks.removeAll(keepingCapacity: true)
                return
            }
            let code = errno
            if count < 0, code != EINTR, code != EAGAIN { throw OutputFailure(errno: code) }
            store()
            written = max(0, count)
        } else {
            store()
        }
        while isReady {
            announceDropped()
            guard let first = waiting.first else { return }
            let end = min(first.bytes.count, written + Self.wholePiece)
            let count = first.bytes[written..<end].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            let code = errno
            if count < 0 {
                if code == EINTR || code == EAGAIN { return }
                throw OutputFailure(errno: code)
            }
            written += count
            if written == first.bytes.count { removeFirst() }
        }
    }

    private var isReady: Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&watched, 1, 0) > 0
    }

    /// Puts what is fresh behind what waits, and drops what has waited too long.
    private func store() {
        var start = 0
        for mark in marks {
            waiting.append(Piece(bytes: Array(fresh.written[start..<mark.end]), kind: mark.kind))
            waitingBytes += mark.end - start
            start = mark.end
        }
        fresh.removeAll()
        marks.removeAll(keepingCapacity: true)
        var index = written > 0 ? 1 : 0
        while waitingBytes > Self.backlog, index < waiting.count {
            switch waiting[index].kind {
            case .location: dropped.locations += 1
            case .sky: dropped.skyViews += 1
            case .other:
                index += 1
                continue
            }
            waitingBytes -= waiting[index].bytes.count
            waiting.remove(at: index)
        }
    }

    private func removeFirst() {
        waitingBytes -= waiting.removeFirst().bytes.count
        written = 0
    }

    /// Puts the number of what was dropped before what is left, which is newer.
    private func announceDropped() {
        guard written == 0, dropped != (0, 0) else { return }
        let line = announce(.dropped(locations: dropped.locations, skyViews: dropped.skyViews))
        dropped = (0, 0)
        guard !line.isEmpty else { return }
        waiting.insert(Piece(bytes: line, kind: .other), at: 0)
        waitingBytes += line.count
    }
}
