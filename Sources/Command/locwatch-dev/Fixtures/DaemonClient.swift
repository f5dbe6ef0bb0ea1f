import Glibc
import LocwatchPlatform

/// A client of a gpsd on this machine that reads its lines unchanged.
final class DaemonClient {
    private let socket: Int32
    private var pending: [UInt8] = []

    init(port: UInt16) throws(SystemFailure) {
        socket = try LoopbackPort.connect(to: port)
    }

    deinit { close(socket) }

    /// Sends a command in one piece, as gpsd requires.
    func send(_ command: String) throws(SystemFailure) {
        let bytes = Array(command.utf8)
        guard Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw SystemFailure("send \(command)", code: errno)
        }
    }

    /// Returns the next line with its end, or `nil` if none is complete within the limit or the daemon has hung up.
    func line(within limit: Duration) -> [UInt8]? {
        let deadline = ContinuousClock.now + limit
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                defer { pending.removeFirst(end + 1) }
                return Array(pending[...end])
            }
            guard PollSet.wait(for: socket, within: deadline - .now) else { return nil }
            var chunk = [UInt8](repeating: 0, count: 16_384)
            let count = recv(socket, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            pending += chunk.prefix(count)
        }
    }
}
