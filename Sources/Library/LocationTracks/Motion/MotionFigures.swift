import LocationCore

/// The figures of a motion beyond its distance: the speeds, the climb and the longest standstill.
///
/// They follow the decisions of a `Motion`, of which only statistics ask for them: speeds, heights and the positions of a standstill take
/// memory and time that a session without statistics does not pay.
struct MotionFigures: Sendable {
    private(set) var speeds = Distribution()
    private(set) var ascent = 0.0
    private(set) var descent = 0.0
    private var climb = Climb()
    private var current = StandstillPositions()
    private var longest = StandstillPositions()
    /// The figures before an excursion, which can be taken back.
    @HeapOptional private var before: MotionFigures?

    /// The longest standstill, including the current one.
    var standstill: StandstillPositions { current.isLonger(than: longest) ? current : longest }

    /// Follows the newest decisions of a motion.
    mutating func follow(_ motion: inout Motion) { motion.takeDecisions { process($0) } }

    private mutating func process(_ decision: Motion.Decision) {
        switch decision {
        case .stands(let step): current.process(step.location, at: step.elapsed, speed: step.speed)
        case .departs(let steps, let hasWalked): depart(with: steps, hasWalked)
        case .moves(let step):
            speeds.process(step.speed)
            noteHeight(step.location.altitude, at: step.elapsed)
        case .stops(let step):
            current = StandstillPositions()
            current.process(step.location, at: step.elapsed, speed: step.reported)
        case .breaks:
            endStandstill()
            endClimb()
        case .excursionBegins: before = self
        case .excursionCounts: before = nil
        case .excursionIsTakenBack: if let before { self = before }
        }
    }

    /// Counts the heights that are still held back; the figures are not used afterwards.
    mutating func finish() { add(climb.finish()) }

    private mutating func depart(with steps: [Motion.Step], _ hasWalked: Bool) {
        guard let first = steps.first, let last = steps.last else { return }
        if hasWalked, climb.isEmpty, let height = current.originHeight { noteHeight(height, at: first.elapsed) }
        let tellsSpeed = last.reported != nil
        if hasWalked, tellsSpeed { for speed in current.speeds { speeds.process(speed) } }
        for step in steps {
            speeds.process(step.speed)
            noteHeight(step.location.altitude, at: step.elapsed)
        }
        // A walk takes the time of the standstill with it.
        if hasWalked, !tellsSpeed || current.duration > .zero { current = StandstillPositions() }
        endStandstill()
    }

    private mutating func endStandstill() {
        if current.isLonger(than: longest) { longest = current }
        current = StandstillPositions()
    }

    private mutating func noteHeight(_ height: Double?, at elapsed: Int64) {
        guard let height else { return }
        add(climb.process(height, at: elapsed))
    }

    private mutating func endClimb() {
        add(climb.finish())
        climb = Climb()
    }

    private mutating func add(_ change: Climb.Change) {
        ascent += change.ascent
        descent += change.descent
    }
}
