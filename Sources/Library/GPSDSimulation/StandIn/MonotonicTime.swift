import LocwatchPlatform

enum MonotonicTime {
    /// The time since the machine started, without suspension.
    static var now: Duration { .nanoseconds(HostClock.nanoseconds(.awake)) }
}
