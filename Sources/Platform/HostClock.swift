import CPlatform

/// The clock of this machine.
public enum HostClock {
    /// Whether a time server or the like keeps it; `nil` where the system does not tell.
    public static var isKept: Bool? {
        let answer = locwatch_clock_is_kept()
        return answer < 0 ? nil : answer == 1
    }
}
