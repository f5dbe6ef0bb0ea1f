/// A clock of real time for the limits of waits, which leaves out the time for which a waiting task had no turn.
///
/// Frameworks run tests in parallel on as many threads as there are cores, so a task can wait for seconds until others are done.
/// A sleep on this clock is a sequence of short ones that count as what they should have taken.
struct PatientClock: Clock {
    /// The length of a part of a sleep.
    private static let part = Duration.milliseconds(20)

    private let real = ContinuousClock()

    var now: ContinuousClock.Instant { real.now }

    var minimumResolution: Duration { real.minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration? = nil) async throws {
        var rest = now.duration(to: deadline)
        while rest > .zero {
            let part = min(rest, Self.part)
            try await real.sleep(for: part, tolerance: tolerance)
            rest -= part
        }
    }
}
