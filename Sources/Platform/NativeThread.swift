import Glibc

/// Threads for work that blocks, which must not be done on the few threads that Swift's tasks share.
public enum NativeThread {
    /// Runs `body` on a thread of its own, which takes no signals; on the caller's, where no thread can be had.
    public static func start(_ body: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(ThreadWork(body)).toOpaque()
        var thread = pthread_t()
        if pthread_create(&thread, nil, runThreadWork, work) == 0 {
            pthread_detach(thread)
        } else {
            _ = runThreadWork(work)
        }
    }
}

private final class ThreadWork: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runThreadWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // Signals are for the thread that the program has chosen for them; the mask of one that is borrowed is given back.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    // The argument is what was retained for this call just above.
    Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().body()
    pthread_sigmask(SIG_SETMASK, &before, nil)
    return nil
}
