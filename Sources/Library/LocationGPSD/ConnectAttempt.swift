import Glibc
import LocationCore
import LocwatchPlatform
import LocwatchSupport

/// A connection attempt on its own thread, because libgps blocks without a limit while it resolves a name and connects.
///
/// The owner can abandon the attempt at any time; its thread then closes the connection.
final class ConnectAttempt: Sendable {
    /// An event that happens when the attempt has succeeded or failed.
    let done: Event

    private enum Outcome: ~Copyable {
        case pending
        case abandoned
        case connected(GPSDConnection)
        case failed(LocationError)

        var isPending: Bool {
            switch self {
            case .pending: true
            default: false
            }
        }
    }

    private let outcome = Lock(Outcome.pending)

    init(_ endpoint: GPSDEndpoint) throws(SystemFailure) {
        done = try Event()
        try NativeThread.start { self.run(endpoint) }
    }

    /// Returns the session once it is connected, or `nil` while the attempt is pending.
    func take() throws(LocationError) -> GPSDConnection? {
        try outcome.withLock { (outcome) throws(LocationError) -> GPSDConnection? in
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

    /// Abandons the attempt, whatever its outcome.
    func abandon() {
        outcome.withLock { $0 = .abandoned }
    }

    private func run(_ endpoint: GPSDEndpoint) {
        let reached: Outcome
        do throws(LibgpsError) {
            reached = .connected(try GPSDConnection(endpoint))
        } catch {
            // Determining the cause blocks as long again, so it is done only if the outcome is still wanted.
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
        // A session that was abandoned is closed here, outside the lock.
    }
}

extension LocationError {
    /// The cause of a port without a number that is not the name of a service.
    package static let unknownService = "there is no such service"

    /// Converts a failure of libgps at an endpoint.
    init(_ failure: LibgpsError, _ endpoint: GPSDEndpoint) {
        switch failure {
        case .unknownHost: self = endpoint.unresolvable("there is no such host")
        case .unknownService: self = endpoint.unresolvable(Self.unknownService)
        case .unknownName: self = endpoint.unresolvable("the name does not resolve")
        case .outOfMemory: self = endpoint.unreachable("out of memory")
        case .notSent(let error): self = endpoint.connectionLost(SystemFailure("send", code: error).reason)
        case .noSocket(let error), .cannotConnect(let error):
            // libgps before 3.27 does not pass the cause on, so it is determined by another attempt.
            let code = error ?? ConnectionProbe.error(host: endpoint.host, port: endpoint.port)
            let cause = code.map { SystemFailure("connect", code: $0).reason } ?? "it does not accept the connection"
            self =
                code == EACCES || code == EPERM
                ? .denied(what: "the connection to \(endpoint)", cause: cause)
                : endpoint.unreachable(cause)
        }
    }
}

// The errors of an endpoint, whose port can be the name of a service.
extension GPSDEndpoint {
    func unreachable(_ cause: String) -> LocationError {
        .unreachable(host: host, port: port, cause: cause)
    }

    func unresolvable(_ cause: String) -> LocationError {
        .unresolvable(host: host, port: port, cause: cause)
    }

    func connectionLost(_ cause: String) -> LocationError {
        .connectionLost(host: host, port: port, cause: cause)
    }
}
