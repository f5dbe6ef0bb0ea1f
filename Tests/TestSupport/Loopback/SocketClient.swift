import Glibc
import LocwatchPlatform

/// A client over a plain socket: of a web server, of a stand-in, or of its control socket.
package final class SocketClient {
    package let socket: Int32
    private var pending: [UInt8] = []
    /// The reason why no more bytes arrive: 0 for the end of the connection, otherwise the errno.
    package private(set) var ending: Int32?

    package struct Refused: Error { package var code: Int32 }

    /// A failure of a connection before all that a test waits for had come.
    package struct Ended: Error { let words: String }

    private static let kind = Int32(SOCK_STREAM.rawValue) | O_CLOEXEC

    /// Connects to a port of this machine, from an address of the loopback network such as 127.0.0.2, if one is given.
    package init(_ port: UInt16, ipv6: Bool = false, receiveBuffer: Int32? = nil, from own: String? = nil) throws {
        socket = Glibc.socket(ipv6 ? AF_INET6 : AF_INET, Self.kind, 0)
        if let own {
            let bound = try SocketAddress.resolve(own, port: 0).withPointer { [socket] in bind(socket, $0, $1) }
            guard bound == 0 else { throw Refused(code: errno) }
        }
        if let receiveBuffer { set(SOL_SOCKET, SO_RCVBUF, receiveBuffer) }
        set(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        let address = (ipv6 ? SocketAddress.loopback6 : .loopback4).with(port: port)
        try connect { [socket] in address.withPointer { Glibc.connect(socket, $0, $1) } }
    }

    /// Connects to a control socket.
    package init(path: String) throws {
        socket = Glibc.socket(AF_UNIX, Self.kind, 0)
        try connect { [socket] in UnixAddress.with(path) { Glibc.connect(socket, $0, $1) } ?? -1 }
    }

    /// Returns a client that has read the greeting.
    package static func greeted(_ port: UInt16, receiveBuffer: Int32? = nil) throws -> SocketClient {
        let client = try SocketClient(port, receiveBuffer: receiveBuffer)
        _ = client.line()
        return client
    }

    /// Returns a client that has read the greeting and the answer to its `?WATCH`.
    package static func watching(
        _ port: UInt16, _ request: String = #"?WATCH={"enable":true,"json":true};"#, receiveBuffer: Int32? = nil
    ) throws -> SocketClient {
        let client = try greeted(port, receiveBuffer: receiveBuffer)
        client.send(request)
        while let line = client.line(), !line.hasPrefix(#"{"class":"WATCH""#), !line.hasPrefix(#"{"class":"ERROR""#) {}
        return client
    }

    deinit { close(socket) }

    private func set<Value>(_ level: Int32, _ option: Int32, _ value: Value) {
        withUnsafeBytes(of: value) { _ = setsockopt(socket, level, option, $0.baseAddress, socklen_t($0.count)) }
    }

    private func connect(_ connect: () -> Int32) throws {
        // A test that waits for so long has failed.
        set(SOL_SOCKET, SO_RCVTIMEO, timeval(tv_sec: 60, tv_usec: 0))
        guard connect() == 0 else { throw Refused(code: errno) }
    }

    package func send(_ text: String) { _ = Glibc.send(socket, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }

    /// Sends a line and returns the next one.
    package func ask(_ text: String) -> String? {
        send(text + "\n")
        return line()
    }

    /// Returns the next line without its line end; `nil` if the connection or the time ends before.
    package func line() -> String? {
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let line = take(end + 1).dropLast()
                return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
            }
            guard receive() else { return nil }
        }
    }

    package func lines(_ count: Int) -> [String] { (0..<count).compactMap { _ in line() } }

    /// Returns `count` bytes, or fewer if the connection or the time ends before.
    package func bytes(_ count: Int) -> [UInt8] {
        while pending.count < count, receive() {}
        return take(min(count, pending.count))
    }

    /// Returns all bytes up to the end of the connection.
    package func rest() -> [UInt8] { bytes(.max) }

    /// Reads until the text ends with a part; returns it and forgets it.
    package func read(until part: String) throws -> String {
        let wanted = Array(part.utf8)
        while true {
            if let end = pending.firstRange(of: wanted)?.upperBound {
                return String(decoding: take(end), as: UTF8.self)
            }
            guard receive() else { throw Ended(words: "no more bytes (\(ending ?? EAGAIN)) before \(part.prefix(40))") }
        }
    }

    /// Reads until the server closes the connection, which one that closes with unread input resets.
    package func readAll() throws -> String {
        let bytes = rest()
        guard ending == 0 || ending == ECONNRESET else { throw Ended(words: "no end: \(ending ?? EAGAIN)") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether there is nothing to read, not even the end of the connection.
    package var isQuiet: Bool {
        var byte: UInt8 = 0
        return pending.isEmpty && recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) < 0 && errno == EAGAIN
    }

    /// Returns the sizes of the pieces in which `total` bytes arrive.
    package func pieces(of total: Int) -> [Int] {
        var sizes: [Int] = []
        while sizes.reduce(0, +) < total, receive() { sizes.append(take(pending.count).count) }
        return sizes
    }

    private func take(_ count: Int) -> [UInt8] {
        defer { pending.removeFirst(count) }
        return Array(pending[..<count])
    }

    private func receive() -> Bool {
        guard ending == nil else { return false }
        return withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
            let count = recv(socket, buffer.baseAddress, buffer.count, 0)
            if count > 0 { pending += buffer[..<count] }
            if count == 0 { ending = 0 } else if count < 0, errno != EAGAIN { ending = errno }
            return count > 0
        }
    }
}
