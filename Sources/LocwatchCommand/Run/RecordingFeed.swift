import GPSDReports
import Glibc
import LocationCore
import Platform

/// A recorded session, from a file or a pipe, as the source of a session.
///
/// Its time is the recording's. At full pace it goes on with what is read, else as the program's clock does.
final class RecordingFeed: SessionFeed {
    /// From which size on a file is read ahead: a small one is done before a thread has begun.
    private static let largeFile = 1 << 20

    private let name: String
    private let pace: ReplayPace
    private let clock: SessionClock
    private var ownsDescriptor: Bool
    private let input: Int32
    /// Reads and decodes a large file on a thread of its own.
    private var ahead: ReadAhead?
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: ReadAhead.chunk, alignment: 64)
    private var reader = SessionReader(timing: .recorded)
    private var plausibility = RecordingPlausibility()
    private var queue: [LocationUpdate] = []
    private var head = 0
    private var hasEnded = false
    /// When, on the program's clock, the recording began to play.
    private var beginning: Moment?
    private let tap: ((UnsafeRawBufferPointer, Moment) -> Void)?
    private(set) var now = Moment(elapsed: .zero, wall: Timestamp(nanosecondsSince1970: 0))

    init(
        path: String, pace: ReplayPace, clock: SessionClock, tap: ((UnsafeRawBufferPointer, Moment) -> Void)? = nil
    ) throws(LocationError) {
        self.pace = pace
        self.clock = clock
        self.tap = tap
        if path == "-" {
            (name, input, ownsDescriptor) = ("standard input", 0, false)
        } else {
            // Without waiting for a named pipe's writer, which the loop does, where a signal can end it.
            let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { throw .unreadable(path: path, cause: String(cString: strerror(errno))) }
            (name, input, ownsDescriptor) = (path, descriptor, true)
            if case .max = pace, Self.isLargeFile(descriptor) {
                // Without a thread it is read all the same, only slower.
                ahead = try? ReadAhead(of: descriptor, name: path, keepsChunks: tap != nil)
                // The thread closes what it reads.
                ownsDescriptor = ahead == nil
            }
        }
    }

    private static func isLargeFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size >= largeFile
    }

    deinit {
        ahead?.abandon()
        buffer.deallocate()
        if ownsDescriptor { close(input) }
    }

    var descriptor: Int32 { hasEnded || head < queue.count ? -1 : ahead?.ready.descriptor ?? input }

    var patience: Duration? {
        guard head < queue.count else { return hasEnded ? .zero : nil }
        return wait(until: queue[head].moment) ?? .zero
    }

    func wait(until moment: Moment) -> Duration? {
        guard case .times(let rate) = pace, let beginning else { return nil }
        return max(.zero, moment.elapsed / rate - (clock.now.elapsed - beginning.elapsed))
    }

    func step(isReady: Bool, _ tell: (LocationUpdate) -> Void) throws(LocationError) -> Bool {
        if head == queue.count, !hasEnded {
            guard isReady else { return true }
            if let ahead { try take(from: ahead, tell) } else { try read(tell) }
        }
        while head < queue.count, (wait(until: queue[head].moment) ?? .zero) <= .zero {
            now = queue[head].moment
            head += 1
            tell(queue[head - 1])
        }
        return !hasEnded || head < queue.count
    }

    private func read(_ tell: (LocationUpdate) -> Void) throws(LocationError) {
        let count = Glibc.read(input, buffer.baseAddress, buffer.count)
        let code = errno
        if count < 0, code == EINTR || code == EAGAIN { return }
        guard count >= 0 else { throw .unreadable(path: name, cause: String(cString: strerror(code))) }
        queue.removeAll(keepingCapacity: true)
        head = 0
        hasEnded = count == 0
        let chunk = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        if case .max = pace {
            // Nothing waits for its time: told as it is read, without a detour.
            var last: Moment?
            take(chunk) { update in
                last = update.moment
                tell(update)
            }
            now = last ?? now
        } else {
            var updates: [LocationUpdate] = []
            swap(&updates, &queue)
            take(chunk) { updates.append($0) }
            swap(&updates, &queue)
            if beginning == nil, !queue.isEmpty { beginning = clock.now }
        }
        tap?(chunk, now)
        try plausibility.check(reader, bytes: count, hasEnded: hasEnded, name: name)
    }

    private func take(from ahead: ReadAhead, _ tell: (LocationUpdate) -> Void) throws(LocationError) {
        guard let batch = ahead.take() else { return }
        hasEnded = batch.hasEnded
        for update in batch.updates { tell(update) }
        now = batch.updates.last?.moment ?? now
        if let tap { batch.chunk.withUnsafeBytes { tap($0, now) } }
        if let failure = batch.failure { throw failure }
    }

    private func take(_ chunk: UnsafeRawBufferPointer, _ tell: (LocationUpdate) -> Void) {
        if hasEnded { reader.finish(tell) } else { reader.read(chunk, tell) }
    }
}
