import Glibc
import LocwatchPlatform

/// A client of a web server over a plain socket.
package final class WebClient {
    /// A call that failed, or what did not come.
    package struct Failure: Error {
        package let text: String
    }

    /// The seconds for which a read waits; a test that needs them has failed.
    private static let patience = 60

    private let descriptor: Int32
    private var text: [UInt8] = []

    /// Connects to a port of this machine, from an address of the loopback network such as 127.0.0.2, if one is given.
    package init(_ port: UInt16, buffer: Int32? = nil, from address: String? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if let address {
            let own = try SocketAddress.resolve(address, port: 0)
            if own.withPointer({ bind(descriptor, $0, $1) }) != 0 { throw Failure(text: "bind: \(errno)") }
        }
        if var buffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &buffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let connected = SocketAddress.loopback4.with(port: port).withPointer { connect(descriptor, $0, $1) }
        if connected != 0 { throw Failure(text: "connect: \(errno)") }
    }

    deinit { close(descriptor) }

    /// Sends a text as far as the server reads it: one that has already answered closes the connection.
    package func send(_ text: String) { _ = Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }

    /// Reads until the text ends with a part; returns it and forgets it.
    package func read(until part: String) throws -> String {
        let wanted = Array(part.utf8)
        while true {
            if let end = text.firstRange(of: wanted)?.upperBound {
                defer { text.removeFirst(end) }
                return String(decoding: text[..<end], as: UTF8.self)
            }
            guard try receive() > 0 else { throw Failure(text: "the connection ended before \(part.prefix(40))") }
        }
    }

    /// Reads until the server closes the connection.
    package func readAll() throws -> String {
        while try receive() > 0 {}
        return String(decoding: text, as: UTF8.self)
    }

    private func receive() throws -> Int {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        // A server that closes with unread input resets the connection.
        if count < 0, errno == ECONNRESET { return 0 }
        if count < 0 { throw Failure(text: "receive: \(errno)") }
        text += chunk.prefix(count)
        return count
    }
}
