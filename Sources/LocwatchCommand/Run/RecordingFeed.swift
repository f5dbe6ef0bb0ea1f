import GPSDReports
import Glibc
import LocationCore

/// A recorded session, from a file or a pipe, as the source of a session.
///
/// Its time is the recording's. At full pace it goes on with what is read, else as the program's clock does.
final class RecordingFeed: SessionFeed {
    private let name: String
    private let pace: ReplayPace
    private let clock: SessionClock
    private let ownsDescriptor: Bool
    private let input: Int32
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 64)
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
        }
    }

    deinit {
        buffer.deallocate()
        if ownsDescriptor { close(input) }
    }

    var descriptor: Int32 { hasEnded || head < queue.count ? -1 : input }

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
            try read(tell)
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

    private func take(_ chunk: UnsafeRawBufferPointer, _ tell: (LocationUpdate) -> Void) {
        if hasEnded { reader.finish(tell) } else { reader.read(chunk, tell) }
    }
}
