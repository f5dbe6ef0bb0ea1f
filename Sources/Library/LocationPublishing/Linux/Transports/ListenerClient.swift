import Glibc
import LocwatchPlatform

/// A program that is connected to a listener, with the bytes that it has not read yet; released, the connection ends.
final class ListenerClient {
    /// The maximum number of bytes that wait for a slow program, beyond the buffer of the system.
    static let waitingLimit = 1 << 16
    private static let piece = 4096

    private let descriptor: Int32
    private var waiting: ArraySlice<UInt8> = []
    private var watched = POLLIN
    /// Whether the program sends nothing more; it can have ended the connection or only its own direction.
    private(set) var hasInputEnded = false

    /// Creates a client of an accepted connection, which it closes.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        // A program whose machine was switched off is noticed even while nothing is sent.
        SocketOption.turnOn(SO_KEEPALIVE, of: descriptor)
        // The system's own buffer would grow to megabytes of old positions.
        SocketOption.set(SO_SNDBUF, to: Int32(Self.waitingLimit), of: descriptor)
    }

    deinit { close(descriptor) }

    /// Returns the events to wait for if they have changed since the last call.
    func changedEvents() -> Int32? {
        let events = (hasInputEnded ? 0 : POLLIN) | (isWaiting ? POLLOUT : 0)
        defer { watched = events }
        return events == watched ? nil : events
    }

    private var isWaiting: Bool { !waiting.isEmpty }

    /// Sends bytes after those that wait; returns false if the connection has ended, or if too many wait.
    func send(_ bytes: [UInt8]) -> Bool {
        waiting += bytes
        while !waiting.isEmpty {
            let count = waiting.withUnsafeBytes { bytes in
                Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return errno == EAGAIN && waiting.count <= Self.waitingLimit }
            waiting = waiting.dropFirst(count)
        }
        waiting = []
        return true
    }

    /// Continues to send, and discards what the program has sent; returns false if the connection has ended.
    func process() -> Bool {
        if hasInputEnded {
            // Only the end of the whole connection can be the event.
            guard isWaiting else { return false }
        } else {
            var bytes = [UInt8](repeating: 0, count: Self.piece)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            // A program that only reads may have ended its own direction.
            if count == 0 { hasInputEnded = true }
            guard count >= 0 || errno == EAGAIN || errno == EINTR else { return false }
        }
        return send([])
    }
}
