import Glibc
import LocationCore
import Platform
import Synchronization

/// A connection in the making, on a thread of its own: libgps blocks, without a limit, while it looks a name up and connects.
///
/// Whoever waits for it can turn away at any time; what then comes of it is closed by its own thread.
final class ConnectAttempt: Sendable {
    /// Happens when there is an outcome.
    let done: Event

    private enum Outcome: ~Copyable {
        case pending
        case abandoned
        case connected(GPSDSession)
        case failed(LocationError)

        var isPending: Bool {
            switch self {
            case .pending: true
            default: false
            }
        }
    }

    private let outcome = Mutex(Outcome.pending)

    init(_ endpoint: GPSDEndpoint) throws(SystemFailure) {
        done = try Event()
        try NativeThread.start { self.run(endpoint) }
    }

    /// The session, when it is there; `nil` while the attempt goes on.
    func take() throws(LocationError) -> GPSDSession? {
        try outcome.withLock { (outcome) throws(LocationError) -> GPSDSession? in
            var taken = Outcome.abandoned
            swap(&taken, &outcome)
            switch consume taken {
            case .pending:
                outcome = .pending
                return nil
            case .abandoned: return nil
            case .connected(let session): return session
            case .failed(let error): throw error
            }
        }
    }

    /// Turns away from the attempt, whatever comes of it.
    func abandon() {
        outcome.withLock { $0 = .abandoned }
    }

    private func run(_ endpoint: GPSDEndpoint) {
        let reached: Outcome
        do throws(LibgpsError) {
            reached = .connected(try GPSDSession(endpoint))
        } catch {
            // Finding out why blocks as long again, which is for somebody who still waits.
            guard outcome.withLock({ $0.isPending }) else { return }
            reached = .failed(LocationError(error, endpoint))
        }
        settle(reached)
        done.happen()
    }

    private func settle(_ reached: consuming Outcome) {
        var reached = reached
        outcome.withLock { outcome in
            if outcome.isPending { swap(&outcome, &reached) }
        }
        // What nobody wants any more ends here, outside the lock.
    }
}

extension LocationError {
    /// What a failure of libgps means to whoever wanted to reach the daemon.
    init(_ failure: LibgpsError, _ endpoint: GPSDEndpoint) {
        let (host, port) = (endpoint.host, endpoint.port)
        switch failure {
        case .unknownHost: self = .unresolvable(host: host, port: port, cause: "there is no such host")
        case .unknownService: self = .unresolvable(host: host, port: port, cause: "there is no such service")
        case .unknownName: self = .unresolvable(host: host, port: port, cause: "the name does not resolve")
        case .outOfMemory: self = .unreachable(host: host, port: port, cause: "out of memory")
        case .notSent(let error):
            self = .connectionLost(host: host, port: port, cause: SystemFailure("send", code: error).reason)
        case .noSocket(let error), .cannotConnect(let error):
            // libgps before 3.27 does not pass the cause on: the system tells it again.
            let code = error ?? ConnectionProbe.error(host: host, port: port)
            let cause = code.map { SystemFailure("connect", code: $0).reason } ?? "it does not accept the connection"
            self =
                code == EACCES || code == EPERM
                ? .denied(what: "the connection to \(endpoint)", cause: cause)
                : .unreachable(host: host, port: port, cause: cause)
        }
    }
}
