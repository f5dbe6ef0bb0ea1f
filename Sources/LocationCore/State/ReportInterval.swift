/// The interval at which a receiver reports, learnt from the arrivals of its reports.
///
/// It is the median of the last five intervals, the lower one of an even number, so that a pause or a burst among them does
/// not change it. A value without a clock: the times of the reports come in as arguments.
package struct ReportInterval: Hashable, Sendable {
    /// The number of intervals that are remembered.
    private static let memory = 5
    /// The number of intervals from which on a receiver's reports count for more than the cycle that its daemon names.
    private static let certain = 3
    /// gpsd reports an epoch in parts, and what arrives within this time belongs to one epoch.
    private static let epoch = EpochSettler.limit
    /// The limits of `staleAfter`.
    private static let staleLimits = Duration.seconds(3)...Duration.seconds(60)

    private var intervals: [Duration] = []
    private var last: Duration?
    /// Up to this interval `staleAfter` is at its lower limit, whatever the median is.
    private static let brief = Duration.milliseconds(1166)
    private var areAllBrief = true

    /// The cycle that the daemon names, which counts until the receiver's reports tell more.
    package var cycle: Duration? {
        didSet { if cycle != oldValue { updateStaleAfter() } }
    }

    /// The time after which a position without a new report is no longer current: three intervals, from 3 to 60 whole seconds.
    package private(set) var staleAfter = Self.staleLimits.lowerBound

    /// An interval that is not known yet.
    package init() {}

    /// The median of the last intervals, or `nil` before the second report.
    package var median: Duration? {
        intervals.isEmpty ? nil : intervals.sorted()[(intervals.count - 1) / 2]
    }

    /// Notes that a report has arrived; a time that goes back begins anew.
    package mutating func note(at elapsed: Duration) {
        guard let before = last else {
            last = elapsed
            return
        }
        let interval = elapsed - before
        guard interval >= Self.epoch || interval < .zero else { return }
        last = elapsed
        guard interval > .zero else { return }
        if intervals.count == Self.memory { intervals.removeFirst() }
        intervals.append(interval)
        // Nearly all receivers report each second or more often, and sorting at each report would be felt.
        if areAllBrief, interval <= Self.brief, intervals.count != Self.certain { return }
        areAllBrief = intervals.allSatisfy { $0 <= Self.brief }
        updateStaleAfter()
    }

    /// Notes that the receiver was away, so that the time until its next report does not count as an interval.
    package mutating func interrupt() { last = nil }

    private mutating func updateStaleAfter() {
        var interval = median ?? .zero
        if intervals.count < Self.certain, let cycle { interval = max(interval, cycle) }
        // Before it is multiplied, so that no interval overflows.
        let longest = Self.staleLimits.upperBound
        guard interval < longest else {
            staleAfter = longest
            return
        }
        let (seconds, rest) = (interval * 3).components
        staleAfter = min(
            longest, max(Self.staleLimits.lowerBound, .seconds(rest < 500_000_000_000_000_000 ? seconds : seconds + 1)))
    }
}
