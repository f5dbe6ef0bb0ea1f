import Glibc
import LocwatchPlatform
import LocwatchSupport

/// A web server on a port of 127.0.0.1 that answers from a script, byte for byte, and remembers what it received.
///
/// A thread serves the port until the value is released. Each request gets the next answer, whatever its connection; a request
/// after the last one gets none.
package final class LoopbackServer: Sendable {
    /// An answer to a request.
    package enum Answer: Sendable {
        /// These bytes, after which the connection stays open.
        case bytes([UInt8])
        /// These bytes, after which the server closes the connection.
        case last([UInt8])
        /// These bytes again and again, until the client ends the connection.
        case endless(start: [UInt8], [UInt8])
        case nothing

        /// An answer with a status, headers that are lines with their ends, and a body.
        package static func response(_ status: Int = 200, headers: String = "", _ body: String = "") -> Answer {
            .bytes(
                Array("HTTP/1.1 \(status) Word\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
        }
    }

    /// A request as it has arrived.
    package struct Request: Hashable, Sendable {
        /// The number of its connection, counted from 1.
        package var connection: Int
        /// The first line.
        package var line: String
        /// The lines of the headers.
        package var headers: [String]
        package var body: [UInt8]
    }

    package var port: UInt16 { work.port }

    private let work: LoopbackServerWork
    private let thread: NativeThread

    package init(_ answers: [Answer]) throws {
        let work = try LoopbackServerWork(answers)
        self.work = work
        thread = try NativeThread { work.run() }
    }

    deinit { thread.join { [work] in work.stop() } }

    /// The requests that have arrived as a whole, in order.
    package var requests: [Request] { work.state.withLock { $0.requests } }
    /// The number of connections that clients have made.
    package var connections: Int { work.state.withLock { $0.accepted } }
    /// The number of connections that clients have ended.
    package var ended: Int { work.state.withLock { $0.ended } }
}

/// The listening socket of a scripted web server, and the work of its thread.
private final class LoopbackServerWork: Sendable {
    typealias Request = LoopbackServer.Request

    private struct Connection {
        var number: Int
        var received: [UInt8] = []
        var flood: [UInt8]?
    }

    struct State {
        var answers: ArraySlice<LoopbackServer.Answer>
        var requests: [Request] = []
        var accepted = 0
        var ended = 0
        var isStopped = false
    }

    let port: UInt16
    let state: Lock<State>
    private let listener: Int32
    private let wake: Event

    init(_ answers: [LoopbackServer.Answer]) throws(SystemFailure) {
        state = Lock(State(answers: answers[...]))
        wake = try Event()
        let reserved = ReservedPort()
        (listener, port) = (reserved.descriptor, reserved.number)
        _ = fcntl(listener, F_SETFL, O_NONBLOCK)
        listen(listener, 64)
    }

    deinit { close(listener) }

    func stop() {
        state.withLock { $0.isStopped = true }
        wake.happen()
    }

    // MARK: The thread

    func run() {
        var connections: [Int32: Connection] = [:]
        while !state.withLock({ $0.isStopped }) {
            var watched = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
            watched.append(pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0))
            for (socket, connection) in connections {
                watched.append(
                    pollfd(fd: socket, events: Int16(connection.flood == nil ? POLLIN : POLLIN | POLLOUT), revents: 0))
            }
            poll(&watched, nfds_t(watched.count), -1)
            while case let socket = accept(listener, nil, nil), socket >= 0 {
                _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
                let number = state.withLock { state in
                    state.accepted += 1
                    return state.accepted
                }
                connections[socket] = Connection(number: number)
            }
            for entry in watched[2...] where entry.revents != 0 {
                guard var connection = connections.removeValue(forKey: entry.fd) else { continue }
                if serve(entry.fd, &connection) {
                    connections[entry.fd] = connection
                } else {
                    close(entry.fd)
                }
            }
        }
        for socket in connections.keys { close(socket) }
    }

    /// Receives, and answers each request that is complete; returns `false` if the connection has ended.
    private func serve(_ socket: Int32, _ connection: inout Connection) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR {
            state.withLock { $0.ended += 1 }
            return false
        }
        connection.received += bytes.prefix(max(0, count))
        while let request = nextRequest(&connection) {
            let answer = state.withLock { state in
                state.requests.append(request)
                return state.answers.popFirst() ?? .nothing
            }
            switch answer {
            case .bytes(let bytes): sendAll(bytes, to: socket)
            case .last(let bytes):
                sendAll(bytes, to: socket)
                return false
            case .endless(let start, let rest):
                sendAll(start, to: socket)
                connection.flood = rest
            case .nothing: break
            }
        }
        guard let flood = connection.flood else { return true }
        if send(socket, flood, flood.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) < 0, errno != EAGAIN {
            state.withLock { $0.ended += 1 }
            return false
        }
        return true
    }

    /// Takes a request out of the bytes of a connection, if it is complete.
    private func nextRequest(_ connection: inout Connection) -> Request? {
        guard let end = connection.received.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: connection.received[..<end.lowerBound], as: UTF8.self)
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        let lengths = lines.compactMap { line in
            line.hasPrefix("Content-Length: ") ? Int(line.dropFirst("Content-Length: ".count)) : nil
        }
        let length = lengths.first ?? 0
        guard connection.received.count - end.upperBound >= length else { return nil }
        let body = Array(connection.received[end.upperBound...].prefix(length))
        connection.received.removeFirst(end.upperBound + length)
        return Request(
            connection: connection.number, line: lines.first ?? "", headers: Array(lines.dropFirst()), body: body)
    }

    private func sendAll(_ bytes: [UInt8], to socket: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}
