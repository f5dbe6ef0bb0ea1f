import LocationCore

/// The phases of motion and standstill of a receiver, and what they add up to.
///
/// Motion begins when the receiver is farther from its standstill than both 15 m and twice its reported accuracy, the radius of
/// `Stillness`, and two reported speeds in a row (one if they are seldom) are at least 0.5 m/s. Five such speeds in a row and
/// five metres are enough too, because receivers measure speed better than position. Motion ends when five speeds in a row are
/// lower, or two that are four seconds apart; the time since the first of them counts as standing.
///
/// A standstill that was a walk from its first position on counts as motion once motion begins, or the session ends; see
/// `Departure`.
///
/// Without speeds, positions alone tell of short moves, too; see `ExitCount`. Motion ends at the first position that is not away
/// from the last one that was, if that has not happened again in the time that 0.5 m/s need for it.
///
/// A receiver that reports nothing for more than ten seconds and is then where it was has rested, whatever its speeds are.
///
/// A standstill ends where the position jumps, because the receiver was not in between.
struct MotionPhases: Sendable {
    private(set) var motion = MotionStatistics()
    private(set) var isMoving = false
    private var longest: Standstill
    private var current: Standstill
    /// A standstill without positions.
    private let none: Standstill
    private var departure = Departure()
    private var exits = ExitCount()
    /// The place from which the receiver departs, or the last one on its way that was away from the one before.
    private var anchor: Coordinate?
    private var anchorTime = Duration.zero
    private var way = MovingWay()
    private var climb = Climb()

    /// Creates phases without positions.
    ///
    /// - Parameter keepsPlaces: Whether the positions of standstills are kept for a scatter.
    init(keepsPlaces: Bool) {
        none = Standstill(keepsPlaces: keepsPlaces)
        (longest, current) = (none, none)
    }

    /// A change of the phase that a position makes.
    enum Change {
        case goesOn
        /// Motion begins; the owner calls `depart()`.
        case departs
        case stops
    }

    /// The longest standstill, including the current one.
    var standstill: Standstill { current.isLonger(than: longest) ? current : longest }

    /// The distance while moving, including that of the motion in progress, of which a stop can take back a few metres.
    var distanceSoFar: Double { motion.distance + way.plausibleDistance }

    /// Whether a position suggests a departure that is not decided yet.
    var suspectsDeparture: Bool { !isMoving && !departure.steps.isEmpty }

    /// Returns the distance of a place from the standstill.
    func distance(of place: Coordinate) -> Double {
        current.distance(of: place) ?? anchor?.distance(to: place) ?? 0
    }

    mutating func process(_ step: MotionStep) -> Change {
        if isMoving { return move(step) }
        if step.isJump {
            motion.standingTime += step.time
            endPlace()
        }
        return stand(step)
    }

    /// Ends the phase, because the motion until the next position is unknown; motion must then be detected anew.
    mutating func interrupt(isAtPlace: Bool) {
        decideDeparture(isAtPlace)
        endWay()
        isMoving = false
        endPlace()
    }

    /// Counts what is still held back, so that the sums can be read; the phases are not used afterwards.
    mutating func settle(isAtPlace: Bool) {
        decideDeparture(isAtPlace)
        stay()
        endWay()
        endClimb()
    }

    private mutating func endPlace() {
        endStandstill()
        anchor = nil
        exits = ExitCount()
        endClimb()
    }

    // MARK: Standing

    private mutating func stand(_ step: MotionStep) -> Change {
        guard let anchor else {
            self.anchor = step.location.coordinate
            // Its speed counts if the session began in motion.
            departure = Departure(step.asFirst)
            if step.runs.fast == 0 { stay() }
            return .goesOn
        }
        let place = step.location.coordinate
        let away = current.distance(of: place) ?? anchor.distance(to: place)
        departure.add(step)
        let isFast = step.location.speed == nil || step.runs.fast >= (step.isSeldom ? 1 : 2)
        let isAway = exits.isAway(step, by: away) && isFast
        if isAway || away > MotionThresholds.least && step.runs.fast >= MotionThresholds.sure { return .departs }
        if step.runs.fast == 0, exits.count == 0 {
            stay()
        } else if departure.steps.count > MotionThresholds.most {
            stay(departure.steps.count - 1)
        }
        return .goesOn
    }

    /// Counts the positions of a suspected departure, or the first of them, as part of the standstill.
    private mutating func stay(_ number: Int? = nil) {
        let number = number ?? departure.steps.count
        for step in departure.steps.prefix(number) {
            motion.standingTime += step.time
            current.process(step.location, at: step.moment, speed: step.speed)
            // The receiver departs from the mean position of its standstill.
            if anchor != nil, let mean = current.mean { anchor = mean }
        }
        departure.removeFirst(number)
    }

    /// Counts a departure that was none, and the positions since then, as part of the standstill.
    mutating func stay(_ steps: [MotionStep]) {
        for step in steps { departure.add(step) }
        exits = ExitCount()
        stay()
    }

    /// Begins motion if the receiver has walked until now, before it was far enough away for a departure.
    private mutating func decideDeparture(_ isAtPlace: Bool) {
        guard !isAtPlace, let anchor, let last = departure.steps.last, last.runs.fast > 1,
            departure.hasWalked(from: anchor, current)
        else { return }
        depart()
    }

    /// Begins motion at the last position of those that suggest a departure.
    mutating func depart() {
        guard let anchor, let last = departure.steps.last else { return }
        let hasWalked = departure.hasWalked(from: anchor, current)
        if hasWalked, climb.isEmpty, let height = current.originHeight {
            noteHeight(height, at: departure.steps.first?.elapsed ?? last.elapsed)
        }
        let tellsSpeed = last.location.speed != nil
        let speeds = (hasWalked && tellsSpeed ? current.speeds : []) + departure.speeds
        for speed in speeds { noteSpeed(speed) }
        for step in departure.steps { noteHeight(step.location.altitude, at: step.elapsed) }
        let walked = current.duration
        if hasWalked, !tellsSpeed || walked > .zero {
            motion.standingTime -= walked
            way.add(departure.way)
            current = none
        } else {
            // The distance since the standstill is one straight line, which contains no drift.
            let line = anchor.distance(to: last.location.coordinate)
            if !tellsSpeed { countDeparture(along: line, at: speeds.max() ?? 0, since: departure.time) }
            // The line is longer than the way since the last position.
            way.add(line, in: departure.time)
        }
        isMoving = true
        departure.clear()
        endStandstill()
        advance(to: last)
    }

    /// Counts the time of a departure that no speed has suggested as motion, at its greatest speed.
    ///
    /// - Parameter since: The time that counts as motion anyway.
    private mutating func countDeparture(along line: Double, at speed: Double, since: Duration) {
        guard speed > 0 else { return }
        let earlier = min(current.duration, max(.zero, Duration(clampingSeconds: line / speed) - since))
        motion.standingTime -= earlier
        way.add(0, in: earlier)
    }

    private mutating func endStandstill() {
        stay()
        if current.isLonger(than: longest) { longest = current }
        current = none
    }

    // MARK: Moving

    private mutating func move(_ step: MotionStep) -> Change {
        guard !step.isRest else {
            motion.standingTime += step.time
            return stop(at: step)
        }
        noteSpeed(step.speed)
        noteHeight(step.location.altitude, at: step.elapsed)
        way.add(step)
        // Of points that are far apart each is the next anchor, and a distance costs a tenth of the work for a point.
        let isStep = anchor == step.previous
        let place = step.location.coordinate
        if let anchor, exits.isAway(step, by: isStep ? step.distance : anchor.distance(to: place)) {
            advance(to: step)
        }
        guard step.location.speed == nil else {
            guard let slow = way.slowTime, step.runs.slow >= 5 || slow >= MotionThresholds.stop else { return .goesOn }
            motion.standingTime += way.removeSlow()
            return stop(at: step)
        }
        let time = (step.elapsed - anchorTime).inSeconds
        guard exits.count == 0, time >= step.reach / MotionThresholds.walking else { return .goesOn }
        motion.standingTime += way.straighten(from: anchor, to: place)
        return stop(at: step)
    }

    private mutating func stop(at step: MotionStep) -> Change {
        isMoving = false
        exits = ExitCount()
        endWay()
        anchor = step.location.coordinate
        departure = Departure()
        current = none
        current.process(step.location, at: step.moment, speed: step.location.speed)
        return .stops
    }

    private mutating func advance(to step: MotionStep) {
        exits = ExitCount()
        anchor = step.location.coordinate
        anchorTime = step.elapsed
        way.passAnchor()
    }

    /// Counts the distance since the last standstill.
    private mutating func endWay() {
        motion.distance += way.plausibleDistance
        motion.movingTime += way.time
        way = MovingWay()
    }

    // MARK: Speeds and heights

    private mutating func noteSpeed(_ speed: Double?) {
        guard let speed else { return }
        motion.speeds.process(speed)
        way.note(speed)
    }

    private mutating func noteHeight(_ height: Double?, at elapsed: Duration) {
        guard let height else { return }
        add(climb.process(height, at: elapsed))
    }

    private mutating func endClimb() {
        add(climb.finish())
        climb = Climb()
    }

    private mutating func add(_ change: Climb.Change) {
        motion.ascent += change.ascent
        motion.descent += change.descent
    }
}
