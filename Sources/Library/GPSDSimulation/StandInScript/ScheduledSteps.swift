import LocationCore

/// The steps of a script that are still to come, with their repetitions.
struct ScheduledSteps {
    /// The number of steps that repeat at a time, so that finding the next one stays quick.
    static let repeatLimit = 256
    /// The number of single steps that wait at a time beyond which none is added, so that adding one stays quick.
    static let waitingLimit = 10_000

    private struct Repeated {
        var step: StandInStep
        var due: Duration
        var random: SplitMix64?
    }

    /// The single steps, the last one first.
    private var single: [StandInStep]
    private var repeated: [Repeated] = []

    init(_ steps: [StandInStep]) {
        // The sort is stable, so that steps with the same time keep the order of their lines.
        single = steps.filter { $0.interval == nil }.sorted { $0.time < $1.time }.reversed()
        for step in steps where step.interval != nil { _ = addRepeated(step) }
    }

    /// The time of the next step, or `nil` if none is to come.
    var due: Duration? {
        let next = repeated.min { $0.due < $1.due }?.due
        guard let first = single.last?.time else { return next }
        return next.map { min($0, first) } ?? first
    }

    /// Adds a step whose time is known; returns the reason if there are too many.
    mutating func add(_ step: StandInStep) -> String? {
        if step.interval != nil {
            return addRepeated(step) ? nil : "more than \(Self.repeatLimit) faults repeat"
        }
        guard single.count < Self.waitingLimit else { return "more than \(Self.waitingLimit) steps wait" }
        // After those with the same time.
        let place = single.lastIndex { $0.time > step.time }.map { $0 + 1 } ?? 0
        single.insert(step, at: place)
        return nil
    }

    /// Ends the repetitions.
    mutating func clearRepeated() { repeated = [] }

    /// Removes and returns the next step if its time has come.
    mutating func next(at now: Duration) -> StandInStep? {
        guard let due, due <= now else { return nil }
        if let step = single.last, step.time <= due {
            single.removeLast()
            return step
        }
        guard let index = repeated.firstIndex(where: { $0.due == due }) else { return nil }
        defer { Self.advance(&repeated[index]) }
        return repeated[index].step
    }

    private mutating func addRepeated(_ step: StandInStep) -> Bool {
        guard repeated.count < Self.repeatLimit else { return false }
        var repeated = Repeated(step: step, due: step.time)
        if let seed = step.seed {
            repeated.random = SplitMix64(seed: seed, stream: 1 << 52)
            Self.advance(&repeated)
        }
        self.repeated.append(repeated)
        return true
    }

    private static func advance(_ repeated: inout Repeated) {
        let interval = repeated.step.interval ?? .seconds(1)
        if let share = repeated.random?.unit() {
            // Uniform around the mean, to the microsecond, so that the times are the same on every machine.
            repeated.due += max(.milliseconds(1), Duration(clampingSeconds: interval.inSeconds * (2 * share)))
        } else {
            repeated.due += interval
        }
    }
}
