import Glibc
public import LocationCore

extension SessionClock {
    /// A session that begins now, on this machine's clocks.
    public static func system() -> SessionClock {
        SessionClock(ContinuousClock()) { _ in
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Timestamp(nanosecondsSince1970: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
        }
    }
}
