package import LocationCore
import LocwatchPlatform

/// The monotonic clock.
package enum MonotonicTime {
    /// The time since the machine started, without suspension.
    package static var now: Duration {
        .nanoseconds(HostClock.nanoseconds(.awake))
    }
}

/// The civil time of this machine.
package enum WallTime {
    /// The current reading of the host's clock.
    package static var now: Timestamp {
        Timestamp.now
    }

    /// Returns the first multiple of `interval` nanoseconds that is more than `least` ahead, and the delay until then.
    static func nextRound(after least: Duration, every interval: Int64) -> (start: Timestamp, delay: Duration) {
        let now = now.nanosecondsSince1970
        let next = ((now + least.nanoseconds) / interval + 1) * interval
        return (Timestamp(nanosecondsSince1970: next), .nanoseconds(next - now))
    }
}
