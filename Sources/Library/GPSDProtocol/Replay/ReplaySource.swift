import Glibc
import LocationCore
import LocwatchPlatform
import LocwatchSupport

/// A replay that reads the recording as needed and emits updates when they are due.
///
/// Session time is the recording's. At maximum pace it advances with the input, otherwise with the clock.
final class ReplaySource: Source {
    /// The size from which a file is read ahead; a smaller one is finished before a thread has started.
    private static let largeFile = 1 << 20
    /// The size of the pieces that are read on the loop's own thread: their updates fit into the memory that a queue keeps.
    private static let piece = 64 * 1024
    /// The time that updates from a pipe wait for its first time before they get the host's.
    private static let undatedLimit = Duration.seconds(1)

    private let clock: SessionClock
    private let reading: InputReading
    private let includesLines: Bool
    private let pace: ReplayPace
    private var reader: RecordingReader
    private var queue = ReusedQueue<LocationUpdate>()
    /// Whether the end of the recording has been read; updates may still be queued.
    private var isAtEnd = false
    /// Whether the input has ended, of which the reader may still have updates.
    private var isRead = false
    /// The error at which reading has ended, which ends the session after the queued updates.
    private var failure: LocationError?
    /// The moment of the last update taken, or the host's time if it was passed.
    private var reached: Moment?
    private var input: Input
    private var buffer: UnsafeMutableRawBufferPointer?
    /// The clock's time at the start of the session.
    private let opening: Duration
    /// The clock's time at which an update from a pipe began to wait for a time.
    private var undatedSince: Duration?
    /// The deadline of an epoch that waits for further reports, and the clock's time at which it began to wait.
    private var held: (deadline: Moment, since: Duration)?
    /// Whether the pipe has provided no time, so that the host's clock is used.
    private var isTimedHere = false
    /// The clock's time at which playback began, which is the arrival of the first line, however late a pipe delivers
    /// it.
    private var beginning: Duration?
    private var bytesPlayed = 0

    private enum Input {
        case unopened(RecordingSource)
        case bytes(ArraySlice<UInt8>)
        /// A file that is read on the loop's own thread, or a live input, whose end is unknown.
        case stream(RecordingInput, isLive: Bool)
        case ahead(ReadAhead)
        case closed
    }

    init(
        _ source: RecordingSource, pace: ReplayPace, reading: InputReading = InputReading(), includesLines: Bool,
        clock: SessionClock
    ) {
        self.clock = clock
        self.reading = reading
        self.includesLines = includesLines
        self.pace = pace
        reader = RecordingReader(name: source.name, reading: reading, includesLines: includesLines)
        input = .unopened(source)
        opening = clock.now.elapsed
    }

    deinit { stop() }

    func stop() {
        switch input {
        case .stream(let stream, _): stream.close()
        // The thread closes its input.
        case .ahead(let ahead): ahead.abandon()
        case .unopened, .bytes, .closed: break
        }
        input = .closed
        queue = ReusedQueue()
        (isAtEnd, failure) = (true, nil)
        buffer?.deallocate()
        buffer = nil
    }

    /// The recording's time, or the host's until the recording has provided one.
    var now: Moment { reached ?? Moment(elapsed: .zero, wall: clock.now.wall) }

    var descriptor: Int32 {
        guard queue.count == 0, !isAtEnd, !reader.hasMore else { return -1 }
        return switch input {
        case .stream(let stream, _): stream.descriptor
        case .ahead(let ahead): ahead.ready.descriptor
        case .unopened, .bytes, .closed: -1
        }
    }

    var realTime: Duration? {
        if case .stream(_, isLive: true) = input { clock.now.elapsed - opening } else { nil }
    }

    func timeLeft(until deadline: Moment?) -> Duration? {
        wakeTime(until: deadline).map { max(.zero, $0 - clock.now.elapsed) }
    }

    /// Returns the clock's time at which the next update or the deadline is due, or `nil` if only `descriptor` matters.
    private func wakeTime(until deadline: Moment?) -> Duration? {
        let own: Duration? =
            if let next = queue.first {
                time(of: next.moment) ?? opening
            } else {
                descriptor < 0 ? opening : undatedSince.map { $0 + Self.undatedLimit } ?? epochDue
            }
        guard let deadline, let time = time(of: deadline) else { return own }
        return own.map { min($0, time) } ?? time
    }

    func hasReached(_ moment: Moment) -> Bool {
        // However late the loop is, what was read already and the rest of a file come before a later deadline, and the
        // recording's time ends with it.
        if let next = queue.first {
            if next.moment < moment { return false }
        } else if isAtEnd {
            if moment > now { return false }
        } else {
            guard case .stream(_, isLive: true) = input else { return false }
        }
        return isDue(moment) ?? false
    }

    /// The bytes of the file, also if it is decompressed or decoded; none before something of it was played.
    var bytesRead: Int {
        guard bytesPlayed > 0, case .stream(let stream, _) = input else { return bytesPlayed }
        return stream.decodedBytes ?? bytesPlayed
    }

    /// Returns the clock's time at which a moment of the recording is due, or `nil` if its time does not advance by
    /// itself.
    private func time(of moment: Moment) -> Duration? {
        guard let beginning, let due = pace.playingTime(of: moment.elapsed) else { return nil }
        return beginning + due
    }

    private func isDue(_ moment: Moment) -> Bool? { time(of: moment).map { $0 <= clock.now.elapsed } }

    func turn(isReady: Bool, into updates: inout ReusedQueue<LocationUpdate>) throws(LocationError) -> Bool {
        if queue.count == 0, !isAtEnd {
            do throws(LocationError) { try readOn(isReady: isReady) } catch {
                reader.breakOff(into: &queue)
                (failure, isAtEnd) = (error, true)
            }
        }
        if updates.isEmpty, pace.playingTime(of: .zero) == nil, let last = queue.last {
            // Everything is due.
            reached = last.moment
            swap(&updates, &queue)
        }
        while let next = queue.first, isDue(next.moment) ?? true, let update = queue.popFirst() {
            reached = update.moment
            updates.append(update)
        }
        if queue.count == 0, let failure = failure.take() { throw failure }
        return !isAtEnd || queue.count > 0
    }

    private func readOn(isReady: Bool) throws(LocationError) {
        if reader.hasMore {
            try reader.resume(into: &queue)
            isAtEnd = isRead && !reader.hasMore
            if case .stream(let stream, _) = input { try stream.count(reports: queue.count) }
            return
        }
        switch input {
        case .unopened(let source): try open(source)
        case .bytes(let rest):
            let piece = rest.prefix(Self.piece)
            input = .bytes(rest.dropFirst(piece.count))
            bytesPlayed += piece.count
            try piece.withUnsafeBufferPointer { (piece) throws(LocationError) in try play(UnsafeRawBufferPointer(piece))
            }
        case .stream(let stream, let isLive):
            if isReady { try read(stream) }
            if isLive, pace.playingTime(of: .zero) == nil, !isAtEnd { passTime() }
            if isLive { expireEpoch() }
        case .ahead(let ahead):
            guard isReady, let batch = ahead.pop() else { return }
            bytesPlayed += batch.bytes
            queue = batch.updates
            isAtEnd = batch.isLast
            if let failure = batch.failure { throw failure }
        case .closed: break
        }
    }

    private func open(_ source: RecordingSource) throws(LocationError) {
        guard let stream = try RecordingInput(source, reading: reading) else {
            if case .bytes(let bytes, _) = source { input = .bytes(bytes[...]) }
            return
        }
        if pace.playingTime(of: .zero) == nil, case .path = source, stream.fileSize ?? 0 >= Self.largeFile,
            // Without a thread the file is still read, only more slowly.
            let ahead = try? ReadAhead(of: stream, includesLines: includesLines)
        {
            input = .ahead(ahead)
        } else {
            input = .stream(stream, isLive: stream.isLive)
        }
    }

    private func read(_ stream: RecordingInput) throws(LocationError) {
        let buffer = buffer ?? .allocate(byteCount: Self.piece, alignment: 64)
        self.buffer = buffer
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(reader.pieceSize, Self.piece)])
        guard let count = try stream.read(into: part) else { return }
        bytesPlayed += count
        if isTimedHere { pass(to: hostTime) }
        try play(UnsafeRawBufferPointer(rebasing: buffer[..<count]), with: stream.takeNotices())
        try stream.count(reports: queue.count)
    }

    private func play(_ piece: UnsafeRawBufferPointer, with notices: [Notice] = []) throws(LocationError) {
        isRead = piece.isEmpty
        defer {
            if beginning == nil, queue.count > 0 || reader.session.deadline != nil { beginning = clock.now.elapsed }
        }
        for notice in notices { reader.session.note(notice) }
        try reader.read(piece, into: &queue)
        isAtEnd = isRead && !reader.hasMore
    }

    /// The clock's time at which an epoch is emitted that waits for further reports, which can be far away in a live input.
    private var epochDue: Duration? {
        held.map { time(of: $0.deadline) ?? $0.since + Location.assemblyLimit }
    }

    /// Emits an epoch of a live input that has waited long enough.
    private func expireEpoch() {
        if reader.session.deadline != held?.deadline { held = reader.session.deadline.map { ($0, clock.now.elapsed) } }
        guard let deadline = held?.deadline, let due = epochDue, due <= clock.now.elapsed else { return }
        reader.session.expire(at: deadline)
        reader.session.moveUpdates(to: &queue)
        held = nil
    }

    private var hostTime: Moment { Moment(elapsed: clock.now.elapsed - opening, wall: clock.now.wall) }

    /// Gives updates from a pipe the host's time if they have waited too long for one of the pipe's.
    private func passTime() {
        guard reader.session.isUndated else {
            undatedSince = nil
            return
        }
        let now = clock.now.elapsed
        let since = undatedSince ?? now
        undatedSince = since
        guard isTimedHere || now >= since + Self.undatedLimit else { return }
        isTimedHere = isTimedHere || reached == nil
        undatedSince = nil
        pass(to: hostTime)
    }

    private func pass(to moment: Moment) {
        reader.session.pass(to: moment)
        reader.session.moveUpdates(to: &queue)
        reached = max(reached ?? moment, moment)
    }
}
