extension Location {
    /// Returns the seconds since the position before, which was sent at `before`, and after which `passed` seconds of the session
    /// have passed.
    ///
    /// The receiver's clock counts unless the session's is far ahead of it, because positions that were held back arrive together.
    package func seconds(since before: Timestamp?, session passed: Double) -> Double {
        guard let timestamp, let before else {
            // In a recording without times, the positions still have an order.
            return passed > 0 || timestamp != nil ? passed : IntegrityRules.unknownInterval
        }
        let own = Double(clampingNanoseconds: timestamp, since: before)
        return own > max(0, passed - IntegrityRules.ownTime) && own < IntegrityRules.longestOwnTime ? own : passed
    }
}
