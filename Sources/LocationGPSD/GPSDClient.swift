import Glibc
package import LocationCore
import Platform

/// One client of a gpsd: connects, watches, reads, and connects again, driven by whoever polls its descriptor.
///
/// It never blocks, so that a program can serve it together with other descriptors on one thread; `GPSDLocationSource`
/// gives it a thread of its own. When it is let go the connection is closed, also one that is still in the making.
package final class GPSDClient {
    private let endpoint: GPSDEndpoint
    private let reconnects: Bool
    private let listsSatellites: Bool
    private let patience: LivePatience
    private let tap: ((UnsafeRawBufferPointer, Moment) -> Void)?
    private let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: GPSDConversation.longestChunk, alignment: 16)
    private var attempt: ConnectAttempt?
    private var attemptDue: Moment
    private var session: GPSDSession?
    private var conversation: GPSDConversation?
    private var nextAttempt: Moment?
    private var failures = 0

    /// A client that connects with the first `step`.
    package convenience init(
        _ endpoint: GPSDEndpoint, reconnects: Bool, now: Moment,
        tap: ((UnsafeRawBufferPointer, Moment) -> Void)? = nil
    ) {
        self.init(endpoint, reconnects: reconnects, patience: LivePatience(), now: now, tap: tap)
    }

    /// A client with patience of its own.
    ///
    /// - Parameter listsSatellites: whether they are told one by one; their numbers always are.
    package init(
        _ endpoint: GPSDEndpoint, reconnects: Bool, listsSatellites: Bool = true, patience: LivePatience, now: Moment,
        tap: ((UnsafeRawBufferPointer, Moment) -> Void)? = nil
    ) {
        self.endpoint = endpoint
        self.reconnects = reconnects
        self.listsSatellites = listsSatellites
        self.patience = patience
        self.tap = tap
        attemptDue = now
        nextAttempt = now
    }

    deinit {
        attempt?.abandon()
        buffer.deallocate()
    }

    /// What to poll for reading; −1 where there is only the deadline to wait for.
    package var descriptor: Int32 {
        if let attempt { return attempt.done.descriptor }
        return session?.descriptor ?? -1
    }

    /// When to call `step` at the latest.
    package var deadline: Moment {
        if attempt != nil { return attemptDue }
        if conversation?.hasCommands == true { return attemptDue }
        return conversation?.deadline ?? nextAttempt ?? attemptDue
    }

    /// When it will try to connect again, while it waits for that.
    ///
    /// It touches nothing that a step is at work on, as whoever is told of a failure may ask.
    package var retry: Moment? { nextAttempt }

    /// Does what is to be done now, and tells what came of it; throws when the session is over.
    ///
    /// - Parameter isReady: whether the descriptor has something to read.
    package func step(
        isReady: Bool, at now: Moment, _ tell: (LocationUpdate) -> Void
    ) throws(LocationError) {
        do throws(LocationError) {
            if conversation != nil {
                try talk(isReady: isReady, at: now, tell)
            } else if attempt != nil {
                try connect(at: now)
            } else if let nextAttempt, now >= nextAttempt {
                tell(LocationUpdate(.searching(.connecting(attempt: failures + 1)), at: now))
                try beginToConnect(at: now)
            }
        } catch {
            attempt?.abandon()
            attempt = nil
            session = nil
            conversation = nil
            if case .denied = error { tell(LocationUpdate(.authorization(.denied), at: now)) }
            guard reconnects else { throw error }
            failures += 1
            nextAttempt = now.advanced(by: patience.retry(after: failures, spread: Double.random(in: 0...1)))
            tell(LocationUpdate(.failure(error), at: now))
        }
    }

    /// Whether somebody has taken the connection, be it a gpsd or not.
    package var isConnected: Bool { conversation != nil }

    /// Has the daemon asked what its receivers do, once it has greeted.
    package func askForDevices() { conversation?.askForDevices() }

    private func beginToConnect(at now: Moment) throws(LocationError) {
        nextAttempt = nil
        attemptDue = now.advanced(by: patience.connecting)
        do throws(SystemFailure) { attempt = try ConnectAttempt(endpoint) } catch {
            throw .unreachable(host: endpoint.host, port: endpoint.port, cause: "\(error)")
        }
    }

    private func connect(at now: Moment) throws(LocationError) {
        if let session = try attempt?.take() {
            self.session = consume session
            attempt = nil
            conversation = GPSDConversation(
                endpoint, listsSatellites: listsSatellites, patience: patience, now: now)
        } else if now >= attemptDue {
            let cause = SystemFailure("connect", code: ETIMEDOUT).reason
            throw .unreachable(host: endpoint.host, port: endpoint.port, cause: cause)
        }
    }

    private func talk(
        isReady: Bool, at now: Moment, _ tell: (LocationUpdate) -> Void
    ) throws(LocationError) {
        if isReady { try receive(at: now, tell) }
        try conversation?.expire(at: now, tell)
        if let commands = conversation?.takeCommands() { try send(commands) }
        if conversation?.isFruitful == true { failures = 0 }
    }

    private func receive(at now: Moment, _ tell: (LocationUpdate) -> Void) throws(LocationError) {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        let code = errno
        if count > 0 {
            let chunk = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            tap?(chunk, now)
            try conversation?.hear(chunk, at: now, tell)
        } else if count == 0 || (code != EINTR && code != EAGAIN) {
            let cause = count == 0 ? "the daemon closed the connection" : SystemFailure("receive", code: code).reason
            conversation?.end(at: now, tell)
            throw conversation?.broken(cause)
                ?? .connectionLost(host: endpoint.host, port: endpoint.port, cause: cause)
        }
    }

    private func send(_ commands: String) throws(LocationError) {
        do throws(LibgpsError) { try session?.send(commands) } catch { throw LocationError(error, endpoint) }
    }
}
