import Glibc
import Synchronization

/// A thread for work that blocks, which must not be done on the few threads that Swift's tasks share.
public final class NativeThread: Sendable {
    private let running: Mutex<pthread_t?>

    /// Runs `body` on a thread of its own, which takes no signals, and whose end `join` waits for.
    public init(_ body: sending @escaping () -> Void) throws(SystemFailure) {
        running = Mutex(try Self.create(body))
    }

    deinit {
        if let thread = running.withLock({ $0 }) { pthread_detach(thread) }
    }

    /// Waits until the thread is over, once `end` has had it end; a second call does nothing.
    public func join(after end: () -> Void = {}) {
        running.withLock { running in
            guard let thread = running else { return }
            end()
            pthread_join(thread, nil)
            running = nil
        }
    }

    /// Runs `body` on a thread of its own, which takes no signals, and for whose end nobody waits.
    public static func start(_ body: sending @escaping () -> Void) throws(SystemFailure) {
        pthread_detach(try create(body))
    }

    private static func create(_ body: sending @escaping () -> Void) throws(SystemFailure) -> pthread_t {
        let work = Unmanaged.passRetained(ThreadWork(body))
        // Signals are for the thread that the program has chosen for them; a new thread has its maker's mask.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        var thread = pthread_t()
        let failure = pthread_create(&thread, nil, runThreadWork, work.toOpaque())
        pthread_sigmask(SIG_SETMASK, &before, nil)
        guard failure == 0 else {
            // Not on the caller's thread instead: what blocks there could never be cancelled.
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
    // The argument is what was retained for this call just above.
    Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().body()
    return nil
}
