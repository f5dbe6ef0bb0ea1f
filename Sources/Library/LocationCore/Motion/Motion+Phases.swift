extension Motion {
    /// The phases of motion and standstill, and what they add up to: all that an excursion takes back.
    struct Phases: Sendable {
        /// The sums of the phases that have ended: metres and times.
        private(set) var distance = 0.0
        private(set) var movingTime: Int64 = 0
        private(set) var standingTime: Int64 = 0
        private(set) var isMoving = false
        /// The decisions that the owner has not taken yet, if it wants them.
        var decisions: [Decision] = []
        private let tells: Bool

        private var standstill = Standstill()
        private var departure = Departure()
        private var exits = Exits()
        /// The place from which the receiver departs, or the last one on its way that was away from the one before.
        private var anchor: SurfacePoint?
        private var anchorTime: Int64 = 0
        /// Whether the receiver departs from the mean of its standstill, which is computed when it does.
        private var departsFromMean = false
        private var way = Way()

        init(tells: Bool) { self.tells = tells }

        /// A change of the phase that a position makes.
        enum Change {
            case goesOn
            /// Motion begins; the owner calls `depart()`.
            case departs
            case stops
        }

        /// The distance while moving, including that of the motion in progress, of which a stop can take back a few metres.
        var distanceSoFar: Double { distance + way.plausibleDistance }

        /// Whether a position suggests a departure that is not decided yet.
        var suspectsDeparture: Bool { !isMoving && !departure.steps.isEmpty }

        /// Returns the distance of a place from the standstill.
        func distance(of place: SurfacePoint) -> Double {
            guard standstill.isEmpty else { return away(standstill.mean.offset(of: place)) }
            return anchor?.distance(to: place) ?? 0
        }

        /// Tells a decision; one with steps is made only if it is wanted.
        mutating func tell(_ decision: Decision) {
            if tells { decisions.append(decision) }
        }

        mutating func process(_ step: Step) -> Change {
            if isMoving { return move(step) }
            if step.isJump {
                standingTime += step.time
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
        }

        private mutating func endPlace() {
            stay()
            standstill = Standstill()
            anchor = nil
            exits = Exits()
            tell(.breaks)
        }
    }
}

// MARK: Standing

extension Motion.Phases {
    private mutating func stand(_ step: Motion.Step) -> Change {
        guard anchor != nil else {
            setAnchor(step.place)
            // Its speed counts if the session began in motion.
            departure = Motion.Departure(step.asFirst)
            if step.runs.fast == 0 { stay() }
            return .goesOn
        }
        departure.addWay(step)
        let offset = standstill.mean.offset(of: step.place)
        let away = standstill.isEmpty ? anchor?.distance(to: step.place) ?? 0 : away(offset)
        let isFast = step.reported == nil || step.runs.fast >= (step.isSeldom ? 1 : 2)
        let isAway = exits.isAway(step, by: away) && isFast
        if isAway || away > Motion.Rules.least && step.runs.fast >= Motion.Rules.sure {
            departure.suspect(step)
            return .departs
        }
        let isAtRest = step.runs.fast == 0 && exits.count == 0
        if isAtRest, departure.steps.isEmpty {
            stay(step, at: offset)
            return .goesOn
        }
        departure.suspect(step)
        if isAtRest {
            stay()
        } else if departure.steps.count > Motion.Rules.most {
            stay(departure.steps.count - 1)
        }
        return .goesOn
    }

    /// Returns the distance from the mean of the standstill at an offset from its first position.
    ///
    /// Within a kilometre it is that along the surface to a hundredth of a millimetre.
    private func away(_ offset: GroundOffset) -> Double { (offset - standstill.mean.centre).length }

    /// Counts the positions of a suspected departure, or the first of them, as part of the standstill.
    private mutating func stay(_ number: Int? = nil) {
        if departure.steps.isEmpty { return }
        let number = number ?? departure.steps.count
        for step in departure.steps.prefix(number) { stay(step, at: standstill.mean.offset(of: step.place)) }
        departure.removeFirst(number)
    }

    private mutating func stay(_ step: Motion.Step, at offset: GroundOffset) {
        standingTime += step.time
        standstill.add(step, at: offset, speed: step.speed)
        if anchor != nil { departsFromMean = true }
        if tells { tell(.stands(step)) }
    }

    /// Counts a departure that was none, and the positions since then, as part of the standstill.
    mutating func stay(_ steps: [Motion.Step]) {
        for step in steps {
            departure.addWay(step)
            departure.suspect(step)
        }
        exits = Motion.Exits()
        stay()
    }

    private mutating func setAnchor(_ place: SurfacePoint) { (anchor, departsFromMean) = (place, false) }

    /// The place from which the receiver departs, or `nil` if there has been no position.
    private var start: SurfacePoint? {
        departsFromMean ? standstill.mean.coordinate.map { SurfacePoint($0) } ?? anchor : anchor
    }

    /// Begins motion if the receiver has walked until now, before it was far enough away for a departure.
    private mutating func decideDeparture(_ isAtPlace: Bool) {
        guard !isAtPlace, let last = departure.steps.last, last.runs.fast > 1, let start,
            departure.hasWalked(from: start, standstill)
        else { return }
        depart()
    }

    /// Begins motion at the last position of those that suggest a departure.
    mutating func depart() {
        guard let start, let last = departure.steps.last else { return }
        let hasWalked = departure.hasWalked(from: start, standstill)
        let tellsSpeed = last.reported != nil
        let walked = standstill.duration
        let isWholeWalk = hasWalked && (!tellsSpeed || walked > 0)
        if tells { tell(.departs(departure.steps, hasWalked: hasWalked)) }
        if hasWalked, tellsSpeed { way.note(standstill.fastest) }
        let fastest = departure.steps.reduce(0.0) { max($0, $1.speed ?? 0) }
        way.note(fastest)
        let time = departure.time
        if isWholeWalk {
            standingTime -= walked
            way.add(departure.way)
        } else {
            // The distance since the standstill is one straight line, which contains no drift.
            let line = start.distance(to: last.place)
            if !tellsSpeed { countDeparture(along: line, at: fastest, since: time) }
            // The line is longer than the way since the last position.
            way.add(line, in: time)
        }
        isMoving = true
        departure.clear()
        standstill = Motion.Standstill()
        advance(to: last)
    }

    /// Counts the time of a departure that no speed has suggested as motion, at its greatest speed.
    ///
    /// - Parameter since: The time that counts as motion anyway.
    private mutating func countDeparture(along line: Double, at speed: Double, since: Int64) {
        guard speed > 0 else { return }
        let needed = Int64(clamping: (line / speed * 1e6).rounded()).multipliedReportingOverflow(by: 1000)
        let earlier = min(standstill.duration, max(0, (needed.overflow ? .max : needed.partialValue) - since))
        standingTime -= earlier
        way.add(0, in: earlier)
    }
}

// MARK: Moving

extension Motion.Phases {
    private mutating func move(_ step: Motion.Step) -> Change {
        guard !step.isRest else {
            standingTime += step.time
            return stop(at: step)
        }
        if tells { tell(.moves(step)) }
        if let speed = step.speed { way.note(speed) }
        way.add(step)
        let line = anchor?.distance(to: step.place) ?? 0
        if anchor != nil, exits.isAway(step, by: line) { advance(to: step) }
        guard step.reported == nil else {
            guard let slow = way.slowTime, step.runs.slow >= Motion.Rules.slow || slow >= Motion.Rules.stop else {
                return .goesOn
            }
            standingTime += way.removeSlow()
            return stop(at: step)
        }
        let time = (step.elapsed - anchorTime).inSeconds
        guard exits.count == 0, time >= step.reach / Motion.Rules.walking else { return .goesOn }
        standingTime += way.straighten(along: anchor?.distance(to: step.place) ?? 0)
        return stop(at: step)
    }

    private mutating func stop(at step: Motion.Step) -> Change {
        isMoving = false
        exits = Motion.Exits()
        endWay()
        setAnchor(step.place)
        departure = Motion.Departure()
        standstill = Motion.Standstill()
        standstill.add(step, at: GroundOffset(east: 0, north: 0), speed: step.reported)
        if tells { tell(.stops(step)) }
        return .stops
    }

    private mutating func advance(to step: Motion.Step) {
        exits = Motion.Exits()
        setAnchor(step.place)
        anchorTime = step.elapsed
        way.passAnchor()
    }

    /// Counts the distance since the last standstill.
    private mutating func endWay() {
        distance += way.plausibleDistance
        movingTime += way.time
        way = Motion.Way()
    }
}
