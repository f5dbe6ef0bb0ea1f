import Glibc
import LocwatchSupport

/// A thread for blocking work, which must not run on the few threads that Swift's tasks share.
public final class NativeThread: Sendable {
    private let running: Lock<pthread_t?>

    /// Runs `body` on a new thread that receives no signals; `join` waits for its end.
    public init(_ body: sending @escaping () -> Void) throws(SystemFailure) {
        running = Lock(try Self.create(body))
    }

    deinit {
        if let thread = running.withLock({ $0 }) { pthread_detach(thread) }
    }

    /// Calls `end` to make the thread end, and waits for that; a second call does nothing.
    public func join(after end: () -> Void = {}) {
        running.withLock { running in
            guard let thread = running else { return }
            end()
            pthread_join(thread, nil)
            running = nil
        }
    }

    /// Runs `body` on a new detached thread that receives no signals.
    public static func start(_ body: sending @escaping () -> Void) throws(SystemFailure) {
        pthread_detach(try create(body))
    }

    private static func create(_ body: sending @escaping () -> Void) throws(SystemFailure) -> pthread_t {
        let work = Unmanaged.passRetained(ThreadWork(body))
        // Signals belong to the thread that the program has chosen for them; a new thread inherits this mask.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        // A system call that the confinement refuses would end the program.
        sigdelset(&all, SIGSYS)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        var thread = pthread_t()
        let failure = pthread_create(&thread, nil, runThreadWork, work.toOpaque())
        pthread_sigmask(SIG_SETMASK, &before, nil)
        guard failure == 0 else {
            // The work is not run on the caller's thread instead, because blocking work there could not be cancelled.
            work.release()
            throw SystemFailure("start a thread", code: failure)
        }
        return thread
    }
}

private final class ThreadWork {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
}

private func runThreadWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // The argument is the object that `create` retained for this call.
    Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().body()
    return nil
}
