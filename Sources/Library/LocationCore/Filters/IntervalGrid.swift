/// A grid of times on which at most one fix in each interval passes.
///
/// It goes by the fixes' own times, as reports are delayed on their way, and a fix may come half a cycle of its receiver early:
/// a receiver that reports each second loses nothing to an interval of a second. After a pause, and after a clock was set
/// back, the grid begins anew. Fixes without a time go by their arrival. A value without a clock.
///
/// It learns the cycle itself: the interval that the update of a position carries is that of the arrivals, only a session that
/// is tracked has it, and views of the satellites have none.
package struct IntervalGrid: Hashable, Sendable {
    /// The time of a fix, by the receiver's clock, which can be unknown, and by the session's.
    package struct Time: Hashable, Sendable {
        fileprivate let own: Timestamp?
        fileprivate let arrival: Duration

        /// The time of a fix, or of a view of the satellites, that arrived at a time of the session.
        package init(_ own: Timestamp?, arrival: Duration) {
            self.own = own
            self.arrival = arrival
        }

        /// The time since another fix: by the receiver's clock, or if that is unknown or was set back, by the session's.
        fileprivate func since(_ other: Time) -> Duration {
            if let own, let before = other.own, own >= before { return own.since(before) }
            return arrival - other.arrival
        }

        /// Whether the receiver's clock tells how long it is since another fix.
        fileprivate func isOnClock(of other: Time) -> Bool {
            guard let own, let before = other.own else { return own == nil && other.own == nil }
            return own >= before
        }
    }

    private let interval: Duration
    private var steps = RecentIntervals()
    /// Half the receiver's cycle, which is the median of its last intervals.
    private var tolerance = Duration.zero
    private var last: Time?
    /// The fix at which the grid begins.
    private var anchor: Time?
    /// The fix that passed last.
    private var passed: Time?
    /// The slot of that fix, counted from the anchor.
    private var slot = 0.0

    package init(_ interval: Duration) { self.interval = interval }

    /// Notes a fix, whether it passes or not, to know the receiver's cycle.
    package mutating func note(_ time: Time) {
        defer { last = time }
        guard interval > .zero, let last else { return }
        let step = time.since(last)
        guard step > .zero else { return }
        steps.note(step)
        // With more than the interval a fix could pass in a slot that is over.
        tolerance = min(steps.median ?? step, interval) / 2
    }

    /// Whether a fix may pass, as the first one of its slot.
    package func admits(_ time: Time) -> Bool {
        guard interval > .zero, let anchor, let passed else { return true }
        guard time.isOnClock(of: passed) else {
            let since = time.since(passed)
            return since < .zero || since + tolerance >= interval
        }
        let since = time.since(anchor)
        return since < .zero || slot(after: since) > slot
    }

    package mutating func pass(_ time: Time) {
        defer { passed = time }
        if let anchor, let passed, time.isOnClock(of: passed) {
            let next = slot(after: time.since(anchor))
            if next == slot + 1 {
                slot = next
                return
            }
        }
        anchor = time
        slot = 0
    }

    private func slot(after time: Duration) -> Double { ((time + tolerance) / interval).rounded(.down) }
}
