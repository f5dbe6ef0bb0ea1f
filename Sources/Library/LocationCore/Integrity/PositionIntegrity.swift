/// An observation of a rule, and its gravity.
struct IntegrityFinding: Hashable, Sendable {
    var reason: IntegrityReasons
    /// Whether the observation suffices for an alarm.
    var isDecisive = false
    /// The values of the observation, from which its sentence is made only if a change is reported.
    var values: Values

    enum Values: Hashable, Sendable {
        case jump(metres: Double, seconds: Double)
        case way(metres: Double, seconds: Double)
        case teleport(metres: Double, stood: Double)
        case clock(seconds: Double)
        case rollover(weeks: Int, likely: Timestamp)
        case signal(fall: Double, isSilent: Bool)
        case slowFall(Double)
        case uniform(count: Int, spread: Double)
        case sky(remaining: Int, of: Int)
        case height(metres: Double, seconds: Double)
        case depth(metres: Double)
        case interference(Int)
        case antenna(isOpen: Bool)
        case disagreement(metres: Double, with: String?)
        case frozen(metres: Double)
        case constellation(Constellation, excess: Double)
    }
}

/// The rules over the positions of one receiver: jump, frozen, teleport, clock, rollover and height.
///
/// In the usual case a position costs a few comparisons: nothing is allocated, and distances are computed only of positions
/// that are far enough apart to matter, and once a second.
struct PositionIntegrity: Hashable, Sendable {
    private(set) var stillness = Stillness()
    private var last: Location.PreviousPosition?
    /// The seconds since the first position, and since the last pause.
    private var age = 0.0
    private var continuous = 0.0
    // On the heap, because a fleet has a value of this type for each machine, and most of its machines have none of these parts.
    @HeapOptional private var stay: LastStay?
    @HeapOptional private var balance: MotionBalance?
    @HeapOptional private var clock: ReceiverClock?
    @HeapOptional private var doubt: Doubt?

    /// The place before a jump, while nothing confirms the one after it.
    private struct Doubt: Hashable {
        var place: Coordinate
        var error: Double
        var passed: Double

        /// Returns whether the place can have been reached by an ordinary journey, as after a return.
        func isExplained(by location: Location, error known: Double) -> Bool {
            location.coordinate.distance(to: place)
                <= IntegrityRules.travel * passed
                + IntegrityRules.errorFactor * (error + (location.horizontalAccuracy ?? known))
        }
    }

    /// The least difference of latitude or longitude, in degrees, that can be a jump: of 100 m at the poles of the
    /// ellipsoid, and less elsewhere.
    private static let leastTurn = 0.00089

    /// The speed that was reported last.
    var speed: Double { last?.speed ?? 0 }
    /// The moment of the last position, in seconds of the session.
    var latest: Double { last?.moment ?? -.infinity }
    var coordinate: Coordinate? { last?.coordinate }
    var error: Double { last?.error ?? IntegrityRules.unknownError }

    /// Whether the place that the last jump led to is not confirmed.
    var isInDoubt: Bool { !_doubt.isEmpty }

    /// Confirms the place, with which another receiver agrees.
    mutating func confirm() { doubt = nil }

    private struct Step {
        let location: Location
        let last: Location.PreviousPosition
        /// The time between, in seconds.
        let passed: Double
        /// The greater one of the speeds reported before and after it, or a negative number if none is.
        let speed: Double
        /// The lesser one of them, or 0 if none is reported.
        let least: Double
        let error: Double
        /// Whether it leads from a place in doubt to one that is not.
        let isReturn: Bool

        /// The errors of both heights, with the factor of errors.
        var verticalError: Double {
            IntegrityRules.errorFactor
                * ((location.verticalAccuracy ?? 2 * IntegrityRules.unknownError) + last.verticalError)
        }
    }

    /// Processes a position that is not late, and reports what the rules object to; `wall` is `nil` if positions arrive
    /// over a network, which delays them by any time.
    mutating func process(
        _ location: Location, at time: Double, wall: Timestamp?, _ rules: borrowing IntegrityRules,
        _ object: (IntegrityFinding) -> Void
    ) {
        let passed = last.map { location.seconds(since: $0.sent, session: max(0, time - $0.moment)) } ?? 0
        let speed = location.speed ?? last?.speed
        stillness.process(location, speed: speed, after: passed)
        followStay(location, speed, after: passed)
        if let last {
            let isReturn = endDoubt(with: location, after: passed)
            let (one, two) = (location.speed.map { abs($0) }, last.speed.map { abs($0) })
            let step = Step(
                location: location, last: last, passed: passed, speed: max(one ?? -1, two ?? -1),
                least: min(one ?? two ?? 0, two ?? one ?? 0), error: location.horizontalAccuracy ?? last.error,
                isReturn: isReturn)
            // A receiver may correct itself after its first position.
            if age + passed >= IntegrityRules.settling {
                checkMotion(step, rules, object)
                checkHeight(step, rules, object)
            }
            checkDepth(step, object)
            // A clock that is set during the first seconds does not end them.
            age += min(passed, IntegrityRules.settling / 2)
            continuous = passed > IntegrityRules.pause ? 0 : continuous + passed
        }
        if let sent = location.timestamp, let wall {
            _clock[default: ReceiverClock()].process(sent, at: time, wall: wall, rules, object)
        }
        if !_stay.isEmpty, let stay, stay.away > 0 { checkTeleport(location, stay, rules, object) }
        last = Location.PreviousPosition(location, at: time, after: last, passed: passed)
    }

    /// Ends the doubt about the place if an ordinary journey explains it, or after an hour; returns whether it has ended.
    private mutating func endDoubt(with location: Location, after passed: Double) -> Bool {
        guard var doubt else { return false }
        doubt.passed += passed
        self.doubt = doubt
        guard doubt.isExplained(by: location, error: error) || doubt.passed >= IntegrityRules.longestDoubt
        else { return false }
        self.doubt = nil
        return true
    }

    /// Adds up what has happened since the last stay.
    private mutating func followStay(_ location: Location, _ reported: Double?, after passed: Double) {
        guard let reported, passed <= IntegrityRules.pause else { return stay = nil }
        if !_stay.isEmpty, var known = stay {
            let lasts = known.process(location, stillness, speed: abs(reported), after: passed)
            stay = known
            if lasts { return }
        }
        stay = LastStay(stillness)
    }

    // MARK: Rules

    private mutating func checkMotion(
        _ step: Step, _ rules: borrowing IntegrityRules, _ object: (IntegrityFinding) -> Void
    ) {
        let (place, before) = (step.location.coordinate, step.last.coordinate)
        if abs(place.latitude - before.latitude) + abs(place.longitude - before.longitude) > Self.leastTurn {
            guard !checkJump(step, rules, object) else {
                balance = nil
                return
            }
        }
        guard continuous >= IntegrityRules.settling, step.passed <= IntegrityRules.pause else {
            balance = nil
            return
        }
        var most = (step.speed < 0 ? IntegrityRules.unknownSpeed : step.speed) * step.passed
        if step.passed > IntegrityRules.steady {
            most += IntegrityRules.briskness * step.passed * step.passed / 4
        }
        guard
            let result = _balance[default: MotionBalance()].process(
                place, on: stillness.plane, error: step.error, after: step.passed, most: most,
                least: step.least * step.passed, frozen: rules.frozen)
        else { return }
        if result.excess > rules.jump {
            _balance[default: MotionBalance()].limitExcess(to: rules.jump + IntegrityRules.farJump)
            let isFar = result.excess > rules.jump + IntegrityRules.farJump
            let isPrecise = step.error <= IntegrityRules.precise
            let seconds = isPrecise ? IntegrityRules.run : IntegrityRules.coarseTime
            object(
                IntegrityFinding(
                    reason: .jump, isDecisive: isFar && isPrecise,
                    values: .way(metres: result.excess, seconds: seconds)))
        } else if result.line > 2 * rules.jump {
            // Reflections at both ends add up.
            _balance[default: MotionBalance()].endLine()
            object(
                IntegrityFinding(reason: .jump, values: .way(metres: result.line, seconds: IntegrityRules.line)))
        }
        if let missing = result.missing {
            object(IntegrityFinding(reason: .frozen, values: .frozen(metres: missing)))
        }
    }

    private mutating func checkJump(
        _ step: Step, _ rules: borrowing IntegrityRules, _ object: (IntegrityFinding) -> Void
    ) -> Bool {
        let distance = step.location.coordinate.distance(to: step.last.coordinate)
        let excess =
            IntegrityRules.unexplained(
                distance, in: step.passed, speed: step.speed, error: step.error + step.last.placeError) - rules.jump
        guard excess > 0 else { return false }
        if !step.isReturn {
            doubt = doubt ?? Doubt(place: step.last.coordinate, error: step.last.placeError, passed: step.passed)
        }
        let isSettled = continuous >= IntegrityRules.settling && step.passed <= IntegrityRules.pause
        object(
            IntegrityFinding(
                reason: .jump, isDecisive: isSettled && excess > IntegrityRules.farJump,
                values: .jump(metres: distance, seconds: step.passed)))
        return true
    }

    private mutating func checkTeleport(
        _ location: Location, _ stay: LastStay, _ rules: borrowing IntegrityRules,
        _ object: (IntegrityFinding) -> Void
    ) {
        guard stay.duration + stay.away >= IntegrityRules.teleportAfter else { return }
        let distance = location.coordinate.distance(to: stay.coordinate)
        let error = 2 * IntegrityRules.errorFactor * (location.horizontalAccuracy ?? error)
        let unexplained = distance - stay.explained - error
        guard unexplained > rules.teleport, stay.explained < distance * IntegrityRules.explainedShare else { return }
        self.stay = nil
        object(
            IntegrityFinding(
                reason: .teleport, isDecisive: unexplained > IntegrityRules.farTeleport,
                values: .teleport(metres: distance, stood: stay.duration)))
    }

    private func checkHeight(
        _ step: Step, _ rules: borrowing IntegrityRules, _ object: (IntegrityFinding) -> Void
    ) {
        let location = step.location
        guard location.fix == .threeD, let height = location.altitude else { return }
        // Comparisons with an unknown height are false.
        let change = abs(height - step.last.height)
        guard (location.altitudeMSL != nil) == step.last.heightIsMSL, change > rules.height else { return }
        let excess = change - step.verticalError - rules.height - rules.climb * step.passed
        guard excess > 0 else { return }
        object(
            IntegrityFinding(
                reason: .height,
                isDecisive: excess > IntegrityRules.farHeight && step.passed <= IntegrityRules.pause,
                values: .height(metres: change, seconds: step.passed)))
    }

    private func checkDepth(_ step: Step, _ object: (IntegrityFinding) -> Void) {
        let location = step.location
        guard location.fix == .threeD, let height = location.altitude, height < IntegrityRules.deepest else { return }
        let highest = height + step.verticalError
        guard highest < IntegrityRules.deepest else { return }
        object(
            IntegrityFinding(
                reason: .height, isDecisive: highest < IntegrityRules.decisivelyDeep, values: .depth(metres: -height)))
    }
}

extension Location {
    /// The values of a position that the next one is compared with.
    struct PreviousPosition: Hashable, Sendable {
        var coordinate: Coordinate
        var moment: Double
        @OptionalDouble var speed: Double?
        var error: Double
        /// The error of the place, which does not grow as fast as the reported one may.
        var placeError: Double
        var verticalError: Double
        var height: Double
        // The last two, because they share eight bytes.
        var sent: Timestamp?
        var heightIsMSL: Bool

        /// Creates the values of a position, the given number of seconds after the last one.
        init(_ location: Location, at moment: Double, after last: PreviousPosition?, passed: Double) {
            coordinate = location.coordinate
            self.moment = moment
            sent = location.timestamp
            error = location.horizontalAccuracy ?? last?.error ?? IntegrityRules.unknownError
            // An attacker could announce a jump with an error that excuses it.
            let grown = last.map { $0.placeError + IntegrityRules.errorGrowth * passed } ?? .infinity
            placeError = min(error, grown)
            verticalError = location.verticalAccuracy ?? last?.verticalError ?? 2 * IntegrityRules.unknownError
            height = location.fix == .threeD ? location.altitude ?? .nan : .nan
            heightIsMSL = location.altitudeMSL != nil
            speed = location.speed
        }
    }
}
