import Glibc
import LocwatchPlatform
import LocwatchSupport

/// A copier of an input into a pipe, for a thread of its own.
final class InputFeed: Sendable {
    /// The pause between two looks at the end of a file that is followed.
    private static let pause = Duration.milliseconds(200)
    private static let piece = 65_536

    /// The state that other threads see.
    struct Status {
        /// The number of bytes that were copied, or are being copied.
        var bytes = 0
        /// Whether the input has become too much; see `InputExpansion`.
        var isExcessive = false
        /// The system's error at which reading ended, if any.
        var failure: Int32?
    }

    private let source: Int32
    private let target: Int32
    private let beginning: [UInt8]
    private let follows: Bool
    private let isExcessive: InputExcess
    private let stop: Event
    private let state = Lock(Status())

    /// Creates a copier of `beginning`, and then of a descriptor, into the write end of a pipe, which `run()` closes.
    init(
        _ source: Int32, to target: Int32, beginning: [UInt8], follows: Bool, isExcessive: @escaping InputExcess
    ) throws(SystemFailure) {
        self.source = source
        self.target = target
        self.beginning = beginning
        self.follows = follows
        self.isExcessive = isExcessive
        stop = try Event()
    }

    var status: Status { state.withLock { $0 } }

    /// Ends the copying while it waits for input; a blocked write ends when the pipe is closed.
    func end() { stop.happen() }

    /// Copies until the end of the input, or until nothing reads the pipe any more.
    func run() {
        defer { close(target) }
        guard copy(beginning[...]) else { return }
        var buffer = [UInt8](repeating: 0, count: Self.piece)
        while wait(for: source) {
            let count = buffer.withUnsafeMutableBytes { read(source, $0.baseAddress, $0.count) }
            let code = errno
            if count > 0 {
                guard copy(buffer[..<count]) else { return }
                if isExcessive(status.bytes) {
                    state.withLock { $0.isExcessive = true }
                    return
                }
            } else if count == 0 {
                guard follows else { return }
                // A file that has become shorter was written anew.
                var status = stat()
                if fstat(source, &status) == 0, status.st_size < lseek(source, 0, SEEK_CUR) {
                    lseek(source, 0, SEEK_SET)
                }
                guard wait(for: -1, Self.pause) else { return }
            } else if code != EAGAIN, code != EINTR {
                state.withLock { $0.failure = code }
                return
            }
        }
    }

    /// Waits until a descriptor can be read or the time is over; returns `false` if the copying was ended.
    private func wait(for descriptor: Int32, _ limit: Duration? = nil) -> Bool {
        !PollSet.wait(for: [stop.descriptor, descriptor], within: limit).isReady(stop.descriptor)
    }

    /// Writes the bytes that were read; returns `false` if nothing reads the pipe any more.
    private func copy(_ bytes: ArraySlice<UInt8>) -> Bool {
        state.withLock { $0.bytes += bytes.count }
        // The thread blocks all signals, so that SIGPIPE does not end the program.
        return bytes.withUnsafeBytes { WholeWrite.write($0, to: target) } == nil
    }
}
