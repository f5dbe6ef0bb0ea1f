import Glibc
import LocationCore

/// One connection to a stand-in.
struct StandInClient {
    let number: Int
    let socket: Int32
    var policy = WatchPolicy()
    /// Whether the client gets answers to its commands.
    var isServed = true
    var requests = ClientRequests()
    var queue = WireQueue()
    /// The result of the last attempt to send.
    var state = WireQueue.State.idle
    /// The time of the last valid command, or of the connection, by the monotonic clock.
    var lastCommand: Duration

    init(number: Int, socket: Int32, at now: Duration) {
        self.number = number
        self.socket = socket
        lastCommand = now
        var flag: Int32 = 1
        // Sends each line, and each piece of a line, in a segment of its own.
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &flag, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Closes the connection, abruptly if `reset` is set.
    func close(reset: Bool) {
        if reset {
            var atOnce = linger(l_onoff: 1, l_linger: 0)
            setsockopt(socket, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
        } else {
            shutdown(socket, Int32(SHUT_WR))
            // Closing a socket with unread bytes resets the connection. The limit keeps a client that sends without
            // pause from holding up the others.
            for _ in 0..<16 {
                guard let bytes = receive(), !bytes.isEmpty else { break }
            }
        }
        Glibc.close(socket)
    }

    /// Returns the bytes that have arrived, or `nil` if the client is gone.
    func receive() -> [UInt8]? {
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
            let count = recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 { return Array(buffer[..<count]) }
            return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
        }
    }
}
