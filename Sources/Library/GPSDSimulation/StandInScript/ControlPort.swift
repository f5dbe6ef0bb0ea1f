import Glibc
import GPSDProtocol
import LocwatchPlatform

/// The Unix socket through which tests drive a stand-in: a line of words comes in, a line of JSON goes out.
///
/// Only its own user can connect. A client that sends too long a line or does not read is disconnected.
final class ControlPort {
    static let lineLimit = StandInScript.lineByteLimit
    static let clientLimit = 16
    /// The number of bytes that may wait for a client: more than the commands of 64 requests, each byte escaped to six.
    private static let answerLimit = 1 << 22
    /// The number of bytes that may wait for a client whose next command is performed.
    private static let pipelineLimit = 1 << 18

    private struct Client {
        let number: Int
        let socket: Int32
        var received: [UInt8] = []
        var queue = WireQueue()
        var state = WireQueue.WireState.idle
        /// Whether a command is being performed; the next line waits for its end.
        var isBusy = false
        /// Whether the client sends nothing more.
        var hasEnded = false

        /// Whether a line waits, so that nothing more is read.
        var hasLine: Bool { received.contains(UInt8(ascii: "\n")) }
        /// Whether nothing is left to do for a client that sends nothing more.
        var isDone: Bool { hasEnded && !isBusy && !hasLine && state == .idle }
        /// Whether the client has closed its connection.
        var isGone: Bool { PollSet.wait(for: socket, 0, within: .zero) }
    }

    let path: String
    private let entry: SocketEntry
    private var listener: Int32
    private var clients: [Client] = []
    private var count = 0

    init(path: String) throws(SystemFailure) {
        self.path = path
        entry = SocketEntry(path: path, mode: 0o600)
        listener = try entry.listen()
    }

    deinit {
        for client in clients { close(client.socket) }
        close(listener)
        entry.remove()
    }

    /// Whether the socket is still at the path.
    var isInPlace: Bool { entry.isInPlace }

    /// Makes the socket again; the clients stay connected.
    func restore() throws(SystemFailure) {
        let new = try entry.listen()
        close(listener)
        listener = new
    }

    /// Returns the descriptors to wait for, with their events; without the listener unless new clients are accepted.
    func watched(accepts: Bool) -> [(descriptor: Int32, events: Int32)] {
        [(accepts && clients.count < Self.clientLimit ? listener : -1, POLLIN)]
            + clients.map { ($0.socket, ($0.hasLine || $0.hasEnded ? 0 : POLLIN) | ($0.state == .full ? POLLOUT : 0)) }
    }

    func isConnected(_ number: Int) -> Bool { clients.contains { $0.number == number } }

    /// Receives what has arrived, and accepts new clients; passes the errno on if that fails.
    func receive(onFailure: (Int32) -> Void) {
        for index in clients.indices.reversed() {
            // A command that a client sent before it closed the connection is still performed.
            if clients[index].isGone, clients[index].isBusy || clients[index].hasEnded {
                remove(index)
            } else if !clients[index].hasLine, !clients[index].hasEnded {
                receive(index)
            }
        }
        while clients.count < Self.clientLimit {
            let socket = Glibc.accept(listener, nil, nil)
            guard socket >= 0 else { return onFailure(errno) }
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
            count += 1
            clients.append(Client(number: count, socket: socket))
        }
    }

    private func receive(_ index: Int) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(clients[index].socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else {
            guard count == 0 else { return remove(index) }
            // A client that has ended only its own direction still gets its answers.
            clients[index].hasEnded = true
            if !clients[index].received.isEmpty { clients[index].received.append(UInt8(ascii: "\n")) }
            return
        }
        clients[index].received += bytes.prefix(count)
        if !clients[index].hasLine, clients[index].received.count > Self.lineLimit {
            clients[index].queue.append(.bytes(Array("{\"ok\":false,\"error\":\"the line is too long\"}\n".utf8)))
            clients[index].queue.append(.end)
            clients[index].received = []
        }
    }

    /// Returns the next command of any client that is not busy; an unreadable object is an empty command.
    func nextCommand() -> (client: Int, text: String)? {
        for index in clients.indices
        where !clients[index].isBusy && clients[index].queue.byteCount <= Self.pipelineLimit {
            guard let end = clients[index].received.firstIndex(of: UInt8(ascii: "\n")) else { continue }
            let line = Array(clients[index].received[..<end])
            clients[index].received.removeFirst(end + 1)
            clients[index].isBusy = true
            return (clients[index].number, command(in: line))
        }
        return nil
    }

    /// Returns the words of a line, which are a text or the member `do` of an object.
    private func command(in line: [UInt8]) -> String {
        guard line.first == UInt8(ascii: "{") else {
            return String(decoding: line, as: UTF8.self).filter { $0 != "\r" }
        }
        return line.withUnsafeBytes { JSONValue($0)?["do"]?.text } ?? ""
    }

    /// Answers the command of a client.
    func answer(_ number: Int, _ text: [UInt8]) {
        guard let index = clients.firstIndex(where: { $0.number == number }) else { return }
        clients[index].isBusy = false
        clients[index].queue.append(.bytes(text))
    }

    /// Sends as much as the clients accept.
    func flush() {
        for index in clients.indices.reversed() {
            clients[index].state = clients[index].queue.flush(to: clients[index].socket, at: .zero, chunk: nil)
            let isLate = clients[index].queue.byteCount > Self.answerLimit
            if clients[index].state == .ended || isLate || clients[index].isDone { remove(index) }
        }
    }

    private func remove(_ index: Int) {
        close(clients[index].socket)
        clients.remove(at: index)
    }
}
