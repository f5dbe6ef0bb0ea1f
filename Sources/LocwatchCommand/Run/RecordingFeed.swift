import GPSDReports
import LocationCore
import Platform

/// A recorded session, from a file or a pipe, as the source of a session.
///
/// Its time is the recording's. At full pace it goes on with what is read, else as the program's clock does.
final class RecordingFeed: SessionFeed {
    /// From which size on a file is read ahead: a small one is done before a thread has begun.
    private static let largeFile = 1 << 20

    /// How long what comes through a pipe waits for the first time in it, before it gets the program's own.
    private static let undatedPatience = Duration.seconds(1)

    private let input: RecordingInput
    private let pace: ReplayPace
    private let device: String?
    private let clock: SessionClock
    /// Reads and decodes a large file on a thread of its own.
    private var ahead: ReadAhead?
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: ReadAhead.chunk, alignment: 64)
    private var reader: RecordingReader
    private var queue: [LocationUpdate] = []
    private var head = 0
    private var hasEnded = false
    /// When, on the program's clock, a pipe was opened, which may have nothing to tell for as long as it likes.
    private let opening: Duration?
    /// Since when, on the program's clock, something that came through a pipe waits for a time.
    private var undatedSince: Duration?
    /// Whether the program's clock is that of a pipe which has told no time.
    private var isTimedHere = false
    /// When, on the program's clock, the recording began to play.
    private var beginning: Moment?
    private let tap: ((UnsafeRawBufferPointer, Moment) -> Void)?
    /// The recording's time; before it has told one, the program's.
    private(set) var now: Moment { didSet { hasBegun = true } }
    private(set) var hasBegun = false

    /// - Parameter device: the receiver to tell of, where it is not all of them.
    init(
        path: String, pace: ReplayPace, device: String? = nil, clock: SessionClock,
        tap: ((UnsafeRawBufferPointer, Moment) -> Void)? = nil
    ) throws(LocationError) {
        self.pace = pace
        self.device = device
        self.clock = clock
        self.tap = tap
        now = Moment(elapsed: .zero, wall: clock.now.wall)
        input = try RecordingInput(path: path)
        opening = input.fileSize == nil ? clock.now.elapsed : nil
        reader = RecordingReader(name: input.name)
        if case .max = pace, path != "-", input.fileSize ?? 0 >= Self.largeFile {
            // Without a thread it is read all the same, only slower.
            ahead = try? ReadAhead(of: input, keepsChunks: tap != nil)
        }
    }

    deinit {
        buffer.deallocate()
        // The thread closes what it reads.
        if let ahead { ahead.abandon() } else { input.close() }
    }

    var descriptor: Int32 { hasEnded || head < queue.count ? -1 : ahead?.ready.descriptor ?? input.descriptor }

    var patience: Duration? {
        guard head < queue.count else { return hasEnded ? .zero : undatedPatience }
        return wait(until: queue[head].moment) ?? .zero
    }

    var lasted: Duration? { opening.map { clock.now.elapsed - $0 } }

    func wait(until moment: Moment) -> Duration? {
        guard case .times(let rate) = pace, let beginning else { return nil }
        return max(.zero, moment.elapsed / rate - (clock.now.elapsed - beginning.elapsed))
    }

    func step(isReady: Bool, _ tell: (LocationUpdate) -> Void) throws(LocationError) -> Bool {
        guard let device else { return try play(isReady: isReady, tell) }
        return try play(isReady: isReady) { update in
            if update.event.device ?? device == device { tell(update) }
        }
    }

    private func play(isReady: Bool, _ tell: (LocationUpdate) -> Void) throws(LocationError) -> Bool {
        if head == queue.count, !hasEnded {
            if isReady { if let ahead { try take(from: ahead, tell) } else { try read(tell) } }
            if !hasEnded { passTime(tell) }
            guard isReady else { return true }
        }
        while head < queue.count, (wait(until: queue[head].moment) ?? .zero) <= .zero {
            now = queue[head].moment
            head += 1
            tell(queue[head - 1])
        }
        return !hasEnded || head < queue.count
    }

    private func read(_ tell: (LocationUpdate) -> Void) throws(LocationError) {
        guard let count = try input.read(into: buffer) else { return }
        if isTimedHere, let lasted { reader.pass(to: Moment(elapsed: lasted, wall: clock.now.wall), tell) }
        queue.removeAll(keepingCapacity: true)
        head = 0
        hasEnded = count == 0
        let chunk = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        defer { tap?(chunk, now) }
        if case .max = pace {
            // Nothing waits for its time: told as it is read, without a detour.
            var last: Moment?
            defer { if let last { now = last } }
            try reader.read(chunk) { update in
                last = update.moment
                tell(update)
            }
        } else {
            var updates: [LocationUpdate] = []
            swap(&updates, &queue)
            defer { swap(&updates, &queue) }
            try reader.read(chunk) { updates.append($0) }
            if beginning == nil, !updates.isEmpty { beginning = clock.now }
        }
    }

    /// How long what waits for a time waits for it still.
    private var undatedPatience: Duration? {
        undatedSince.map { max(.zero, $0 + Self.undatedPatience - clock.now.elapsed) }
    }

    /// Gives what has come through a pipe the program's time, where it has none of its own for long.
    private func passTime(_ tell: (LocationUpdate) -> Void) {
        guard let lasted, case .max = pace else { return }
        guard reader.isUndated else {
            undatedSince = nil
            return
        }
        undatedSince = undatedSince ?? clock.now.elapsed
        guard isTimedHere || undatedPatience == .zero else { return }
        isTimedHere = true
        undatedSince = nil
        let moment = Moment(elapsed: lasted, wall: clock.now.wall)
        reader.pass(to: moment, tell)
        now = moment
    }

    private func take(from ahead: ReadAhead, _ tell: (LocationUpdate) -> Void) throws(LocationError) {
        guard let batch = ahead.take() else { return }
        hasEnded = batch.hasEnded
        for update in batch.updates { tell(update) }
        if let last = batch.updates.last { now = last.moment }
        if let tap { batch.chunk.withUnsafeBytes { tap($0, now) } }
        if let failure = batch.failure { throw failure }
    }
}
