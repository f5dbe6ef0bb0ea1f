import LocationCore

/// The clock by which a stand-in plays: that of the machine, or one that a test steps.
struct StandInTime {
    private let clock: @Sendable () -> Timestamp
    private let start: Timestamp
    private var reached = Duration.zero
    private(set) var goal = Duration.zero
    /// Whether time passes only by steps.
    let isManual: Bool

    init(_ clock: StandInGPSD.Clock, wall: @escaping @Sendable () -> Timestamp) {
        self.clock = wall
        if case .manual(let start) = clock {
            (isManual, self.start) = (true, start)
        } else {
            (isManual, start) = (false, Timestamp(nanosecondsSince1970: 0))
        }
    }

    /// The monotonic time, or the time since the start of a manual clock.
    var now: Duration { isManual ? reached : MonotonicTime.now }
    /// The time of day.
    var wall: Timestamp { isManual ? start.advanced(by: reached) : clock() }
    /// Whether steps have been asked for that are not done.
    var isBehind: Bool { reached < goal }

    /// Adds a step; returns the time at which it is done.
    mutating func step(by duration: Duration) -> Duration {
        goal += duration
        return goal
    }

    /// Advances to the next event, but not beyond the steps.
    mutating func advance(to next: Duration?) { reached = max(reached, min(next ?? goal, goal)) }
}
