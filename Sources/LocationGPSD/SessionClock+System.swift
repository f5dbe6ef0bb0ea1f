import Glibc
public import LocationCore

extension SessionClock {
    /// A session that begins now, on this machine's clocks.
    public static func system() -> SessionClock {
        let clock = ContinuousClock()
        let start = clock.now
        // The clock that `ContinuousClock` shows: it goes on while the machine sleeps.
        let began = nanoseconds(of: CLOCK_BOOTTIME)
        return SessionClock(
            elapsed: { .nanoseconds(nanoseconds(of: CLOCK_BOOTTIME) - began) },
            wall: { _ in Timestamp(nanosecondsSince1970: nanoseconds(of: CLOCK_REALTIME)) },
            sleepUntil: { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) })
    }
}

private func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
