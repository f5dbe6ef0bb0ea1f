/// The interval at which a receiver reports, learnt from the arrivals of its reports.
///
/// It is the median of the last five intervals. A value without a clock: the times of the reports come in as arguments.
package struct ReportInterval: Hashable, Sendable {
    /// The values that the positions of a session carry.
    package struct Estimate: Hashable, Sendable {
        package let median: Duration?
        /// The time after which a position without a new report is no longer current.
        package let staleAfter: Duration
    }

    /// The number of intervals from which on a receiver's reports count for more than the cycle that its daemon names.
    private static let certain = 3
    /// The limits of `staleAfter`.
    private static let shortest = Duration.seconds(3)
    private static let longest = Duration.seconds(60)
    private static let longestRemote = Duration.seconds(24 * 3600)

    private var intervals = RecentIntervals()
    /// Whether the receiver is a machine elsewhere.
    private let isRemote: Bool
    private var last: Duration?
    /// Up to this interval `staleAfter` is at its lower limit.
    private static let brief = Duration.milliseconds(1166)

    /// The cycle that the daemon names, which counts until the receiver's reports tell more.
    @HeapOptional package var cycle: Duration? {
        didSet { if cycle != oldValue { updateStaleAfter() } }
    }

    /// The time after which a position without a new report is no longer current: three intervals, in whole seconds.
    ///
    /// It is at least 3 s, and at most 60 s, or a day for a machine elsewhere.
    package private(set) var staleAfter: Duration

    /// The interval of a machine elsewhere, which is not known yet.
    ///
    /// A phone may report twice an hour while it lies on a table, and without a daemon that names the cycle, its first reports
    /// say nothing about the next.
    package static let remote = ReportInterval(isRemote: true)

    /// Creates an interval that is not known yet.
    package init() { self.init(isRemote: false) }

    private init(isRemote: Bool) {
        self.isRemote = isRemote
        staleAfter = isRemote ? Self.longest : Self.shortest
    }

    private var longest: Duration { isRemote ? Self.longestRemote : Self.longest }

    package var median: Duration? { intervals.median }

    /// Notes that a report has arrived; a time that goes back begins anew.
    ///
    /// `isEpoch` is false for a report that is only a part of one; epochs without a fix come in parts.
    package mutating func note(at elapsed: Duration, isEpoch: Bool = true) {
        guard let before = last else {
            last = elapsed
            return
        }
        let interval = elapsed - before
        if !isEpoch, interval >= .zero, interval < Location.assemblyLimit { return }
        last = elapsed
        guard interval > .zero else { return }
        intervals.note(interval)
        updateStaleAfter()
    }

    /// Notes that the receiver was away, so that the time until its next report does not count as an interval.
    package mutating func interrupt() { last = nil }

    private mutating func updateStaleAfter() {
        guard var interval = median ?? (cycle == nil ? nil : .zero) else { return }
        if intervals.count < Self.certain, let cycle { interval = max(interval, cycle) }
        // Nearly all receivers report each second or more often.
        guard interval > Self.brief else {
            staleAfter = Self.shortest
            return
        }
        // Before it is multiplied, so that no interval overflows.
        guard interval < longest else {
            staleAfter = longest
            return
        }
        let (seconds, rest) = (interval * 3).components
        staleAfter = min(
            longest, max(Self.shortest, .seconds(rest < 500_000_000_000_000_000 ? seconds : seconds + 1)))
    }
}
