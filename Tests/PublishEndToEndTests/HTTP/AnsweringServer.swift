import Glibc
import LocwatchPlatform
import LocwatchSupport
import TestSupport

/// An HTTP server on a free port of this machine that answers requests in turn as a test says, and then with status 200.
final class AnsweringServer: Sendable {
    /// An answer to a request.
    enum Answer: Sendable {
        /// A status without a body.
        case status(Int)
        /// The connection ends without an answer.
        case closed
    }

    private struct State {
        var answers: [Answer]
        var lines: [String] = []
        var isEnding = false
    }

    let port: UInt16
    private let listener: Int32
    private let state: Lock<State>
    private let thread: Lock<NativeThread?>

    init(_ answers: [Answer] = []) throws {
        let reserved = ReservedPort()
        (listener, port) = (reserved.descriptor, reserved.number)
        guard listen(listener, 16) == 0 else { throw SystemFailure("listen", code: errno) }
        state = Lock(State(answers: answers))
        thread = Lock(nil)
        let new = try NativeThread { [state = Unowned(self)] in state.value.run() }
        thread.withLock { $0 = new }
    }

    /// Ends the server and waits for its thread.
    func stop() {
        thread.withLock { thread in
            thread?.join {
                state.withLock { $0.isEnding = true }
                shutdown(listener, Int32(SHUT_RDWR))
            }
            thread = nil
        }
    }

    deinit { close(listener) }

    /// The first lines of the requests, in their order.
    var lines: [String] { state.withLock { $0.lines } }

    /// A reference that the thread holds; `stop` ends the thread first.
    private struct Unowned: @unchecked Sendable {
        unowned let value: AnsweringServer
        init(_ value: AnsweringServer) { self.value = value }
    }

    private func run() {
        while !state.withLock({ $0.isEnding }) {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { continue }
            serve(connection)
            close(connection)
        }
    }

    private func serve(_ connection: Int32) {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while head.suffix(4) != [13, 10, 13, 10], recv(connection, &byte, 1, 0) == 1 { head.append(byte) }
        guard let line = String(decoding: head, as: UTF8.self).split(separator: "\r\n").first else { return }
        let answer = state.withLock { state in
            state.lines.append(String(line))
            return state.answers.isEmpty ? Answer.status(200) : state.answers.removeFirst()
        }
        guard case .status(let code) = answer else { return }
        let response = "HTTP/1.1 \(code) X\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        _ = response.withCString { send(connection, $0, response.utf8.count, Int32(MSG_NOSIGNAL)) }
    }
}
