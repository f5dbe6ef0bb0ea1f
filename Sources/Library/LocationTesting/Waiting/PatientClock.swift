/// A clock of real time for the limits of waits, which leaves out the time for which a waiting task had no turn.
///
/// Frameworks run tests in parallel on as many threads as there are cores, so a task can wait for seconds until others are done.
/// A sleep on this clock is a sequence of short ones that count as what they should have taken.
struct PatientClock<Base: Clock>: Clock where Base.Duration == Swift.Duration {
    /// The length of a part of a sleep.
    private static var part: Duration { .milliseconds(20) }

    private let base: Base

    init(_ base: Base = ContinuousClock()) { self.base = base }

    var now: Base.Instant { base.now }

    var minimumResolution: Duration { base.minimumResolution }

    func sleep(until deadline: Base.Instant, tolerance: Duration? = nil) async throws {
        var rest = now.duration(to: deadline)
        while rest > .zero {
            let part = min(rest, Self.part)
            try await base.sleep(for: part, tolerance: tolerance)
            rest -= part
        }
    }
}
