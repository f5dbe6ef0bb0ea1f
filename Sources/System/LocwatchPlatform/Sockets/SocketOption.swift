import Glibc

/// The options of sockets that are numbers.
package enum SocketOption {
    /// Sets an option of a socket, or of a protocol; returns whether the system accepts the value.
    @discardableResult package static func set(
        _ option: Int32, at level: Int32 = SOL_SOCKET, to value: Int32, of socket: Int32
    ) -> Bool {
        var value = value
        return setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
    }

    /// Turns an option of a socket, or of a protocol, on; returns whether the system has that option.
    @discardableResult package static func turnOn(
        _ option: Int32, at level: Int32 = SOL_SOCKET, of socket: Int32
    ) -> Bool {
        set(option, at: level, to: 1, of: socket)
    }
}
