import LocationCore

/// A meter that tells motion from drift and measures the distance.
///
/// Motion begins when the receiver is farther from its standstill than both 15 m and twice its reported accuracy, the radius of
/// `IntegrityMonitor`, and two reported speeds in a row (one if they are seldom) are at least 0.5 m/s. Five such speeds in a row and
/// five metres are enough too, because receivers measure speed better than position. Motion ends when five speeds in a row are
/// lower, or two that are four seconds apart; the time since the first of them counts as standing.
///
/// A standstill that was a walk from its first position on counts as motion once motion begins, or the session ends: the receiver
/// was halfway at half the time, and its mean speed is at least 0.5 m/s, of which the positions show half.
///
/// Without speeds, positions alone tell of short moves, too: four in a row (two if they are seldom) must be farther away than both
/// five metres and the reported accuracy (at most thirty), or one twice as far, because one position in twenty is farther from the
/// true place than its accuracy. Motion ends at the first position that is not, if that has not happened again in the time that
/// 0.5 m/s need for it.
///
/// A receiver that reports nothing for more than ten seconds and is then where it was has rested, whatever its speeds are.
///
/// A standstill ends where the position jumps, because the receiver was not in between. Between positions that are more than ten
/// seconds apart the mean speed counts, if it is greater than the reported one.
struct MotionMeter: Sendable {
    private(set) var motion = MotionStatistics()
    private(set) var longest = Standstill()
    private var current = Standstill()
    private var isMoving = false
    private var anchor: Coordinate?
    private var anchorTime = Duration.zero
    /// The way since the anchor, which belongs to a standstill if the receiver has stopped.
    private var sinceAnchor = Stretch()
    /// The way since the first of the last speeds that are low, which belongs to a standstill if the receiver has stopped.
    private var sinceSlow = Stretch()
    /// The way from point to point since the standstill began.
    private var sinceRest = Stretch()
    private var last: Last?

    /// The last position, as far as it is compared with the next one.
    private struct Last {
        var coordinate: Coordinate
        var timestamp: Timestamp?
        var speed: Double?
        var error: Double
        var elapsed: Duration
    }

    private var fast = 0
    private var slow = 0
    /// The number of positions in a row without a speed that are farther from the standstill or the anchor than their accuracy.
    private var outside = 0
    /// A position that belongs to motion or standstill once that is decided, with the time since the one before and its speed.
    private typealias Undecided = (location: Location, moment: Moment, time: Duration, speed: Double?)
    /// The positions since a speed or a position first suggested a departure.
    private var leaving: [Undecided] = []
    private var stretch = Stretch()
    private var climb = Climb()

    mutating func gap() {
        last = nil
        decideDeparture()
        // The motion during a gap is unknown, so motion must be detected anew.
        endStretch()
        endStandstill()
        isMoving = false
        anchor = nil
        outside = 0
        endClimb()
    }

    /// The longest standstill, including the current one.
    var standstill: Standstill { current.isLonger(than: longest) ? current : longest }

    mutating func process(_ location: Location, at moment: Moment) {
        // The motion during a day without reports is unknown.
        if let time = location.timestamp, let before = last?.timestamp,
            time < before || time.since(before) >= TrackAssembler.jump
        {
            gap()
        }
        if location.altitude != nil { motion.isHeightKnown = true }
        let step = last?.coordinate.distance(to: location.coordinate) ?? 0
        let time = last.map { max(.zero, moment.elapsed - $0.elapsed) } ?? .zero
        motion.rawDistance += step
        if let speed = unreportedSpeed(to: location, step: step, time: time) {
            var location = location
            location.speed = speed
            process(location, moment, step: step, time: time)
        } else {
            process(location, moment, step: step, time: time)
        }
    }

    /// Returns the mean speed since the last position if the reported ones cannot be those between: positions that are far
    /// apart in time can all be from stops.
    private func unreportedSpeed(to location: Location, step: Double, time: Duration) -> Double? {
        guard time > Self.seldom, let reported = location.speed, let last else { return nil }
        let mean = step / (time / .seconds(1))
        guard mean > reported, step > Self.jump + last.error + Self.error(of: location) else { return nil }
        return isJump(to: location, step: step, time: time) ? nil : mean
    }

    private mutating func process(_ location: Location, _ moment: Moment, step: Double, time: Duration) {
        count(location.speed)
        if !isMoving, isJump(to: location, step: step, time: time) {
            motion.standingTime += time
            endStandstill()
            anchor = nil
            outside = 0
            endClimb()
        }
        if isMoving {
            goOn(location, moment, step: step, time: time)
        } else {
            stand(location, moment, step: step, time: time)
        }
        last = Last(
            coordinate: location.coordinate, timestamp: location.timestamp, speed: location.speed,
            error: Self.error(of: location), elapsed: moment.elapsed)
    }

    /// Returns whether neither the speed, the errors nor the time since the last position explain a step.
    private func isJump(to location: Location, step: Double, time: Duration) -> Bool {
        guard step > Self.jump, let last else { return false }
        let unexplained = IntegrityRules.unexplained(
            step, in: time / .seconds(1), speed: max(last.speed.map(abs) ?? -1, location.speed.map(abs) ?? -1),
            error: last.error + Self.error(of: location))
        return unexplained > Self.jump
    }

    private static func error(of location: Location) -> Double {
        location.horizontalAccuracy ?? IntegrityRules.unknownError
    }

    private mutating func count(_ speed: Double?) {
        guard let speed else { return slow = 0 }
        fast = speed >= Self.walking ? fast + 1 : 0
        slow = speed < Self.walking ? slow + 1 : 0
    }

    private mutating func stand(_ location: Location, _ moment: Moment, step: Double, time: Duration) {
        guard let anchor else {
            self.anchor = location.coordinate
            sinceRest = Stretch()
            // Its speed counts if the session began in motion.
            leaving = [(location, moment, .zero, location.speed)]
            if fast == 0 { stay() }
            return
        }
        let away = current.distance(of: location.coordinate) ?? anchor.distance(to: location.coordinate)
        let isFast = location.speed == nil || fast >= (time > Self.seldom ? 1 : 2)
        sinceRest.add(step, in: time, bound: bound(to: location, time: time))
        leaving.append((location, moment, time, location.speed ?? speed(of: step, in: time)))
        if isAway(location, by: away, after: time) && isFast || away > Self.least && fast >= Self.sure {
            return depart(from: anchor)
        }
        if fast == 0, outside == 0 { stay() } else if leaving.count > Self.most { stay(leaving.count - 1) }
    }

    /// Returns whether a position is so far from a place that neither its accuracy nor a few bad positions explain it.
    private mutating func isAway(_ location: Location, by distance: Double, after time: Duration) -> Bool {
        let reach = Self.reach(location)
        guard location.speed == nil else {
            outside = 0
            return distance > reach
        }
        outside = distance > reach ? outside + 1 : 0
        // With seldom positions more of them would be minutes of rest.
        return outside >= (time > Self.seldom ? 2 : Self.several) || distance > 2 * reach
    }

    /// The time of the positions that suggest a departure.
    private var leavingTime: Duration { leaving.reduce(.zero) { $0 + $1.time } }

    /// Begins motion at the last position of those that suggest a departure.
    private mutating func depart(from anchor: Coordinate) {
        guard let (location, moment, _, _) = leaving.last else { return }
        let (elapsed, since) = (moment.elapsed, leavingTime)
        let hasWalked = hasWalked(from: anchor)
        if hasWalked, climb.isEmpty, let height = current.originHeight {
            noteHeight(height, at: leaving.first?.moment.elapsed ?? elapsed)
        }
        let speeds = (hasWalked && location.speed != nil ? current.speeds : []) + leaving.compactMap(\.speed)
        for speed in speeds { noteSpeed(speed) }
        for (location, moment, _, _) in leaving { noteHeight(location.altitude, at: moment.elapsed) }
        let walked = current.duration
        leaving.removeAll(keepingCapacity: true)
        isMoving = true
        sinceSlow = Stretch()
        if hasWalked, location.speed == nil || walked > .zero {
            motion.standingTime -= walked
            stretch.add(sinceRest)
            current = Standstill()
        } else {
            // The distance since the standstill is one straight line, which contains no drift.
            let line = anchor.distance(to: location.coordinate)
            if location.speed == nil { countDeparture(along: line, at: speeds.max() ?? 0, since: since) }
            // The line is longer than the way since the last position.
            stretch.add(line, in: since)
        }
        endStandstill()
        advance(to: location, elapsed)
    }

    /// Returns whether the receiver has walked all the time since the first position of the standstill.
    ///
    /// It then was halfway at half the time, which the mean position tells; a receiver that stood before was not. Speeds, if they
    /// are reported, must be those of a walk, too.
    private func hasWalked(from anchor: Coordinate) -> Bool {
        guard let location = leaving.last?.location else { return false }
        let (origin, mean) = (current.origin ?? anchor, current.mean ?? anchor)
        let distance = origin.distance(to: location.coordinate)
        let whole = current.duration + leavingTime
        var pace = Self.strolling
        if location.speed != nil {
            let speeds = current.speeds + leaving.compactMap(\.speed)
            let speed = speeds.reduce(0, +) / Double(max(1, speeds.count))
            guard current.knowsSpeeds, speed >= Self.walking else { return false }
            pace = speed / 2
        }
        guard distance >= pace * (whole / .seconds(1)) else { return false }
        let expected = whole > .zero ? distance * (current.duration / whole) / 2 : 0
        return origin.distance(to: mean) >= expected / 2
    }

    /// Counts the time of a departure that no speed has suggested as motion, at its greatest speed.
    ///
    /// - Parameter since: The time that counts as motion anyway.
    private mutating func countDeparture(along line: Double, at speed: Double, since: Duration) {
        guard speed > 0 else { return }
        let earlier = min(current.duration, max(.zero, Duration(clampingSeconds: line / speed) - since))
        motion.standingTime -= earlier
        stretch.time += earlier
    }

    /// Counts the positions of a suspected departure, or the first of them, as part of the standstill.
    private mutating func stay(_ number: Int? = nil) {
        let number = number ?? leaving.count
        for (location, moment, time, speed) in leaving.prefix(number) {
            motion.standingTime += time
            current.process(location, at: moment, speed: speed)
            // The receiver departs from the mean position of its standstill.
            if anchor != nil, let mean = current.mean { anchor = mean }
        }
        leaving.removeFirst(number)
    }

    private mutating func goOn(_ location: Location, _ moment: Moment, step: Double, time: Duration) {
        let elapsed = moment.elapsed
        guard !isRest(to: location, step: step, time: time) else {
            motion.standingTime += time
            return beginStandstill(at: location, moment)
        }
        let bound = self.bound(to: location, time: time)
        stretch.add(step, in: time, bound: bound)
        noteSpeed(location.speed ?? speed(of: step, in: time))
        noteHeight(location.altitude, at: elapsed)
        sinceAnchor.add(step, in: time)
        // Of points that are far apart each is the next anchor, and a distance costs a tenth of the work for a point.
        let isStep = anchor == last?.coordinate
        if let anchor, isAway(location, by: isStep ? step : anchor.distance(to: location.coordinate), after: time) {
            advance(to: location, elapsed)
        }
        if slow > 1 { sinceSlow.add(step, in: time, bound: bound) } else { sinceSlow = Stretch() }
        if location.speed == nil {
            guard outside == 0, (elapsed - anchorTime) / .seconds(1) >= Self.reach(location) / Self.walking else {
                return
            }
            leaveOutDrift(before: location)
        } else {
            guard slow >= 5 || slow > 1 && sinceSlow.time >= Self.stop else { return }
            stretch.remove(sinceSlow)
            motion.standingTime += sinceSlow.time
        }
        beginStandstill(at: location, moment)
    }

    /// Returns whether the receiver has rested since the last position, of which it reported nothing, as a watch that pauses does.
    private func isRest(to location: Location, step: Double, time: Duration) -> Bool {
        time > Self.seldom && step <= Self.reach(location) && step < Self.strolling * (time / .seconds(1))
    }

    private mutating func beginStandstill(at location: Location, _ moment: Moment) {
        isMoving = false
        outside = 0
        endStretch()
        anchor = location.coordinate
        sinceRest = Stretch()
        current = Standstill()
        current.process(location, at: moment, speed: location.speed)
    }

    private mutating func advance(to location: Location, _ elapsed: Duration) {
        outside = 0
        anchor = location.coordinate
        anchorTime = elapsed
        sinceAnchor = Stretch()
    }

    /// Replaces the way since the anchor by a straight line at the mean speed, and counts the rest of its time as standing.
    private mutating func leaveOutDrift(before location: Location) {
        stretch.remove(sinceAnchor)
        let line = anchor?.distance(to: location.coordinate) ?? 0
        let share = stretch.distance > 0 ? min(line / stretch.distance, 1e6) : 0
        let walk = min(sinceAnchor.time, stretch.time * share)
        stretch.add(line, in: walk)
        motion.standingTime += sinceAnchor.time - walk
    }

    /// Returns the distance that the reported speeds allow since the last position, if that was just before.
    private func bound(to location: Location, time: Duration) -> Double? {
        guard time <= Self.brief, let speed = location.speed, let before = last?.speed else { return nil }
        return max(speed, before) * (time / .seconds(1))
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

    private mutating func noteSpeed(_ speed: Double?) {
        guard let speed else { return }
        motion.speeds.process(speed)
        stretch.fastest = max(stretch.fastest, speed)
    }

    private func speed(of step: Double, in time: Duration) -> Double? {
        time > .zero ? step / (time / .seconds(1)) : nil
    }

    /// Counts the distance since the last standstill.
    private mutating func endStretch() {
        motion.distance += stretch.plausibleDistance
        motion.movingTime += stretch.time
        stretch = Stretch()
    }

    /// Counts what is still held back, so that the statistics can be read; the meter is not used afterwards.
    mutating func settle() {
        decideDeparture()
        stay()
        endStretch()
        endClimb()
    }

    /// Begins motion if the receiver has walked until the end, before it was far enough away for a departure.
    private mutating func decideDeparture() {
        guard let anchor, fast > 1, hasWalked(from: anchor) else { return }
        depart(from: anchor)
    }

    private mutating func endStandstill() {
        stay()
        if current.isLonger(than: longest) { longest = current }
        current = Standstill()
    }

    private static func reach(_ location: Location) -> Double {
        let accuracy = location.horizontalAccuracy
        return location.speed == nil ? max(least, min(30, accuracy ?? 10)) : IntegrityRules.stillRadius(accuracy)
    }
}
