import CLocwatchPlatform
import Glibc

/// The clocks of this machine.
public enum HostClock {
    /// Whether the civil clock is synchronized, such as by a time server; `nil` if unknown.
    public static var isSynchronized: Bool? {
        let answer = locwatch_clock_is_kept()
        return answer < 0 ? nil : answer == 1
    }

    package enum Count: Sendable {
        /// Time since the machine started, including suspension, as in `ContinuousClock`.
        case sinceBoot
        /// Time since the machine started, without suspension.
        case awake
        /// Processor time used by all threads of this process.
        case processor
    }

    package static func nanoseconds(_ count: Count) -> Int64 {
        let clock =
            switch count {
            case .sinceBoot: CLOCK_BOOTTIME
            case .awake: CLOCK_MONOTONIC
            case .processor: CLOCK_PROCESS_CPUTIME_ID
            }
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
