import Glibc
public import LocationCore

/// The clock that never goes back.
public enum MonotonicTime {
    /// Time since the machine started.
    public static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// The time of day.
public enum WallTime {
    /// What the host's clock shows.
    public static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(nanosecondsSince1970: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// The next moment of civil time that a receiver of this interval reports at, and how long it is until then.
    static func nextRound(after least: Duration, every interval: Int64) -> (start: Timestamp, delay: Duration) {
        let now = now.nanosecondsSince1970
        let next = ((now + least.nanoseconds) / interval + 1) * interval
        return (Timestamp(nanosecondsSince1970: next), .nanoseconds(next - now))
    }
}
