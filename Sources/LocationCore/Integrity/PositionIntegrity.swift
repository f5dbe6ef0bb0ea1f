/// An observation of a rule, and its gravity.
struct IntegrityFinding: Hashable, Sendable {
    var reason: IntegrityReasons
    /// Whether the observation suffices for an alarm.
    var isDecisive = false
    /// The values of the observation, from which its sentence is made only if a change is reported.
    var values: Values

    enum Values: Hashable, Sendable {
        case jump(metres: Double, seconds: Double)
        case teleport(metres: Double, stood: Double)
        case clock(seconds: Double)
        case rollover(weeks: Int, likely: Timestamp)
        case signal(fall: Double, isSilent: Bool)
        case uniform(count: Int, spread: Double)
        case sky(remaining: Int, of: Int)
        case height(metres: Double, seconds: Double)
        case depth(metres: Double)
        case interference(Int)
        case antenna(isOpen: Bool)
        case disagreement(metres: Double, with: String?)
    }
}

/// The rules over the positions of one receiver: jump, teleport, clock, rollover and height.
///
/// In the usual case a position costs a few comparisons: nothing is allocated, and distances are computed only of positions
/// that are far enough apart to matter.
struct PositionIntegrity: Hashable, Sendable {
    /// The detector of stillness.
    private(set) var stillness = Stillness()
    private var last: Location.Essence?
    /// The beginning of the reports without a pause, in seconds of the session.
    private var began = 0.0
    private var first = 0.0
    private var clock = ReceiverClock()

    /// The least difference of latitude or longitude, in degrees, that can be a jump: of 100 m at the poles of the
    /// ellipsoid, and less elsewhere.
    private static let leastTurn = 0.00089

    /// Whether the receiver stands still.
    var isStill: Bool { stillness.duration != nil }
    /// The speed that was reported last.
    var speed: Double { last?.speed ?? 0 }
    /// The moment of the last position, in seconds of the session.
    var latest: Double { last?.moment ?? -.infinity }
    /// The last position.
    var coordinate: Coordinate? { last?.coordinate }
    /// The error of the last position.
    var error: Double { last?.error ?? IntegrityRules.unknownError }

    /// Processes a position of an epoch, and reports what the rules object to.
    ///
    /// - Parameters:
    ///   - location: The position, which is not late.
    ///   - time: The seconds since the session began.
    ///   - wall: The session's civil time.
    ///   - isFleet: Whether positions arrive over a network, which delays them by any time.
    ///   - rules: The thresholds.
    @inline(__always)
    mutating func process(
        _ location: Location, at time: Double, wall: Timestamp, isFleet: Bool, _ rules: borrowing IntegrityRules,
        _ object: (IntegrityFinding) -> Void
    ) {
        guard location.revision == 0 else {
            last?.complete(with: location)
            return
        }
        var passed = 0.0
        if let last {
            passed = Self.passed(from: last, to: location, at: time)
            if time - last.moment > IntegrityRules.pause { began = time }
            if abs(location.coordinate.latitude - last.coordinate.latitude)
                + abs(location.coordinate.longitude - last.coordinate.longitude) > Self.leastTurn
            {
                checkJump(location, since: last, at: time, rules, object)
            }
            checkHeight(location, since: last, at: time, rules, object)
        } else {
            (began, first) = (time, time)
        }
        if let sent = location.timestamp, !isFleet {
            clock.process(sent, at: time, wall: wall, age: time - first, rules, object)
        }
        let wasLeft = stillness.left != nil
        stillness.process(location, after: passed)
        if wasLeft || stillness.left != nil { checkTeleport(location, rules, object) }
        last = Location.Essence(location, at: time, after: last)
    }

    /// Returns the seconds since the last position, by the receiver's clock if it agrees with the session's, whose moments
    /// depend on whether epochs are settled.
    @inline(__always)
    private static func passed(from last: Location.Essence, to location: Location, at time: Double) -> Double {
        let passed = max(0, time - last.moment)
        guard let sent = location.timestamp, let before = last.sent else { return passed }
        let own = Double(clampingNanoseconds: sent, since: before)
        return own > 0 && abs(own - passed) < IntegrityRules.ownTime ? own : passed
    }

    private func checkJump(
        _ location: Location, since last: Location.Essence, at time: Double, _ rules: borrowing IntegrityRules,
        _ object: (IntegrityFinding) -> Void
    ) {
        guard time - first >= IntegrityRules.settling else { return }
        let distance = location.coordinate.distance(to: last.coordinate)
        // Positions that were held back arrive together, and then only their own times tell the time between.
        var passed = max(0, time - last.moment)
        if let sent = location.timestamp, let before = last.sent {
            let own = Double(clampingNanoseconds: sent, since: before)
            if own > passed, own < 86_400 { passed = own }
        }
        let excess =
            IntegrityRules.unexplained(
                distance, in: passed, speed: max(location.speed.map { abs($0) } ?? -1, last.speed ?? -1),
                error: (location.horizontalAccuracy ?? last.error) + last.error) - rules.jump
        guard excess > 0 else { return }
        let isSettled = last.moment - began >= IntegrityRules.settling && passed <= IntegrityRules.pause
        object(
            IntegrityFinding(
                reason: .jump, isDecisive: isSettled && excess > IntegrityRules.farJump,
                values: .jump(metres: distance, seconds: passed)))
    }

    private mutating func checkTeleport(
        _ location: Location, _ rules: borrowing IntegrityRules, _ object: (IntegrityFinding) -> Void
    ) {
        guard let stay = stillness.left else { return }
        let distance = location.coordinate.distance(to: stay.coordinate)
        let error = 2 * IntegrityRules.errorFactor * (location.horizontalAccuracy ?? error)
        guard distance > rules.teleport + error, stay.explained < distance / 2 else { return }
        stillness.forgetStay()
        object(
            IntegrityFinding(
                reason: .teleport, isDecisive: distance > IntegrityRules.farTeleport + error,
                values: .teleport(metres: distance, stood: stay.duration)))
    }

    @inline(__always)
    private func checkHeight(
        _ location: Location, since last: Location.Essence, at time: Double, _ rules: borrowing IntegrityRules,
        _ object: (IntegrityFinding) -> Void
    ) {
        guard location.fix == .threeD, let height = location.altitudeMSL ?? location.altitudeHAE else { return }
        let isComparable = (location.altitudeMSL != nil) == last.heightIsMSL
        let change = isComparable ? abs(height - last.height) : 0
        // Comparisons with an unknown height are false.
        guard change > rules.height || height < IntegrityRules.deepest else { return }
        let error =
            IntegrityRules.errorFactor
            * ((location.verticalAccuracy ?? 2 * IntegrityRules.unknownError) + last.verticalError)
        if height + error < IntegrityRules.deepest {
            object(
                IntegrityFinding(
                    reason: .height, isDecisive: height + error < IntegrityRules.decisivelyDeep,
                    values: .depth(metres: -height)))
        }
        guard time - first >= IntegrityRules.settling else { return }
        let passed = max(0, time - last.moment)
        let excess = change - error - rules.height - rules.climb * passed
        guard excess > 0 else { return }
        object(
            IntegrityFinding(
                reason: .height, isDecisive: excess > IntegrityRules.farHeight && passed <= IntegrityRules.pause,
                values: .height(metres: change, seconds: passed)))
    }
}

extension Location {
    /// The values of a position that the next one is compared with.
    struct Essence: Hashable, Sendable {
        var coordinate: Coordinate
        var moment: Double
        var sent: Timestamp?
        @OptionalDouble var speed: Double?
        var error: Double
        var verticalError: Double
        var height: Double
        var heightIsMSL: Bool

        @inline(__always)
        init(_ location: Location, at moment: Double, after last: Essence?) {
            coordinate = location.coordinate
            self.moment = moment
            sent = location.timestamp
            error = location.horizontalAccuracy ?? last?.error ?? IntegrityRules.unknownError
            verticalError = location.verticalAccuracy ?? last?.verticalError ?? 2 * IntegrityRules.unknownError
            height = .nan
            heightIsMSL = false
            speed = location.speed
            note(location)
        }

        /// Takes over what a later report of the same epoch adds.
        mutating func complete(with location: Location) {
            coordinate = location.coordinate
            if let known = location.horizontalAccuracy { error = known }
            if let known = location.verticalAccuracy { verticalError = known }
            if let known = location.speed { speed = known }
            note(location)
        }

        @inline(__always)
        private mutating func note(_ location: Location) {
            guard location.fix == .threeD, let known = location.altitudeMSL ?? location.altitudeHAE else { return }
            height = known
            heightIsMSL = location.altitudeMSL != nil
        }
    }
}
