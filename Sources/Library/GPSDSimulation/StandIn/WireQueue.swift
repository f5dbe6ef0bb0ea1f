import Glibc
import LocationCore

/// One action on a connection.
enum WireStep: Hashable, Sendable {
    case bytes([UInt8])
    /// Sends nothing for a duration, or ever again if it is `nil`.
    case pause(Duration?)
    /// Sends nothing until a time.
    case hold(until: Duration)
    /// Closes the connection after the preceding bytes.
    case end
    /// Resets the connection, which discards bytes that the client has not read.
    case reset
}

/// The queue of bytes and other actions for one client.
struct WireQueue {
    enum WireState: Hashable {
        /// There is nothing to do.
        case idle
        /// The socket accepts no more bytes at present.
        case full
        /// The queue waits for a time of the monotonic clock, or forever if it is `nil`.
        case paused(until: Duration?)
        /// The connection is to be closed.
        case ended
        /// The connection is to be reset.
        case reset
    }

    private(set) var steps: [WireStep] = []
    private var head = 0
    /// The number of bytes of the first step that have been sent.
    private var offset = 0
    private var pause: Duration??
    /// The number of bytes that wait.
    private(set) var byteCount = 0

    mutating func append(_ step: WireStep) {
        if case .bytes(let bytes) = step {
            // Empty steps would not count toward the limit of the queue.
            guard !bytes.isEmpty else { return }
            byteCount += bytes.count
        }
        steps.append(step)
    }

    /// Sends as much as the socket accepts without blocking, in pieces if `chunk` is given.
    ///
    /// - Parameter isTerminal: Whether the descriptor is that of a terminal and not a socket.
    mutating func flush(
        to socket: Int32, isTerminal: Bool = false, at now: Duration, chunk: (bytes: Int, gap: Duration)?
    ) -> WireState {
        if let pause {
            guard let end = pause, end <= now else { return .paused(until: pause) }
            self.pause = nil
        }
        while head < steps.count {
            switch steps[head] {
            case .end: return .ended
            case .reset: return .reset
            case .pause(let duration):
                advance()
                pause = .some(duration.map { now + $0 })
                return .paused(until: duration.map { now + $0 })
            case .hold(let end):
                guard end <= now else { return .paused(until: end) }
                advance()
            case .bytes(let bytes):
                let size = min(bytes.count - offset, chunk?.bytes ?? .max)
                let count = bytes.withUnsafeBytes {
                    let start = $0.baseAddress.map { $0 + offset }
                    return isTerminal
                        ? write(socket, start, size)
                        : send(socket, start, size, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                }
                guard count >= 0 else { return errno == EAGAIN || errno == EINTR ? .full : .ended }
                offset += count
                byteCount -= count
                if offset == bytes.count { advance() }
                if let gap = chunk?.gap, gap > .zero {
                    pause = .some(now + gap)
                    return .paused(until: now + gap)
                }
            }
        }
        return .idle
    }

    /// The number of steps whose memory is kept while the queue is empty.
    private static let keptSteps = 1024

    private mutating func advance() {
        // The bytes are not kept until the steps are moved: a line has up to a megabyte.
        steps[head] = .bytes([])
        head += 1
        offset = 0
        if head == steps.count {
            steps.removeAll(keepingCapacity: steps.capacity <= 2 * Self.keptSteps)
        } else if head > Self.keptSteps {
            steps.removeFirst(head)
        } else {
            return
        }
        head = 0
    }
}
