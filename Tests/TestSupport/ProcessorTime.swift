import Glibc

/// Returns the time for which the processor runs a closure, without that of other tests and programs.
public func processorTime(of work: () -> Void) -> Duration {
    func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    let start = now()
    work()
    return now() - start
}
