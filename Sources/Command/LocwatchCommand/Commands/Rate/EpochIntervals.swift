import LocationCore

/// The intervals between the epochs of a receiver, by the receiver's own times.
///
/// These tell the rate even if the daemon passes epochs on late or several at once.
struct EpochIntervals: Hashable, Sendable {
    /// The maximum number of intervals that are kept, those of some seconds of the fastest receiver.
    private static let limit = 4096
    /// The longest interval of a receiver; a longer one is a jump of its clock, as when it learns the date.
    private static let longest = Duration.seconds(60)

    private(set) var all: [Duration] = []
    /// The time from the first epoch to the last.
    private(set) var span = Duration.zero
    private var last: Timestamp?

    /// Notes a position; one without a time, or of the time of the last one, does not begin an epoch.
    mutating func note(_ location: Location) {
        guard let time = location.timestamp else { return }
        guard let before = last else {
            last = time
            return
        }
        let interval = time.since(before)
        guard .zero - Self.longest...Self.longest ~= interval else {
            last = time
            return
        }
        guard interval > .zero, all.count < Self.limit else { return }
        last = time
        all.append(interval)
        span += interval
    }

    /// The median, the upper one of an even number, if there is any interval.
    var median: Duration? { all.isEmpty ? nil : all.sorted()[all.count / 2] }

    /// The judgement of the intervals about a cycle that is wished for.
    enum Verdict: Hashable, Sendable {
        case undecided
        case kept
        /// The median is another one.
        case differs(Duration)
        /// The median is right, but a number of epochs has not arrived.
        case lost(Int)
    }

    /// Returns the verdict about a cycle, as soon as it cannot change any more.
    func verdict(on cycle: Duration, by rules: RateRules) -> Verdict {
        let first = all.prefix(rules.intervals)
        let tolerated = cycle * rules.tolerance
        let wrong = first.count { !((cycle - tolerated)...(cycle + tolerated) ~= $0) }
        if wrong > rules.intervals / 2, let median { return .differs(median) }
        guard first.count == rules.intervals else { return .undecided }
        let lost = all.reduce(0) { sum, interval in
            interval < cycle * 1.5 ? sum : sum + Int(clamping: (interval / cycle).rounded()) - 1
        }
        if lost > 0 { return .lost(lost) }
        return span >= rules.window ? .kept : .undecided
    }
}
