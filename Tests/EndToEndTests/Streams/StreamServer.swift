import GPSDSimulation
import Glibc
import LocationCore
import LocwatchPlatform
import LocwatchSupport
import TestSupport

/// A server on loopback that sends what a receiver sends to one client at a time, or a caster that does.
final class StreamServer: Sendable {
    enum Manner: Sendable {
        /// Sends at once.
        case plain
        /// Answers requests as a caster does; each one must have this login in Base64.
        case caster(login: String)
    }

    private struct State {
        var connections = 0
        var requests: [String] = []
        var isClosing = false
        var isOver = false
    }

    let port: UInt16
    private let listener: Int32
    private let manner: Manner
    private let state = Lock(State())
    private let thread: Lock<NativeThread?> = Lock(nil)

    /// Reserves a port; connections to it are refused until `start()`.
    init(_ manner: Manner = .plain) {
        self.manner = manner
        let reserved = ReservedPort()
        listener = reserved.descriptor
        port = reserved.number
    }

    deinit { stop() }

    /// The number of connections so far.
    var connections: Int { state.withLock { $0.connections } }
    /// The requests to a caster so far.
    var requests: [String] { state.withLock { $0.requests } }

    /// Accepts connections.
    func start() throws {
        listen(listener, 8)
        let thread = try NativeThread { [self] in serve() }
        self.thread.withLock { $0 = thread }
    }

    /// Closes the present connection in an orderly way.
    func hangUp() { state.withLock { $0.isClosing = true } }

    func stop() {
        state.withLock { $0.isOver = true }
        let thread = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        guard let thread else { return }
        thread.join()
        close(listener)
    }

    private func serve() {
        var epochs = ScenarioEncoder(.walk, start: LogKind.start).makeIterator()
        while !state.withLock({ $0.isOver }) {
            var watched = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            guard poll(&watched, 1, 50) > 0 else { continue }
            let client = accept(listener, nil, nil)
            guard client >= 0 else { continue }
            state.withLock { state in
                state.connections += 1
                state.isClosing = false
            }
            if isWelcome(client) {
                while let epoch = epochs.next(), send(epoch.bytes, to: client), !isClosing { usleep(50_000) }
            }
            close(client)
        }
    }

    private var isClosing: Bool { state.withLock { $0.isClosing || $0.isOver } }

    /// Reads a request to a caster and answers it; returns whether data follow.
    private func isWelcome(_ client: Int32) -> Bool {
        guard case .caster(let login) = manner else { return true }
        var request: [UInt8] = []
        while !request.suffix(4).elementsEqual(Array("\r\n\r\n".utf8)) {
            var watched = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
            var bytes = [UInt8](repeating: 0, count: 1024)
            guard !isClosing else { return false }
            guard poll(&watched, 1, 50) > 0 else { continue }
            let count = recv(client, &bytes, bytes.count, 0)
            guard count > 0 else { return false }
            request += bytes[..<count]
        }
        let text = String(decoding: request, as: UTF8.self)
        state.withLock { $0.requests.append(text) }
        if text.hasPrefix("GET / ") {
            let table =
                "SOURCETABLE 200 OK\r\n\r\nSTR;MOUNT;Test;RTCM 3.2;1004(1);2;GPS;NET;AUT;48.2;16.4;0;0;sim;none;B;N;9600;\r\n"
                + "ENDSOURCETABLE\r\n"
            _ = send(Array(table.utf8), to: client)
            return false
        }
        let isKnown = text.contains("Authorization: Basic \(login)\r\n")
        _ = send(Array((isKnown ? "ICY 200 OK\r\n\r\n" : "HTTP/1.0 401 Unauthorized\r\n\r\n").utf8), to: client)
        return isKnown
    }

    private func send(_ bytes: [UInt8], to client: Int32) -> Bool {
        Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }
}
