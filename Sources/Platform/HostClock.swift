import CPlatform
import Glibc

/// The clock of this machine.
public enum HostClock {
    /// Whether a time server or the like keeps it; `nil` where the system does not tell.
    public static var isKept: Bool? {
        let answer = locwatch_clock_is_kept()
        return answer < 0 ? nil : answer == 1
    }

    /// What one of the system's clocks counts.
    package enum Count: Sendable {
        /// Civil time, since 1970.
        case civil
        /// Time since the machine started, whether it slept or not: what `ContinuousClock` shows.
        case sinceBoot
        /// Time since the machine started in which it was awake.
        case awake
        /// Processor time that this process has used, all its threads together.
        case processor
    }

    /// What one of the system's clocks shows.
    package static func nanoseconds(_ count: Count) -> Int64 {
        let clock =
            switch count {
            case .civil: CLOCK_REALTIME
            case .sinceBoot: CLOCK_BOOTTIME
            case .awake: CLOCK_MONOTONIC
            case .processor: CLOCK_PROCESS_CPUTIME_ID
            }
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
