import Glibc
import LocationCore
import GPSDProtocol
import LocwatchPlatform
import LocwatchSupport

/// The way of a log's bytes to a gpsd, and of its lines to their reader, for a thread of its own.
///
/// gpsd drops lines for a client that does not read them, and reads many pieces before it decodes the first. So each piece is followed by
/// a question, which gpsd answers after the lines of the piece, and the next one waits for the answer and for room at the reader.
final class LogPlayback: Sendable {
    /// The state that other threads see.
    struct Status {
        /// The number of bytes that were read from the log.
        var bytes = 0
        /// Whether nothing came of the first bytes.
        var hasGivenUp = false
        /// Whether the log has become too much; see `InputExpansion`.
        var isExcessive = false
        /// Whether gpsd ended, or stopped reading, before the end of the log.
        var isCutOff = false
        /// The system's error at which reading the log ended, if any.
        var failure: Int32?
        fileprivate var notices: [Notice] = []
    }

    /// The size of a piece: its lines must fit into the buffer of a socket, and short messages become long lines.
    private static let piece = 2048
    private static let chunk = 65_536
    /// The number of bytes of lines to write at once.
    private static let batch = 32_768
    /// The number of bytes of lines that may wait for their reader when the next piece is written.
    private static let mostWaiting = 131_072
    /// The time without any progress after which gpsd counts as stuck.
    private static let patience = Duration.seconds(30)
    private static let watch = "?WATCH={\"enable\":true,\"json\":true};"

    /// The part of a piece's way that comes next.
    private enum Step { case write, ask, hear }

    private let log: RawLog
    private let feed: Int32
    private let target: Int32
    /// The event that ends the thread.
    let stop: Event
    private let state = Lock(Status())

    /// Creates the way.
    ///
    /// - Parameters:
    ///   - feed: The write end of the pipe that gpsd reads, non-blocking, which the caller closes.
    ///   - target: The write end of the pipe of the lines, non-blocking, which the caller closes.
    init(_ log: RawLog, into feed: Int32, to target: Int32) throws(SystemFailure) {
        self.log = log
        self.feed = feed
        self.target = target
        stop = try Event()
    }

    var status: Status { state.withLock { $0 } }

    func takeNotices() -> [Notice] {
        state.withLock { state in
            defer { state.notices = [] }
            return state.notices
        }
    }

    /// Passes the log through gpsd, to which `client` is a connection that does not block.
    func run(_ client: Int32) {
        var lines = LogLines(isFamiliar: log.isFamiliar)
        var marks = LogEndMarks()
        var epochs = LogEpochs()
        var bytes = log.beginning
        marks.change(in: &bytes)
        var place = 0
        lines.dates.scan(bytes[...])
        state.withLock { $0.bytes = bytes.count }
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        var isAtEnd = false
        var hasAskedLast = false
        var step = Step.write
        guard Self.send(Self.watch, client) else { return cutOff() }
        while true {
            let hasMore = place < bytes.count
            // The next bytes may be long in coming.
            if step == .write, !hasMore, lines.isHolding, !PollSet.wait(for: log.source, within: .zero) {
                lines.release()
            }
            let canWrite = step == .write && lines.isWatching && lines.waiting.count < Self.mostWaiting
            // The pipe can be written when gpsd has read all of it.
            let waitsForPipe = step == .ask || canWrite && (hasMore || isAtEnd)
            // Few large writes, unless the next bytes of the log are waited for.
            let isDue = lines.waiting.count >= Self.batch || step == .write && !(hasMore || isAtEnd)
            let hasRoom = lines.waiting.count < 2 * Self.mostWaiting
            var watched = PollSet()
            watched.add(stop.descriptor, POLLIN)
            watched.add(target, lines.waiting.isEmpty || !isDue ? 0 : POLLOUT)
            if hasRoom { watched.add(client, POLLIN) }
            if waitsForPipe { watched.add(feed, POLLOUT) }
            if canWrite, !waitsForPipe { watched.add(log.source, POLLIN) }
            // gpsd owes something unless the log or the reader is waited for. No signal ends the wait on this thread.
            let isOwed = !lines.isWatching || waitsForPipe || step == .hear && hasRoom
            guard watched.wait(within: isOwed ? Self.patience : nil) else { return cutOff() }
            if watched.isReady(stop.descriptor) || watched.isReady(target, POLLERR) { return }
            if watched.isReady(target) { guard deliver(&lines) else { return } }
            if watched.isReady(client) {
                guard hear(client, &lines, &buffer) else { return cutOff() }
                if step == .hear, lines.isAnswered {
                    if hasAskedLast { return finish(&lines) }
                    step = .write
                }
                continue
            }
            if watched.isReady(feed) {
                if step == .write, hasMore {
                    let piece = nextPiece(of: bytes[place...], &epochs, &lines)
                    guard write(piece, &place) else { return cutOff() }
                    step = .ask
                } else {
                    // Asked once more after the last piece.
                    hasAskedLast = step == .write
                    guard Self.send(lines.nextQuestion(), client) else { return cutOff() }
                    step = .hear
                }
            }
            if watched.isReady(log.source) {
                guard status.bytes < RawLog.resultLimit || lines.hasResult else {
                    state.withLock { $0.hasGivenUp = true }
                    return
                }
                guard !log.isExcessive(status.bytes) else {
                    state.withLock { $0.isExcessive = true }
                    return
                }
                place = 0
                isAtEnd = !readOn(&bytes, &buffer)
                marks.change(in: &bytes)
                lines.dates.scan(bytes[...])
            }
        }
    }

    /// Returns the bytes to write next: those of one epoch at most, if the log states no date.
    private func nextPiece(
        of bytes: ArraySlice<UInt8>, _ epochs: inout LogEpochs, _ lines: inout LogLines
    ) -> ArraySlice<UInt8> {
        var piece = bytes.prefix(Self.piece)
        guard GPSDQuirks.repeatsUndatedEpochs, lines.dates.stated == nil else {
            lines.holdsPositions = false
            if lines.isHolding { lines.release() }
            return piece
        }
        let (length, isFirst) = epochs.next(of: piece)
        piece = piece.prefix(length)
        if isFirst, lines.isHolding { lines.release() }
        lines.holdsPositions = epochs.isKnown
        return piece
    }

    private func cutOff() { state.withLock { $0.isCutOff = true } }

    private static func send(_ command: String, _ client: Int32) -> Bool {
        let bytes = Array(command.utf8)
        return Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Reads the next bytes of the log; returns `false` at its end.
    private func readOn(_ bytes: inout [UInt8], _ buffer: inout [UInt8]) -> Bool {
        bytes.removeAll(keepingCapacity: true)
        let count = Glibc.read(log.source, &buffer, buffer.count)
        let code = errno
        if count > 0 {
            bytes += buffer[..<count]
            state.withLock { $0.bytes += count }
        } else if count < 0, code == EAGAIN || code == EINTR {
            return true
        } else if count < 0 {
            state.withLock { $0.failure = code }
        }
        return count > 0
    }

    /// Writes a piece to gpsd; returns `false` if nothing reads it any more.
    private func write(_ piece: ArraySlice<UInt8>, _ place: inout Int) -> Bool {
        // The thread blocks all signals, so that SIGPIPE does not end the program.
        let count = piece.withUnsafeBytes { Glibc.write(feed, $0.baseAddress, $0.count) }
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        place += count
        return true
    }

    /// Reads lines of gpsd; returns `false` if there are no more.
    private func hear(_ client: Int32, _ lines: inout LogLines, _ buffer: inout [UInt8]) -> Bool {
        let count = recv(client, &buffer, buffer.count, 0)
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        guard count > 0 else { return false }
        buffer.withUnsafeBytes { lines.process(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        if !lines.dates.notices.isEmpty {
            state.withLock { $0.notices += lines.dates.notices }
            lines.dates.notices = []
        }
        return true
    }

    /// Writes lines to their reader; returns `false` if it reads no more.
    private func deliver(_ lines: inout LogLines) -> Bool {
        let count = lines.waiting.withUnsafeBytes { Glibc.write(target, $0.baseAddress, $0.count) }
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        lines.waiting.removeFirst(count)
        return true
    }

    /// Delivers the last lines.
    private func finish(_ lines: inout LogLines) {
        lines.release()
        while !lines.waiting.isEmpty {
            var watched = PollSet()
            watched.add(stop.descriptor, POLLIN)
            watched.add(target, POLLOUT)
            watched.wait()
            guard !watched.isReady(stop.descriptor), deliver(&lines) else { return }
        }
    }
}
