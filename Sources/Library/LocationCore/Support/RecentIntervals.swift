/// The last five intervals between reports, and their median.
struct RecentIntervals: Hashable, Sendable {
    private static let memory = 5
    private var intervals: [Duration] = []

    /// The number of intervals that are remembered.
    var count: Int { intervals.count }

    /// The median, the lower one of an even number, so that a pause or a burst among them does not change it, if any.
    private(set) var median: Duration?

    /// Notes an interval, which takes the place of the oldest one.
    mutating func note(_ interval: Duration) {
        if intervals.count == Self.memory { intervals.removeFirst() }
        intervals.append(interval)
        // The one with half of the others before it: a sort allocates, and takes twice as many instructions.
        let place = (intervals.count - 1) / 2
        median = intervals.first { interval in
            let smaller = intervals.count { $0 < interval }
            return smaller <= place && place < smaller + intervals.count { $0 == interval }
        }
    }
}
