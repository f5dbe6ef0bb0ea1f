import Glibc

/// Threads for work that blocks, which must not be done on the few threads that Swift's tasks share.
public enum NativeThread {
    /// Runs `body` on a thread of its own, which takes no signals.
    public static func start(_ body: @escaping @Sendable () -> Void) throws(SystemFailure) {
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
        pthread_detach(thread)
    }
}

private final class ThreadWork: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runThreadWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // The argument is what was retained for this call just above.
    Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().body()
    return nil
}
