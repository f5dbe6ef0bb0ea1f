import Glibc
import LocationTesting
import LocwatchPlatform
import Testing

/// A port of this machine that neither accepts nor refuses connections, so that connecting hangs.
package final class BlackHole {
    package let port: UInt16
    /// The number of attempts that hang from the start.
    private var fillers = 0
    private var sockets: [Int32] = []

    package init() throws {
        let reserved = ReservedPort()
        port = reserved.number
        sockets = [reserved.descriptor]
        try #require(listen(reserved.descriptor, 0) == 0)
        // The queue takes one or two connections; after that the system drops further attempts.
        var isFull = false
        for _ in 0..<8 where !isFull {
            let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            sockets.append(filler)
            _ = SocketAddress.loopback4.with(port: port).withPointer { connect(filler, $0, $1) }
            var watched = pollfd(fd: filler, events: Int16(POLLOUT), revents: 0)
            isFull = poll(&watched, 1, 200) == 0
        }
        try #require(isFull)
        fillers = LoopbackSockets(to: port).attempts
    }

    /// Waits until a further attempt hangs.
    package func untilAttempted() async throws {
        try await eventually(
            "an attempt to connect", within: .seconds(60), { [port] in LoopbackSockets(to: port).attempts },
            is: { [fillers] in $0 > fillers })
    }

    deinit { vanish() }

    /// Makes room for further connections, so that a hanging attempt succeeds at its next retransmission.
    package func open() {
        // Accepting those in the queue would leave room for one only, which one that hangs since `init` can take.
        if let listener = sockets.first { listen(listener, 64) }
    }

    /// Closes the port, so that it refuses connections; a hanging attempt fails at its next retransmission.
    package func vanish() {
        for socket in sockets { close(socket) }
        sockets = []
    }
}
