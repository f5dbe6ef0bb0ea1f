import Glibc
import LocationCore

/// One thing to do on a connection.
enum WireStep: Hashable, Sendable {
    case bytes([UInt8])
    /// Nothing goes out for so long, or ever again.
    case pause(Duration?)
    /// The connection ends after what was sent.
    case end
    /// The connection breaks off; what the client has not read is lost to it.
    case reset
}

/// What is still to be sent to one client.
struct WireQueue {
    enum State: Hashable {
        /// There is nothing to do.
        case idle
        /// The client does not take more at present.
        case full
        /// There is nothing to do before a moment of the monotonic clock; `nil` is never.
        case paused(until: Duration?)
        /// The connection is to be closed.
        case ended
        /// The connection is to be reset.
        case reset
    }

    private var steps: [WireStep] = []
    private var head = 0
    /// How much of the step at the head has gone out.
    private var offset = 0
    private var pause: Duration??
    /// Bytes that wait.
    private(set) var byteCount = 0

    mutating func append(_ step: WireStep) {
        if case .bytes(let bytes) = step {
            // Empty steps would not count toward the limit of the queue.
            guard !bytes.isEmpty else { return }
            byteCount += bytes.count
        }
        steps.append(step)
    }

    /// Sends what can be sent without waiting, in pieces where `chunk` says so.
    mutating func flush(to socket: Int32, at now: Duration, chunk: (bytes: Int, gap: Duration)?) -> State {
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
            case .bytes(let bytes):
                let size = min(bytes.count - offset, chunk?.bytes ?? .max)
                let count = bytes.withUnsafeBytes {
                    send(socket, $0.baseAddress.map { $0 + offset }, size, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
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

    private mutating func advance() {
        head += 1
        offset = 0
        guard head == steps.count || head > 1024 else { return }
        steps.removeFirst(head)
        head = 0
    }
}
