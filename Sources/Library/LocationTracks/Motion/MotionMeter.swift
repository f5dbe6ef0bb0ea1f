import LocationCore

/// A meter that tells motion from drift and measures the distance.
///
/// `MotionPhases` decides for each position when motion begins and ends. `Stillness` says the same as `isStationary` of a
/// session: whether the receiver has stayed at one place for a minute. A motion that begins and ends while the receiver stays at
/// such a place is drift if the receiver is then where it was, within its accuracy, however many speeds suggest it. It is taken back:
/// its time counts as standing, and the standstill goes on. Once the receiver has left the place, its motion counts from the beginning.
///
/// Between positions that are more than ten seconds apart the mean speed counts, if it is greater than the reported one.
struct MotionMeter: Sendable {
    private var phases: MotionPhases
    private var stillness = Stillness()
    /// A motion at a place that the receiver has not left.
    private var excursion: Excursion?
    private var runs = SpeedRuns()
    private var last: Last?
    private var rawDistance = 0.0
    private var isHeightKnown = false

    /// The last position, as far as it is compared with the next one.
    private struct Last {
        var coordinate: Coordinate
        var timestamp: Timestamp?
        var speed: Double?
        var error: Double
        var elapsed: Duration
    }

    /// A motion that is taken back if it ends before the receiver has left its place.
    private struct Excursion {
        /// The number of positions from which on it counts; a robot can move at one place for hours.
        static let limit = 1000

        /// The state before it.
        var before: MotionPhases
        /// The positions since then.
        var steps: [MotionStep] = []
    }

    /// Creates a meter that knows no position.
    ///
    /// - Parameter keepsPlaces: Whether the positions of standstills are kept for a scatter; without them the memory is constant.
    init(keepsPlaces: Bool = true) { phases = MotionPhases(keepsPlaces: keepsPlaces) }

    /// The distance so far, without a motion that may be taken back.
    var distance: Double { excursion?.before.distanceSoFar ?? phases.distanceSoFar }

    /// Whether the receiver moves, and has left the place at which it stood.
    var isUnderway: Bool { phases.isMoving && excursion == nil }

    /// Whether the last positions may turn out to be the first ones of a motion.
    var suspectsDeparture: Bool { excursion != nil || phases.suspectsDeparture }

    var motion: MotionStatistics {
        var motion = phases.motion
        motion.rawDistance = rawDistance
        motion.isHeightKnown = isHeightKnown
        return motion
    }

    /// The longest standstill, including the current one.
    var standstill: Standstill { phases.standstill }

    /// Notes that nothing is known of the motion until the next position.
    mutating func gap() {
        takeBackExcursion()
        phases.interrupt(isAtPlace: stillness.duration != nil)
        stillness = Stillness()
        last = nil
    }

    mutating func process(_ location: Location, at moment: Moment) {
        // The motion during a day without reports is unknown.
        if let time = location.timestamp, let before = last?.timestamp,
            time < before || time.since(before) >= TrackAssembler.jump
        {
            gap()
        }
        if location.altitude != nil { isHeightKnown = true }
        let time = last.map { max(.zero, moment.elapsed - $0.elapsed) } ?? .zero
        watchPlace(location, after: time)
        let step = step(to: location, at: moment, after: time)
        rawDistance += step.distance
        process(step)
        last = Last(
            coordinate: location.coordinate, timestamp: location.timestamp, speed: step.location.speed,
            error: Self.error(of: location), elapsed: moment.elapsed)
    }

    /// Follows the place of the receiver; once that is another one, the motion counts that led away.
    private mutating func watchPlace(_ location: Location, after time: Duration) {
        let passed = location.seconds(since: last?.timestamp, session: time.inSeconds)
        stillness.process(location, speed: location.speed ?? last?.speed, after: last == nil ? 0 : passed)
        // Compared first, because the assignment writes all of it, which took 2,400 instructions of each position.
        if stillness.duration == nil, excursion != nil { excursion = nil }
    }

    private mutating func process(_ step: MotionStep) {
        excursion?.steps.append(step)
        if let count = excursion?.steps.count, count > Excursion.limit { excursion = nil }
        switch phases.process(step) {
        case .goesOn: break
        case .departs:
            if stillness.duration != nil { excursion = Excursion(before: phases) }
            phases.depart()
        case .stops: endExcursion(at: step)
        }
    }

    /// Ends a motion; it is taken back if the receiver is where it was before it.
    private mutating func endExcursion(at step: MotionStep) {
        guard let distance = excursion?.before.distance(of: step.location.coordinate) else { return }
        if distance <= step.error { takeBackExcursion() } else { excursion = nil }
    }

    /// Counts a motion at a place that the receiver has not left as a part of the standstill there.
    private mutating func takeBackExcursion() {
        guard let excursion else { return }
        self.excursion = nil
        phases = excursion.before
        phases.stay(excursion.steps)
    }

    /// Counts what is still held back, so that the statistics can be read; the meter is not used afterwards.
    mutating func settle() {
        takeBackExcursion()
        phases.settle(isAtPlace: stillness.duration != nil)
    }

    // MARK: Steps

    private mutating func step(to location: Location, at moment: Moment, after time: Duration) -> MotionStep {
        let distance = last?.coordinate.distance(to: location.coordinate) ?? 0
        let isJump = isJump(to: location, distance, after: time)
        var location = location
        if !isJump, let speed = unreportedSpeed(to: location, distance, after: time) { location.speed = speed }
        runs.count(location.speed)
        return MotionStep(
            location: location, moment: moment, previous: last?.coordinate, distance: distance, time: time,
            bound: bound(to: location, after: time), isJump: isJump, runs: runs)
    }

    /// Returns the mean speed since the last position if the reported ones cannot be those between: positions that are far
    /// apart in time can all be from stops.
    private func unreportedSpeed(to location: Location, _ distance: Double, after time: Duration) -> Double? {
        guard time > MotionThresholds.seldom, let reported = location.speed, let last else { return nil }
        let mean = distance / time.inSeconds
        let noise = MotionThresholds.jump + last.error + Self.error(of: location)
        return mean > reported && distance > noise ? mean : nil
    }

    /// Returns whether neither the speed, the errors nor the time since the last position explain a distance.
    private func isJump(to location: Location, _ distance: Double, after time: Duration) -> Bool {
        guard distance > MotionThresholds.jump, let last else { return false }
        let unexplained = IntegrityRules.unexplained(
            distance, in: time.inSeconds, speed: max(last.speed.map(abs) ?? -1, location.speed.map(abs) ?? -1),
            error: last.error + Self.error(of: location))
        return unexplained > MotionThresholds.jump
    }

    /// Returns the distance that the reported speeds allow since the last position, if that was just before.
    private func bound(to location: Location, after time: Duration) -> Double? {
        guard time <= MotionThresholds.brief, let speed = location.speed, let before = last?.speed else { return nil }
        return max(speed, before) * time.inSeconds
    }

    private static func error(of location: Location) -> Double {
        location.horizontalAccuracy ?? IntegrityRules.unknownError
    }
}
