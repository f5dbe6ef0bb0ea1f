import Glibc
import LocationCore

/// The output that the reader of a channel has not taken yet: the fresh lines, and those that wait because it is slow.
struct PendingOutput: ~Copyable {
    /// The number of bytes that POSIX guarantees a ready pipe to take at once.
    static let wholePiece = Int(PIPE_BUF)
    /// The number of bytes that can wait for a slow reader.
    private static let limit = 256 * 1024

    /// The lines since the last write.
    var fresh = TextBuffer()
    private var marks: [(end: Int, kind: BacklogKind)] = []
    /// The pieces that wait for a slow reader.
    private var backlog = Backlog<[UInt8]>(limit: PendingOutput.limit)
    /// The rest of a partly written piece, which must be written before anything else.
    private var torn: ArraySlice<UInt8> = []
    private var dropped = DroppedCount()
    /// The number of pieces that a slow reader has missed, without those that a newer one replaces.
    private(set) var lost = 0

    var isEmpty: Bool { mutating get { fresh.count == 0 && !isBehind } }

    /// Whether the reader has not taken all that was written for it.
    var isBehind: Bool { mutating get { !torn.isEmpty || !backlog.isEmpty } }

    /// Appends the output of `body`, as a piece of a kind if that is given, and returns the number of fresh bytes if there are more.
    mutating func append(_ kind: BacklogKind?, _ body: (inout TextBuffer) -> Void) -> Int {
        let before = fresh.count
        body(&fresh)
        guard fresh.count > before else { return 0 }
        if let kind { marks.append((fresh.count, kind)) }
        return fresh.count
    }

    /// Writes what the reader takes, and keeps the rest.
    ///
    /// - Parameters:
    ///   - atOnce: Whether a write never waits, so that the reader is asked for room only after it took nothing.
    ///   - announce: Returns the line that announces dropped lines.
    mutating func write(
        to descriptor: Int32, atOnce: Bool, announce: (Notice) -> [UInt8]
    ) throws(OutputFailure) {
        if !isBehind, fresh.count <= Self.wholePiece, atOnce || Self.pollForRoom(at: descriptor, 0) > 0 {
            // Usually there are only a line or two and a waiting reader.
            let count = fresh.written.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            store(after: try Self.written(count, errno))
            if !isBehind { return }
        } else {
            store(after: 0)
        }
        while Self.pollForRoom(at: descriptor, 0) > 0 {
            if torn.isEmpty {
                if dropped.isZero {
                    guard let piece = backlog.popFirst() else { return }
                    torn = piece[...]
                } else {
                    // Everything that is left is newer than what was dropped.
                    torn = announce(dropped.notice)[...]
                    dropped = DroppedCount()
                    continue
                }
            }
            let result = torn.prefix(Self.wholePiece).withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            let count = try Self.written(result, errno)
            guard count > 0 else { return }
            torn = torn.dropFirst(count)
        }
    }

    /// Moves fresh output, except the bytes already written, to the end of the backlog.
    private mutating func store(after written: Int) {
        if written < fresh.count {
            var start = 0
            var (dropped, lost) = (dropped, lost)
            for mark in marks {
                let piece = fresh.written[start..<mark.end]
                start = mark.end
                if written >= mark.end { continue }
                if written > piece.startIndex {
                    torn = Array(piece[written...])[...]
                } else {
                    backlog.append(Array(piece), mark.kind, cost: piece.count) { _, kind in
                        dropped.add(kind)
                        if case .replaceable = kind { return }
                        lost += 1
                    }
                }
            }
            (self.dropped, self.lost) = (dropped, lost)
        }
        fresh.removeAll()
        marks.removeAll(keepingCapacity: true)
    }

    /// Returns the number of bytes written, which is zero if the write was interrupted or would have blocked.
    static func written(_ result: Int, _ code: Int32) throws(OutputFailure) -> Int {
        if result >= 0 { return result }
        if code == EINTR || code == EAGAIN { return 0 }
        throw OutputFailure(errno: code)
    }

    /// Waits until the reader takes output, for at most a time in milliseconds; returns the result of `poll`.
    static func pollForRoom(at descriptor: Int32, _ timeout: Int32) -> Int32 {
        var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&watched, 1, timeout)
    }
}
