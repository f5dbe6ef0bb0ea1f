public import LocationCore
import LocwatchPlatform

/// The clock that never goes back.
public enum MonotonicTime {
    /// Time since the machine started.
    public static var now: Duration {
        .nanoseconds(HostClock.nanoseconds(.awake))
    }
}

/// The time of day.
public enum WallTime {
    /// What the host's clock shows.
    public static var now: Timestamp {
        Timestamp(nanosecondsSince1970: HostClock.nanoseconds(.civil))
    }

    /// The next moment of civil time that a receiver of this interval reports at, and how long it is until then.
    static func nextRound(after least: Duration, every interval: Int64) -> (start: Timestamp, delay: Duration) {
        let now = now.nanosecondsSince1970
        let next = ((now + least.nanoseconds) / interval + 1) * interval
        return (Timestamp(nanosecondsSince1970: next), .nanoseconds(next - now))
    }
}
