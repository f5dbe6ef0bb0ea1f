/// The time between two positions by the receiver's clock.
package enum ReceiverTime {
    /// The difference from the session's clock up to which the receiver's counts between two positions.
    private static let tolerance: Int64 = 2_000_000_000

    /// Returns the nanoseconds since the last position by the receiver's clock if they differ little from the session's, because reports
    /// can come in bursts, and recordings can be made faster than the receiver reported.
    package static func between(_ before: Timestamp?, and now: Timestamp?, session time: Int64) -> Int64 {
        guard let now, let before, now > before else { return time }
        let (told, overflows) = now.nanosecondsSince1970.subtractingReportingOverflow(before.nanosecondsSince1970)
        return !overflows && abs(told - time) < tolerance ? told : time
    }
}
