import Glibc
import LocwatchPlatform

/// A client of a stand-in, or of its control socket, over a plain socket.
final class SocketClient {
    let socket: Int32
    private var pending: [UInt8] = []
    /// The reason why no more bytes arrive: 0 for the end of the connection, otherwise the errno.
    private(set) var ending: Int32?

    struct Refused: Error { var code: Int32 }

    init(_ port: UInt16, ipv6: Bool = false, receiveBuffer: Int32? = nil) throws {
        socket = Glibc.socket(ipv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        let address = (ipv6 ? SocketAddress.loopback6 : .loopback4).with(port: port)
        // The socket is closed by `deinit` if it cannot be connected, because all properties are set.
        guard address.withPointer({ [socket] in connect(socket, $0, $1) }) == 0 else { throw Refused(code: errno) }
        var flag: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &flag, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Connects to a control socket.
    init(path: String) throws {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        self.socket = socket
        guard UnixAddress.with(path, { connect(socket, $0, $1) }) == 0 else { throw Refused(code: errno) }
    }

    /// Returns a client that has read the greeting.
    static func greeted(_ port: UInt16, receiveBuffer: Int32? = nil) throws -> SocketClient {
        let client = try SocketClient(port, receiveBuffer: receiveBuffer)
        _ = client.line(within: .seconds(60))
        return client
    }

    /// Returns a client that has read the greeting and the answer to its `?WATCH`.
    static func watching(
        _ port: UInt16, _ request: String = #"?WATCH={"enable":true,"json":true};"#, receiveBuffer: Int32? = nil
    ) throws -> SocketClient {
        let client = try greeted(port, receiveBuffer: receiveBuffer)
        client.send(request)
        while let line = client.line(within: .seconds(60)), !line.hasPrefix(#"{"class":"WATCH""#),
            !line.hasPrefix(#"{"class":"ERROR""#)
        {}
        return client
    }

    deinit { close(socket) }

    func send(_ text: String) { _ = Glibc.send(socket, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }

    /// Sends a line and returns the next one.
    func ask(_ text: String) -> String? {
        send(text + "\n")
        return line()
    }

    /// Returns the next line without its line end; `nil` if the connection or the time ends before.
    func line(within limit: Duration = .seconds(10)) -> String? {
        bytes(within: limit) { $0.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } }
            .map {
                String(
                    decoding: $0.last == 10 ? $0.dropLast($0.suffix(2) == [13, 10] ? 2 : 1) : $0[...], as: UTF8.self)
            }
    }

    func lines(_ count: Int) -> [String] { (0..<count).compactMap { _ in line() } }

    /// Returns `count` bytes, or fewer if the connection or the time ends before.
    func bytes(_ count: Int) -> [UInt8] {
        bytes(within: .seconds(10)) { $0.count >= count ? count : nil } ?? takePending()
    }

    /// Returns all bytes up to the end of the connection.
    func rest() -> [UInt8] {
        _ = bytes(within: .seconds(10)) { _ in nil }
        return takePending()
    }

    /// Whether there is nothing to read, not even the end of the connection.
    var isQuiet: Bool {
        var byte: UInt8 = 0
        return pending.isEmpty && recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) < 0 && errno == EAGAIN
    }

    /// Returns the sizes of the pieces in which `total` bytes arrive.
    func pieces(of total: Int) -> [Int] {
        var sizes: [Int] = []
        while sizes.reduce(0, +) < total, receive(within: .seconds(10)) {
            sizes.append(pending.count)
            pending = []
        }
        return sizes
    }

    private func takePending() -> [UInt8] {
        defer { pending = [] }
        return pending
    }

    private func bytes(within limit: Duration, until end: ([UInt8]) -> Int?) -> [UInt8]? {
        let deadline = ContinuousClock.now + limit
        while true {
            if let count = end(pending) {
                defer { pending.removeFirst(count) }
                return Array(pending[..<count])
            }
            guard ending == nil, receive(within: deadline - .now) else { return nil }
        }
    }

    private func receive(within limit: Duration) -> Bool {
        var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard limit > .zero, poll(&watched, 1, limit.wholeMilliseconds) > 0 else { return false }
        return withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
            let count = recv(socket, buffer.baseAddress, buffer.count, 0)
            if count > 0 { pending += buffer[..<count] } else { ending = count == 0 ? 0 : errno }
            return count > 0
        }
    }
}
