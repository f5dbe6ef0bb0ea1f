import Glibc

/// Returns the processor time that the calling thread needs for work, whatever else the machine does.
package func threadTime(of work: () throws -> Void) rethrows -> Duration {
    func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    let start = now()
    try work()
    return now() - start
}
