public import LocationCore
import LocwatchPlatform

extension SessionClock {
    /// Returns the clock of a session that begins now, on this machine's clocks.
    public static func system() -> SessionClock {
        let clock = ContinuousClock()
        let start = clock.now
        let began = HostClock.nanoseconds(.sinceBoot)
        return SessionClock(
            elapsed: { .nanoseconds(HostClock.nanoseconds(.sinceBoot) - began) },
            wall: { _ in Timestamp(nanosecondsSince1970: HostClock.nanoseconds(.civil)) },
            sleepUntil: { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) })
    }
}
