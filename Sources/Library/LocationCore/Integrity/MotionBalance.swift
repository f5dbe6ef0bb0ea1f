/// A comparison of the way along the positions of a receiver with the one that its speed explains.
///
/// The way is measured in chords of a second or more, so that it is the same at every rate of positions. A position with an
/// error beyond `IntegrityRules.precise` ends no chord: the next chord reaches from the last precise position to the next one,
/// however coarse those between are.
///
/// Reflections between buildings move single positions, and back again. A chord that its speed explains therefore ends the sum
/// of those before it, and over a minute only the straight line counts.
struct MotionBalance: Hashable, Sendable {
    /// The results at the end of a chord, in metres.
    struct Result: Sendable {
        /// The way that neither the speed nor the errors explain, over unexplained chords in a row.
        var excess: Double
        /// The part of a straight line of up to a minute that neither the speed nor the errors explain.
        var line = -Double.infinity
        /// The way that the speed explains, if the positions have hardly moved.
        var missing: Double?
    }

    /// A place, and what has happened since then.
    private struct Leg: Hashable {
        var start: Coordinate
        var error: Double
        var passed = 0.0
        /// The way that the speed explains, at most and at least.
        var most = 0.0
        var least = 0.0

        mutating func add(_ passed: Double, most: Double, least: Double) {
            self.passed += passed
            self.most += most
            self.least += least
        }

        /// Returns the metres to a place, and those that the speed does not explain.
        func part(to place: Coordinate, on plane: LocalPlane) -> (distance: Double, unexplained: Double) {
            let distance = plane.squaredDistance(from: start, to: place).squareRoot()
            return (distance, distance - most * IntegrityRules.speedFactor)
        }
    }

    private var chord: Leg?
    private var line: Leg?
    /// The sum of the unexplained parts of chords in a row, and that of the squares of their errors.
    private var excess = 0.0
    private var squares = 0.0
    /// The time since the comparison began, and sums of the ways along the positions and by the speed, of which older parts count
    /// less and less.
    private var age = 0.0
    private var moved = 0.0
    private var told = 0.0

    /// Processes a position, and returns the results if a chord ends.
    ///
    /// The speed explains `least` to `most` metres of way since the last position, of which frozen positions move a
    /// `share` at most.
    mutating func process(
        _ place: Coordinate, on plane: LocalPlane, error: Double, after seconds: Double, most: Double, least: Double,
        frozen share: Double
    ) -> Result? {
        guard chord != nil else {
            if error <= IntegrityRules.precise { chord = Leg(start: place, error: error) }
            return nil
        }
        chord?.add(seconds, most: most, least: least)
        guard let chord, chord.passed >= IntegrityRules.chord else { return nil }
        return end(chord, at: place, plane, error, share)
    }

    private mutating func end(
        _ chord: Leg, at place: Coordinate, _ plane: LocalPlane, _ error: Double, _ share: Double
    ) -> Result? {
        let isPrecise = error <= IntegrityRules.precise
        guard isPrecise || chord.passed >= IntegrityRules.coarseTime else { return nil }
        let errors = chord.error + min(error, IntegrityRules.coarse)
        let (distance, part) = chord.part(to: place, on: plane)
        let remaining = part > errors ? max(0, 1 - chord.passed / IntegrityRules.run) : 0
        let sum = max(0, excess * remaining + part)
        let sumOfSquares = squares * remaining + errors * errors
        // A leap must not hide in the noise of the chords before it.
        var result = Result(
            excess: max(
                sum - IntegrityRules.errorFactor * sumOfSquares.squareRoot(), part - IntegrityRules.errorFactor * errors
            ))
        guard isPrecise else { return result }
        (excess, squares) = (sum, sumOfSquares)
        self.chord = Leg(start: place, error: error)
        result.line = extendLine(chord, to: place, plane, error)
        result.missing = noteStandstill(chord, distance, share)
        return result
    }

    private mutating func extendLine(
        _ chord: Leg, to place: Coordinate, _ plane: LocalPlane, _ error: Double
    ) -> Double {
        var line = line ?? Leg(start: chord.start, error: chord.error)
        line.add(chord.passed, most: chord.most, least: chord.least)
        self.line = line.passed < IntegrityRules.line ? line : nil
        let error = IntegrityRules.errorFactor * (line.error + error)
        let (distance, part) = line.part(to: place, on: plane)
        guard part > error else { return part - error }
        // The plane is not precise enough for kilometres near a pole.
        return part - error + line.start.distance(to: place) - distance
    }

    private mutating func noteStandstill(_ chord: Leg, _ distance: Double, _ share: Double) -> Double? {
        let remaining = max(0, 1 - chord.passed / IntegrityRules.frozenTime)
        age += chord.passed
        moved = moved * remaining + distance
        told = told * remaining + chord.least
        let isFrozen =
            age >= IntegrityRules.frozenTime && told > IntegrityRules.frozenWay
            && moved < told * share
        return isFrozen ? told : nil
    }

    /// Limits what is left of an excess that was observed, so that it does not last longer than ten seconds.
    mutating func limitExcess(to metres: Double) {
        excess = min(excess, metres + IntegrityRules.errorFactor * squares.squareRoot())
    }

    /// Begins another line, because the end of the last one has been reported.
    mutating func endLine() { line = nil }
}
