import GPSDReports
import Glibc
import LocationCore
import Platform

/// What the thread of a live session does: connect, watch, read, and begin again.
struct GPSDListener: Sendable {
    private let endpoint: GPSDEndpoint
    private let mailbox: LocationMailbox
    private let wake: Event
    private let reconnects: Bool
    private let patience: LivePatience
    private let tap: (@Sendable (UnsafeRawBufferPointer, Moment) -> Void)?

    init(
        _ endpoint: GPSDEndpoint, mailbox: LocationMailbox, wake: Event, reconnects: Bool, patience: LivePatience,
        tap: (@Sendable (UnsafeRawBufferPointer, Moment) -> Void)?
    ) {
        self.endpoint = endpoint
        self.mailbox = mailbox
        self.wake = wake
        self.reconnects = reconnects
        self.patience = patience
        self.tap = tap
    }

    /// Runs until the session is stopped, or until a failure ends it.
    func run() {
        var failures = 0
        while true {
            do throws(LocationError) {
                mailbox.put(.searching(.connecting(attempt: failures + 1)))
                guard let session = try connect() else { return }
                try listen(to: session, &failures)
                return
            } catch {
                if case .denied = error { mailbox.put(.authorization(.denied)) }
                guard reconnects else {
                    mailbox.finish(throwing: error)
                    return
                }
                mailbox.put(.failure(error))
            }
            failures += 1
            let pause = patience.retry(after: failures, spread: Double.random(in: 0...1))
            if isStopped(within: pause) { return }
        }
    }

    private var now: Moment { mailbox.clock.now }

    /// The connection, or `nil` when the session was stopped meanwhile.
    private func connect() throws(LocationError) -> GPSDSession? {
        let attempt: ConnectAttempt
        do throws(SystemFailure) { attempt = try ConnectAttempt(endpoint) } catch {
            throw .unreachable(host: endpoint.host, port: endpoint.port, cause: "\(error)")
        }
        let due = now.advanced(by: patience.connecting)
        while true {
            if let session = try attempt.take() { return session }
            let rest = now.duration(to: due)
            guard rest > .zero else {
                attempt.abandon()
                throw .unreachable(
                    host: endpoint.host, port: endpoint.port, cause: SystemFailure("connect", code: ETIMEDOUT).reason)
            }
            if wait(for: attempt.done.descriptor, limit: rest) == .stopped {
                attempt.abandon()
                return nil
            }
        }
    }

    /// Reads until the session is stopped; throws when the connection is of no more use.
    private func listen(to session: borrowing GPSDSession, _ failures: inout Int) throws(LocationError) {
        var conversation = GPSDConversation(endpoint, patience: patience, now: now)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            switch wait(for: session.descriptor, limit: max(.zero, now.duration(to: conversation.deadline))) {
            case .stopped: return
            case .quiet: break
            case .ready:
                let count = recv(session.descriptor, buffer.baseAddress, buffer.count, 0)
                let code = errno
                if count > 0 {
                    let chunk = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                    let moment = now
                    tap?(chunk, moment)
                    try conversation.hear(chunk, at: moment) { mailbox.put($0.event, at: $0.moment) }
                } else if count == 0 {
                    conversation.end(at: now) { mailbox.put($0.event, at: $0.moment) }
                    throw conversation.broken("the daemon closed the connection")
                } else if code != EINTR, code != EAGAIN {
                    conversation.end(at: now) { mailbox.put($0.event, at: $0.moment) }
                    throw conversation.broken(SystemFailure("receive", code: code).reason)
                }
            }
            try conversation.expire(at: now)
            if let text = conversation.takeCommands() {
                do throws(LibgpsError) { try session.send(text) } catch { throw LocationError(error, endpoint) }
            }
            if conversation.isFruitful { failures = 0 }
        }
    }

    private enum Waiting { case ready, quiet, stopped }

    /// Waits for a descriptor, for the limit at most; being stopped goes before everything else.
    private func wait(for descriptor: Int32?, limit: Duration) -> Waiting {
        var watched = [
            pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        let (seconds, attoseconds) = limit.components
        // Rounded up, so that a wait that is almost over does not turn into many that are empty.
        let milliseconds = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        let ready = poll(&watched, nfds_t(watched.count), Int32(clamping: milliseconds))
        if watched[0].revents != 0 { return .stopped }
        return ready > 0 ? .ready : .quiet
    }

    private func isStopped(within limit: Duration) -> Bool {
        let due = now.advanced(by: limit)
        while true {
            let rest = now.duration(to: due)
            guard rest > .zero else { return false }
            if wait(for: nil, limit: rest) == .stopped { return true }
        }
    }
}
