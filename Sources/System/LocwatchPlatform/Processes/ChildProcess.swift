import CLocwatchPlatform
import Glibc
import LocwatchSupport

/// A child process that ends with this process at the latest, however this process ends.
public final class ChildProcess: Sendable {
    /// The way in which a child ended.
    public enum Ending: Hashable, Sendable {
        /// The child exited with this code.
        case exited(Int32)
        /// This signal ended the child.
        case signalled(Int32)
        /// The child is gone, and the cause is unknown.
        case unknown
    }

    /// The child's process id; use `send(_:)` for signals, because the id can be reused once the child has ended.
    public let processID: Int32
    private let keeper: pid_t
    private let leash: Int32
    private let ending = Lock<Ending?>(nil)

    /// Starts the program at `path`; descriptors that are not given are /dev/null, and no others reach the child.
    ///
    /// The sockets become 3, 4, … in it, announced as in socket activation by systemd, and `grace` is the time between
    /// SIGTERM and SIGKILL.
    package init(
        path: String, arguments: [String] = [], environment: [String: String],
        input: Int32? = nil, output: Int32? = nil, error: Int32? = nil,
        sockets: [Int32] = [], confinement: Confinement? = nil, grace: Duration = .seconds(1)
    ) throws(SystemFailure) {
        var pid: pid_t = 0
        var keeper: pid_t = 0
        var leash: Int32 = -1
        var environment = environment
        if !sockets.isEmpty {
            environment["LISTEN_FDS"] = String(sockets.count)
            // The child writes its own id over the digits.
            environment["LISTEN_PID"] = "0000000000"
        }
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let failure = path.withCString { program in
            CStrings.with([path] + arguments) { argv in
                CStrings.with(variables) { envp in
                    sockets.withUnsafeBufferPointer { sockets in
                        var request = locwatch_spawn_request(
                            path: program, arguments: argv, environment: envp,
                            input: input ?? -1, output: output ?? -1, error: error ?? -1,
                            sockets: sockets.baseAddress, socket_count: Int32(sockets.count), confinement: nil,
                            grace_milliseconds: grace.wholeMilliseconds)
                        guard let confinement else { return locwatch_spawn(&request, &pid, &keeper, &leash) }
                        return confinement.withRequest { rule in
                            request.confinement = rule
                            return locwatch_spawn(&request, &pid, &keeper, &leash)
                        }
                    }
                }
            }
        }
        guard failure == 0 else {
            // The interpreter of a script is not a part of its rule.
            let isScript = failure == EACCES && confinement != nil && access(path, X_OK) == 0
            let place = isScript ? "\(path) under its confinement, which allows no script" : path
            throw SystemFailure("start \(place)", code: failure)
        }
        processID = pid
        self.keeper = keeper
        self.leash = leash
    }

    /// Ends the child, without waiting for that.
    deinit {
        Endings.run { [leash, keeper] in locwatch_child_release(leash, keeper) }
    }

    /// Sends a signal to the child if it is still running.
    public func send(_ signal: Int32) {
        _ = locwatch_child_signal(leash, signal)
    }

    /// A descriptor that is readable once the child has ended, for a poll loop that then reads `endingIfAny`.
    package var descriptor: Int32 { leash }

    /// Sends SIGTERM, and SIGKILL to the child and its group after the grace time, without waiting for either.
    package func requestEnd() {
        _ = locwatch_child_end(leash)
    }

    /// Sends SIGTERM, then SIGKILL after the grace time, and waits until the child is gone.
    @discardableResult public func end() -> Ending {
        _ = locwatch_child_end(leash)
        return wait() ?? .unknown
    }

    /// The way in which the child ended, or `nil` while it is running.
    public var endingIfAny: Ending? { wait(for: .zero) }

    /// Waits for the end of the child, for `limit` at most; returns `nil` if it is still running then.
    public func wait(for limit: Duration? = nil) -> Ending? {
        // Poll outside the lock, so that a long wait does not delay another thread's short one.
        let deadline = limit.map { ContinuousClock.now + $0 }
        while ending.withLock({ $0 }) == nil {
            // The wait is sliced, because another thread may consume the report that this one waits for.
            let left = deadline.map { max(.zero, $0 - .now) } ?? .milliseconds(100)
            if PollSet.wait(for: leash, within: min(left, .milliseconds(100))) { return collect() }
            // A child that has stopped its parent must not keep its end from this process.
            _ = locwatch_child_resume(keeper)
            if let deadline, ContinuousClock.now >= deadline { return nil }
        }
        return ending.withLock { $0 }
    }

    private func collect() -> Ending {
        ending.withLock { known in
            if let known { return known }
            var status: Int32 = 0
            let signal: Int32
            let answer: Ending
            if locwatch_child_wait(leash, -1, &status) != 0 {
                answer = .unknown
            } else {
                signal = locwatch_exit_signal(status)
                answer = signal == 0 ? .exited(locwatch_exit_code(status)) : .signalled(signal)
            }
            known = answer
            return answer
        }
    }
}
