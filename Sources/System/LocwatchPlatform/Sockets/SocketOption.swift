import Glibc

/// The options of sockets that are numbers.
package enum SocketOption {
    /// Sets an option of a socket; returns whether the system accepts the value.
    @discardableResult package static func set(_ option: Int32, to value: Int32, of socket: Int32) -> Bool {
        var value = value
        return setsockopt(socket, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
    }

    /// Turns an option of a socket on; returns whether the system has that option.
    @discardableResult package static func turnOn(_ option: Int32, of socket: Int32) -> Bool {
        set(option, to: 1, of: socket)
    }
}
