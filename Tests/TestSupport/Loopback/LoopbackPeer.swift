import Glibc

/// A loopback socket with which a test plays the daemon.
package final class LoopbackPeer {
    private let listener: Int32
    private var connection: Int32 = -1
    package let port: UInt16

    /// Reserves a port; connections to it are refused until `listen()`.
    package init() {
        let reserved = ReservedPort()
        listener = reserved.descriptor
        port = reserved.number
    }

    deinit {
        hangUp()
        close(listener)
    }

    package func listen() { _ = Glibc.listen(listener, 1) }

    package func accept() { connection = Glibc.accept(listener, nil, nil) }

    /// Returns the bytes that have arrived, up to a number; empty once the other side has closed.
    package func receive(atMost count: Int) -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        let received = recv(connection, &bytes, count, 0)
        return String(decoding: bytes.prefix(max(0, received)), as: UTF8.self)
    }

    /// Whether there is nothing to read, not even the end of the connection.
    package var isQuiet: Bool {
        var byte: UInt8 = 0
        return recv(connection, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) < 0 && errno == EAGAIN
    }

    package func send(_ text: String) { _ = Glibc.send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }

    /// Resets the connection, as a killed daemon does.
    package func hangUp() {
        guard connection >= 0 else { return }
        var atOnce = linger(l_onoff: 1, l_linger: 0)
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
        close(connection)
        connection = -1
    }
}
