import Glibc
import LocationCore
import LocwatchPlatform

/// A connection to a source of corrections, whose operations end early when the feed ends.
final class CorrectionsConnection {
    /// The end of a connection, or the reason why there is none.
    enum Failure: Error, Hashable {
        case fault(CorrectionsStatus.Fault, cause: String)
        /// The feed ends.
        case interrupted

        static func system(_ fault: CorrectionsStatus.Fault, _ failure: SystemFailure) -> Failure {
            .fault(fault, cause: failure.reason)
        }
    }

    private let descriptor: Int32
    private let interruption: Event

    deinit { close(descriptor) }

    /// Connects to a host, trying each of its addresses.
    init(to address: StreamAddress, within limit: Duration, _ interruption: Event) throws(Failure) {
        self.interruption = interruption
        let deadline = ContinuousClock.now + limit
        let found: [String]?
        do throws(SystemFailure) {
            found = try HostLookup(address.host).wait(before: deadline, interruption: interruption)
        } catch {
            throw .system(.unresolvable, error)
        }
        if interruption.hasHappened { throw .interrupted }
        guard let found, !found.isEmpty else {
            throw .fault(
                .unresolvable,
                cause: found == nil ? "the name was not looked up in time" : "the name does not resolve")
        }
        var last = SystemFailure("connect", code: ETIMEDOUT)
        for host in found {
            do throws(SystemFailure) {
                let left = max(.milliseconds(1), deadline - .now)
                descriptor = try SocketAddress.resolve(host, port: address.port)
                    .connect(within: left, interruption: interruption)
                return
            } catch {
                last = error
            }
            if interruption.hasHappened { throw .interrupted }
        }
        throw .system(.unreachable, last)
    }

    /// Opens a named pipe.
    init(pipe path: String, _ interruption: Event) throws(Failure) {
        self.interruption = interruption
        // With its own writing end it does not end when a program that writes into it does.
        descriptor = open(path, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(.pipe, SystemFailure("open", code: errno)) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
            throw .fault(.pipe, cause: "it is not a named pipe; make one with mkfifo")
        }
    }

    /// Writes bytes; a connection that cannot take them at once counts as lost.
    func send(_ bytes: [UInt8]) throws(Failure) {
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw .fault(.closed, cause: "the connection was lost")
        }
    }

    /// Reads what arrives, or returns `nil` if nothing does until a deadline.
    func read(before deadline: ContinuousClock.Instant) throws(Failure) -> [UInt8]? {
        while true {
            let left = max(.zero, deadline - .now)
            let ready = PollSet.wait(for: [descriptor, interruption.descriptor], within: left)
            if ready.isReady(interruption.descriptor) { throw .interrupted }
            guard ready.isReady(descriptor) else {
                if left == .zero { return nil }
                continue
            }
            var piece = [UInt8](repeating: 0, count: 4096)
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else {
                throw .fault(
                    .closed, cause: count == 0 ? "the caster has ended the connection" : "the connection was lost")
            }
            return Array(piece[..<count])
        }
    }
}
