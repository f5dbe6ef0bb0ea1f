/// The motion of one receiver: whether it is underway, and the way that it has made, without the drift of a receiver that stands.
///
/// Its owner passes the positions of one receiver in their order, each once, with the answer of `Stillness`. What a session knows while
/// it runs is `distance`, `isUnderway` and `suspectsDeparture`. They never wait, so that a later position can correct them: a stop
/// takes back the last metres of a way, and an excursion its distance. `settle` decides what is still open, as at the end of a track.
///
/// ## Rules
///
/// Motion begins when the receiver is farther from its standstill than both 15 m and twice its reported accuracy, the radius of
/// `Stillness`, and two reported speeds in a row (one if they are seldom) are at least 0.5 m/s. Five such speeds in a row and
/// five metres are enough too, because receivers measure speed better than position. Motion ends when five speeds in a row are
/// lower, or two that are four seconds apart; the time since the first of them counts as standing.
///
/// A standstill that was a walk from its first position on counts as motion once motion begins, or the session ends; see
/// `Departure`.
///
/// Without speeds, positions alone tell of short moves, too; see `Exits`. Motion ends at the first position that is not away
/// from the last one that was, if that has not happened again in the time that 0.5 m/s need for it.
///
/// A receiver that reports nothing for more than ten seconds and is then where it was has rested, whatever its speeds are.
/// Between positions that are more than ten seconds apart the mean speed counts, if it is greater than the reported one.
/// A standstill ends where the position jumps, because the receiver was not in between.
///
/// A motion that begins and ends while the receiver stands still by `Stillness` is an excursion: drift, if the receiver is then where
/// it was, within its accuracy, however many speeds suggest it. It is taken back: its time counts as standing, and the standstill goes
/// on. Once the receiver has left the place, its motion counts from the beginning.
///
/// Times are nanoseconds that do not go back, because a position has a dozen of them. A value without a clock, in constant memory.
package struct Motion: Sendable {
    var phases: Phases
    /// The time of the last position, and what is compared with the next one.
    private var last: Last?
    /// Whether the receiver stood still with the last position.
    private var isStationary = false
    private var runs = SpeedRuns()
    /// The state before an excursion, which is none once the receiver has left its place, and the positions since then.
    @HeapOptional private var before: Phases?
    private var excursion: [Step] = []
    private var distanceBefore = 0.0
    /// The number of positions from which on an excursion counts; a robot can move at one place for hours.
    private static let longestExcursion = 1000
    /// The distance in metres from point to point, including drift.
    package private(set) var rawDistance = 0.0

    private struct Last {
        var place: SurfacePoint
        var timestamp: Timestamp?
        @OptionalDouble var speed: Double?
        var error: Double
        var elapsed: Int64

        /// Returns whether the receiver's time goes back with the next position, or is ahead by a day or more.
        func isBroken(by next: Timestamp?) -> Bool {
            guard let next, let timestamp else { return false }
            let (passed, overflows) = next.nanosecondsSince1970.subtractingReportingOverflow(
                timestamp.nanosecondsSince1970)
            return passed < 0 || passed >= Rules.day || overflows
        }
    }

    /// Creates a motion that knows no position.
    ///
    /// - Parameter tells: Whether the decisions are told; see `takeDecisions(_:)`.
    package init(tellsDecisions tells: Bool = false) { phases = Phases(tells: tells) }

    // MARK: Results

    /// The distance in metres so far, without an excursion that may be taken back.
    package var distance: Double { isExcursion ? distanceBefore : phases.distanceSoFar }

    /// The distance in metres of the motions that have ended.
    package var settledDistance: Double { phases.distance }

    /// The time during which the receiver moved, and stood, as far as it is decided.
    package var movingTime: Duration { .nanoseconds(phases.movingTime) }
    package var standingTime: Duration { .nanoseconds(phases.standingTime) }

    /// Whether the receiver moves, and has left the place at which it stood.
    package var isUnderway: Bool { phases.isMoving && !isExcursion }

    /// Whether the last positions may turn out to be the first ones of a motion.
    package var suspectsDeparture: Bool { isExcursion || phases.suspectsDeparture }

    /// Calls `body` with each decision since the last call, in their order.
    package mutating func takeDecisions(_ body: (Decision) -> Void) {
        for decision in phases.decisions { body(decision) }
        phases.decisions.removeAll(keepingCapacity: true)
    }

    // MARK: Positions

    /// Processes a position, which the receiver reported with the answer whether it stands still.
    package mutating func process(_ location: Location, isStationary: Bool, at elapsed: Int64) {
        // The motion during a day without reports is unknown.
        if let last, last.isBroken(by: location.timestamp) { interrupt() }
        self.isStationary = isStationary
        // Once the receiver is at another place, the motion counts that led away.
        if !isStationary || excursion.count >= Self.longestExcursion, isExcursion { confirmExcursion() }
        let step = step(to: location, at: elapsed)
        rawDistance += step.distance
        if isExcursion { excursion.append(step) }
        switch phases.process(step) {
        case .goesOn: break
        case .departs:
            if isStationary { beginExcursion() }
            phases.depart()
        case .stops:
            if isExcursion { endExcursion(at: step) }
        }
        last = Last(
            place: step.place, timestamp: location.timestamp, speed: step.reported,
            error: step.accuracy ?? IntegrityRules.unknownError, elapsed: elapsed)
    }

    /// Notes that nothing is known of the motion until the next position.
    package mutating func interrupt() {
        takeBackExcursion()
        phases.interrupt(isAtPlace: isStationary)
        (isStationary, last) = (false, nil)
    }

    /// Decides what is still open, as at the end of a track; the motion is not used afterwards.
    package mutating func settle() {
        takeBackExcursion()
        phases.settle(isAtPlace: isStationary)
    }

    // MARK: Excursions

    private var isExcursion: Bool { !_before.isEmpty }

    private mutating func beginExcursion() {
        distanceBefore = phases.distanceSoFar
        before = phases
        phases.tell(.excursionBegins)
    }

    private mutating func confirmExcursion() {
        (before, excursion) = (nil, [])
        phases.tell(.excursionCounts)
    }

    /// Ends a motion; it is taken back if the receiver is where it was before it.
    private mutating func endExcursion(at step: Step) {
        guard let before else { return }
        if before.distance(of: step.place) <= step.error { takeBackExcursion() } else { confirmExcursion() }
    }

    /// Counts a motion at a place that the receiver has not left as a part of the standstill there.
    private mutating func takeBackExcursion() {
        guard var standing = before else { return }
        standing.decisions = phases.decisions
        phases = standing
        phases.tell(.excursionIsTakenBack)
        phases.stay(excursion)
        (before, excursion) = (nil, [])
    }

    // MARK: Steps

    private mutating func step(to location: Location, at elapsed: Int64) -> Step {
        var step = Step(location, at: elapsed)
        if let last {
            step.distance = last.place.distance(to: step.place)
            step.time = max(0, elapsed - last.elapsed)
            compare(&step, with: last)
        }
        runs.count(step.reported)
        step.runs = runs
        return step
    }

    /// Compares a position with the last one: what the speeds say of the way between them.
    private func compare(_ step: inout Step, with last: Last) {
        let error = last.error + (step.accuracy ?? IntegrityRules.unknownError)
        if step.distance > Rules.jump {
            let unexplained = IntegrityRules.unexplained(
                step.distance, in: step.time.inSeconds,
                speed: max(last.speed.map { abs($0) } ?? -1, step.reported.map { abs($0) } ?? -1), error: error)
            step.isJump = unexplained > Rules.jump
        }
        guard let reported = step.reported else { return }
        if step.time <= Rules.brief {
            if let before = last.speed { step.bound = max(reported, before) * step.time.inSeconds }
        } else if step.isSeldom, !step.isJump {
            // Positions that are far apart in time can all be from stops.
            let mean = step.distance / step.time.inSeconds
            if mean > reported, step.distance > Rules.jump + error { step.reported = mean }
        }
    }
}
