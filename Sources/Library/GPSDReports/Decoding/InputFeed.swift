import Glibc
import LocwatchPlatform
import LocwatchSupport

/// A copier of an input into a pipe, for a thread of its own.
final class InputFeed: Sendable {
    /// The pause between two looks at the end of a file that is followed.
    private static let pause: Int32 = 200
    private static let piece = 65_536

    private struct State {
        var bytes = 0
        var isAnswered = false
        var hasGivenUp = false
        /// Whether the input has become too much; see `InputExpansion`.
        var isExcessive = false
        /// The system's error at which reading ended, if any.
        var failure: Int32?
    }

    private let source: Int32
    private let target: Int32
    private let answer: Int32
    private let beginning: [UInt8]
    private let follows: Bool
    private let isLog: Bool
    private let splits: Bool
    private let resultLimit: Int?
    /// The copier of the compressed input from which this one's is made, if any.
    private let origin: InputFeed?
    private let stop: Event
    private let state = Lock(State())

    /// Creates a copier.
    ///
    /// - Parameters:
    ///   - source: The descriptor to read from, after `beginning`.
    ///   - target: The write end of the pipe, which `run()` closes.
    ///   - answer: The descriptor from which the answer of the pipe's reader can be read.
    ///   - follows: Whether to wait for more at the end of a file, as `tail -f` does.
    ///   - isLog: Whether the bytes are a receiver's log, from which gpsd's reports are removed; see `ReportFilter`.
    ///   - splits: Whether to write the bytes in pieces with one message each; see `MessagePieces`.
    ///   - resultLimit: The number of bytes without an answer after which copying ends.
    ///   - origin: The copier of the compressed input from which this one's is made, if any.
    init(
        _ source: Int32, to target: Int32, answer: Int32, beginning: [UInt8], follows: Bool, isLog: Bool,
        splits: Bool, resultLimit: Int?, origin: InputFeed?
    ) throws(SystemFailure) {
        self.source = source
        self.target = target
        self.answer = answer
        self.beginning = beginning
        self.follows = follows
        self.isLog = isLog
        self.splits = splits
        self.resultLimit = resultLimit
        self.origin = origin
        stop = try Event()
    }

    /// The number of bytes that were copied, or are being copied.
    var bytes: Int { state.withLock { $0.bytes } }
    /// Whether copying ended because nothing came of the bytes.
    var hasGivenUp: Bool { state.withLock { $0.hasGivenUp } }
    /// Whether copying ended because the input has become too much.
    var isExcessive: Bool { state.withLock { $0.isExcessive } }
    /// The system's error at which reading ended, if any.
    var failure: Int32? { state.withLock { $0.failure } }

    /// Notes that something has come of the bytes.
    func noteAnswer() { state.withLock { $0.isAnswered = true } }

    /// Ends the copying while it waits for input; a blocked write ends when the pipe is closed.
    func end() { stop.happen() }

    /// Copies until the end of the input, or until nothing reads the pipe any more.
    func run() {
        defer { close(target) }
        var filter = isLog ? ReportFilter() : nil
        defer { if let rest = filter?.finish() { _ = write(rest) } }
        guard copy(beginning[...], &filter) else { return }
        var buffer = [UInt8](repeating: 0, count: Self.piece)
        while !isUseless, wait(for: source, -1) {
            let count = buffer.withUnsafeMutableBytes { read(source, $0.baseAddress, $0.count) }
            let code = errno
            if count > 0 {
                guard copy(buffer[..<count], &filter) else { return }
                if let origin, InputExpansion.isExceeded(by: bytes, from: origin.bytes) {
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

    /// Whether nothing has come of so many bytes that more of them are useless.
    private var isUseless: Bool {
        guard let resultLimit, bytes >= resultLimit, !state.withLock({ $0.isAnswered }) else { return false }
        var waiting = pollfd(fd: answer, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 0) == 0 else { return false }
        state.withLock { $0.hasGivenUp = true }
        return true
    }

    /// Waits until a descriptor can be read or the time is over; returns `false` if the copying was ended.
    private func wait(for descriptor: Int32, _ milliseconds: Int32) -> Bool {
        var watched = [
            pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&watched, 2, milliseconds) < 0, errno == EINTR {}
        return watched[0].revents == 0
    }

    /// Writes the bytes that were read; returns `false` if nothing reads the pipe any more.
    private func copy(_ bytes: ArraySlice<UInt8>, _ filter: inout ReportFilter?) -> Bool {
        state.withLock { $0.bytes += bytes.count }
        return write(filter?.filter(bytes)[...] ?? bytes)
    }

    /// Writes all bytes; returns `false` if nothing reads the pipe any more.
    private func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        splits ? MessagePieces(bytes).allSatisfy { writePiece($0) } : writePiece(bytes)
    }

    private func writePiece(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            // The thread blocks all signals, so that SIGPIPE does not end the program.
            let count = rest.withUnsafeBytes { Glibc.write(target, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
