import Glibc
import LocationCore
import LocwatchPlatform

struct StandInClient {
    let number: Int
    /// The descriptor, or −1 while a serial line is closed.
    private(set) var socket: Int32
    var policy = WatchPolicy()
    /// Whether the client gets answers to its commands.
    var isServed = true
    var requests = ClientRequests()
    var queue = WireQueue()
    /// The result of the last attempt to send.
    var state = WireQueue.WireState.idle
    /// The time of the last valid command, or of the connection, by the monotonic clock.
    var lastCommand: Duration
    /// The serial line, if the client is the reader of one instead of a connection.
    var terminal: LinkedTerminal?
    /// The real time of the last bytes that were sent.
    var lastSent: Duration
    /// Whether the reader has let bytes wait for too long, so that a step of the clock does not wait for it.
    var isStalled = false
    /// Whether bytes were written to the serial line since the last time it was found empty.
    var hasWritten = false

    init(number: Int, socket: Int32, at now: Duration) {
        self.number = number
        self.socket = socket
        lastCommand = now
        lastSent = now
        // Sends each line, and each piece of a line, in a segment of its own.
        SocketOption.turnOn(TCP_NODELAY, at: Int32(IPPROTO_TCP), of: socket)
    }

    /// Creates the reader of a serial line, who watches NMEA sentences.
    init(_ terminal: LinkedTerminal, at now: Duration) {
        number = 0
        socket = terminal.master
        (lastCommand, lastSent) = (now, now)
        self.terminal = terminal
        isServed = false
        policy.isEnabled = true
        policy.nmea = true
    }

    /// Closes the serial line, if the client is the reader of one.
    mutating func closeTerminal() {
        guard let terminal else { return }
        terminal.close()
        socket = -1
    }

    /// Whether everything that was sent has been read; a serial line that no program has open is not waited for.
    var hasReadAll: Bool {
        if let terminal { return queue.byteCount == 0 && terminal.unreadCount == 0 || terminal.isUnused }
        return queue.byteCount == 0 && UnreadBytes.areNone(on: socket)
    }

    /// Closes the connection, abruptly if `reset` is set.
    func close(reset: Bool) {
        if let terminal { return terminal.close() }
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
        // The bytes that a program writes to a receiver have no effect.
        if terminal != nil {
            var bytes = [UInt8](repeating: 0, count: 4096)
            _ = read(socket, &bytes, bytes.count)
            return []
        }
        return withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
            let count = recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 { return Array(buffer[..<count]) }
            return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
        }
    }
}
