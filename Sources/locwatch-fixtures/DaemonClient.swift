import Glibc
import Platform

/// A client of a gpsd on this machine that takes what comes, line by line and untouched.
final class DaemonClient {
    private let socket: Int32
    private var pending: [UInt8] = []
    private var isAtEnd = false

    /// Connects to a port of 127.0.0.1.
    init(port: UInt16) throws(SystemFailure) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        guard socket >= 0 else { throw SystemFailure("make a socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let answer = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard answer == 0 else {
            let failure = errno
            close(socket)
            throw SystemFailure("connect to port \(port)", code: failure)
        }
    }

    deinit { close(socket) }

    /// Sends a command, in one piece as gpsd wants it.
    func send(_ command: String) throws(SystemFailure) {
        let bytes = Array(command.utf8)
        guard Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw SystemFailure("send \(command)", code: errno)
        }
    }

    /// The next line with its end, or `nil` when none is complete within the limit or the daemon hung up.
    func line(within limit: Duration) -> [UInt8]? {
        let deadline = ContinuousClock.now + limit
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                defer { pending.removeFirst(end + 1) }
                return Array(pending[...end])
            }
            guard !isAtEnd, ContinuousClock.now < deadline || limit == .zero else { return nil }
            var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let left = max(.zero, deadline - .now)
            if poll(&watched, 1, left.wholeMilliseconds) > 0 { receive() } else if limit == .zero { return nil }
        }
    }

    private func receive() {
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
            let count = recv(socket, buffer.baseAddress, buffer.count, 0)
            if count > 0 { pending += buffer[..<count] } else { isAtEnd = true }
        }
    }
}
