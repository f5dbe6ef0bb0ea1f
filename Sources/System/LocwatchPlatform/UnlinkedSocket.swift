import CLocwatchPlatform
import Glibc
import LocwatchSupport

/// A listening Unix socket without a name in the file system, which other users cannot connect to.
///
/// The process that accepts the connections gets the listening descriptor by inheritance. Other users cannot reach the
/// socket, because no path leads to it; a process of the same user can, through `/proc`. Without `/proc` there are only the
/// connections that are made while the socket has a name.
package final class UnlinkedSocket: Sendable {
    /// A path descriptor of the socket's file, which exists as long as the descriptor does.
    private let handle: Int32
    private let listener: Lock<Int32>
    /// The connections that were made before they are needed.
    private let early: Lock<[Int32]>
    /// The number of connections that are made in advance without /proc, as no path leads to the socket later.
    private static let mostWithoutPaths = 8

    package init() throws(SystemFailure) {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        guard socket >= 0 else { throw SystemFailure("make a socket", code: errno) }
        do throws(SystemFailure) {
            let (handle, connections) = try Self.listen(socket)
            self.handle = handle
            early = Lock(connections)
            listener = Lock(socket)
        } catch {
            close(socket)
            throw error
        }
    }

    deinit {
        closeListener()
        for connection in early.withLock({ $0 }) { close(connection) }
        close(handle)
    }

    /// Calls `body` with the listening descriptor, then closes this process' copy of it.
    ///
    /// From then on a connection is refused once the process that inherited the descriptor has ended.
    package func handOver<Answer, Failure: Error>(_ body: (Int32) throws(Failure) -> Answer) throws(Failure) -> Answer {
        defer { closeListener() }
        return try body(listener.withLock { $0 })
    }

    /// Connects in advance, for a process that may make no sockets any more when it needs the connections.
    package func connectEarly(_ count: Int) throws(SystemFailure) {
        let known = early.withLock { $0.count }
        for _ in known..<max(known, count) {
            let connection = try newConnection()
            early.withLock { $0.append(connection) }
        }
    }

    /// Returns a non-blocking connection, which is the caller's to close; waits while the backlog is full.
    package func connect() throws(SystemFailure) -> Int32 {
        if let connection = early.withLock({ $0.popLast() }) { return connection }
        return try newConnection()
    }

    private func newConnection() throws(SystemFailure) -> Int32 { try Self.newConnection(at: Self.name(of: handle)) }

    private static func newConnection(at path: String) throws(SystemFailure) -> Int32 {
        do throws(SystemFailure) {
            let connection = try UnixAddress.connect(to: path)
            _ = fcntl(connection, F_SETFL, O_NONBLOCK)
            return connection
        } catch {
            throw SystemFailure("connect", code: error.code)
        }
    }

    private func closeListener() {
        listener.withLock { listener in
            if listener >= 0 { close(listener) }
            listener = -1
        }
    }

    private static func name(of handle: Int32) -> String { "/proc/self/fd/\(handle)" }

    /// Lets the socket listen at a name that it has only until its file is open.
    ///
    /// - Returns: A path descriptor, and the connections that were made because there is no /proc.
    private static func listen(_ socket: Int32) throws(SystemFailure) -> (handle: Int32, connections: [Int32]) {
        func failure() -> SystemFailure { SystemFailure("listen at a socket", code: errno) }
        // The mode is set before there is a name, so that other users cannot connect in between.
        guard fchmod(socket, 0o600) == 0 else { throw failure() }
        let name = "gpsfake-locwatch-\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).sock"
        // AppArmor's profile for gpsd on Debian and Ubuntu allows /tmp/gpsfake-*.sock, which matters to kernels that check the
        // name on accept, so that TMPDIR is used only if /tmp cannot be.
        let paths = ["/tmp", TemporaryFolder.parent].map { "\($0)/\(name)" }
        let bound = paths.first { path in UnixAddress.with(path) { Glibc.bind(socket, $0, $1) } == 0 }
        guard let path = bound else { throw failure() }
        defer { unlink(path) }
        let handle = locwatch_open_path(path)
        guard handle >= 0, Glibc.listen(socket, 16) == 0 else {
            let failure = failure()
            if handle >= 0 { close(handle) }
            throw failure
        }
        var connections: [Int32] = []
        guard access(Self.name(of: handle), F_OK) != 0 else { return (handle, connections) }
        do throws(SystemFailure) {
            for _ in 0..<mostWithoutPaths { connections.append(try newConnection(at: path)) }
        } catch {
            for connection in connections + [handle] { close(connection) }
            throw error
        }
        return (handle, connections)
    }
}

extension UnlinkedSocket: Hashable {
    /// Two sockets are equal only if they are the same object.
    package static func == (one: UnlinkedSocket, other: UnlinkedSocket) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
