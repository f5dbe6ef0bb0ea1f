import Glibc
import LocwatchPlatform

/// The connections that have not sent anything yet.
///
/// libmicrohttpd would wait for the end of a line, however long; here a connection whose first bytes are no method of HTTP,
/// such as those of TLS, is closed at once, and one without any after a while.
final class ConnectionGate {
    /// The maximum number of connections that wait.
    private static let limit = 64
    /// The time within which the first byte must arrive.
    private static let timeout = Duration.seconds(10)
    /// The time within which it must arrive while no more connections can wait.
    private static let crowdedTimeout = Duration.seconds(1)
    /// The number of bytes that are looked at; the longest registered methods are shorter.
    private static let lookahead = 20

    private let group: PollGroup
    private var waiting: [Int32: ContinuousClock.Instant] = [:]

    /// The time until which nothing is accepted, after the system had no descriptor for a connection.
    private(set) var pauseEnd: ContinuousClock.Instant?

    init() throws(SystemFailure) { group = try PollGroup() }

    deinit { for descriptor in waiting.keys { close(descriptor) } }

    /// A descriptor that is readable when a connection has sent something.
    var descriptor: Int32 { group.descriptor }
    var isEmpty: Bool { waiting.isEmpty }
    var isFull: Bool { waiting.count >= Self.limit }
    var count: Int { waiting.count }

    /// Accepts the connections of a listening socket, as long as there is room.
    func accept(at listener: Int32, limit: Int, now: ContinuousClock.Instant) {
        while waiting.count < min(limit, Self.limit) {
            let socket = Glibc.accept(listener, nil, nil)
            guard socket >= 0 else {
                if errno == ECONNABORTED || errno == EINTR { continue }
                if SystemFailure.isShortage(errno) { pauseEnd = now + .seconds(1) }
                return
            }
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
            _ = fcntl(socket, F_SETFL, O_NONBLOCK)
            guard group.watch(socket, for: POLLIN) else {
                close(socket)
                continue
            }
            waiting[socket] = now
        }
    }

    /// Returns the connections that have begun a request, and closes those that speak something else.
    func begun() -> [Int32] {
        var begun: [Int32] = []
        for socket in group.ready() where waiting[socket] != nil {
            group.remove(socket)
            waiting[socket] = nil
            if Self.beginsRequest(socket) { begun.append(socket) } else { close(socket) }
        }
        return begun
    }

    /// Closes the connections that have sent nothing for too long.
    func expire(at now: ContinuousClock.Instant) {
        let timeout = isFull ? Self.crowdedTimeout : Self.timeout
        for (socket, since) in waiting where now - since > timeout {
            group.remove(socket)
            waiting[socket] = nil
            close(socket)
        }
    }

    private static func beginsRequest(_ socket: Int32) -> Bool {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: lookahead) { bytes in
            let count = recv(socket, bytes.baseAddress, bytes.count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            return count > 0 && isBeginning(bytes[..<count])
        }
    }

    /// Returns whether bytes are the beginning of a request: a method in capitals, and a space if there is more.
    static func isBeginning(_ bytes: some Collection<UInt8>) -> Bool {
        let method = bytes.prefix { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
        guard !method.isEmpty, method.count < lookahead else { return false }
        return bytes.dropFirst(method.count).first.map { $0 == UInt8(ascii: " ") } ?? true
    }
}
