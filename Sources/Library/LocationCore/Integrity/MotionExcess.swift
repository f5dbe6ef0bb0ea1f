/// The way along the positions of a receiver beyond that which its speed explains, over a time in which older parts count
/// less and less.
///
/// The way is measured in chords of at least a given duration, so that it is the same at every rate of positions. The errors
/// of the chords are independent of each other, so that their sum grows with the root of their number; an error that all
/// positions have in common does not matter. A position with an error beyond `IntegrityRules.precise` ends no chord: the
/// next chord reaches from the last precise position to the next one, however coarse those between are.
struct MotionExcess: Hashable, Sendable {
    /// The durations that a way is judged by, in seconds.
    struct Span: Sendable {
        /// The time that counts.
        var whole: Double
        /// The least duration of a chord.
        var chord: Double
        /// The time after which a coarse position is compared with the last precise one.
        var coarse = Double.infinity
    }

    /// The beginning of the chord, and its error.
    private var start: Coordinate?
    private var error = 0.0
    /// The time since the beginning of the chord, and the way that the speed explains since then.
    private var passed = 0.0
    private var explained = 0.0
    /// The sum of the chords beyond their explained ways, and that of the squares of their errors.
    private var excess = 0.0
    private var squares = 0.0

    /// Forgets the way until now.
    mutating func restart() { self = MotionExcess() }

    /// Processes a position, and returns the metres that neither the speed nor the errors explain, if a chord ends.
    ///
    /// - Parameters:
    ///   - coordinate: The position.
    ///   - plane: The plane around it.
    ///   - error: Its error.
    ///   - seconds: The time since the last position.
    ///   - way: The way since the last position that the speed explains.
    ///   - span: The durations.
    @inline(__always)
    mutating func process(
        _ coordinate: Coordinate, on plane: LocalPlane, error: Double, after seconds: Double,
        explained way: Double, over span: Span
    ) -> Double? {
        passed += seconds
        explained += way
        guard passed >= span.chord else {
            // The first position begins a chord.
            if start == nil, error <= IntegrityRules.precise { begin(at: coordinate, error) }
            return nil
        }
        return endChord(at: coordinate, plane, error, span)
    }

    private mutating func endChord(
        at coordinate: Coordinate, _ plane: LocalPlane, _ error: Double, _ span: Span
    ) -> Double? {
        let isPrecise = error <= IntegrityRules.precise
        guard let start else {
            if isPrecise { begin(at: coordinate, error) }
            return nil
        }
        guard isPrecise || passed >= span.coarse else { return nil }
        let errors = self.error + min(error, IntegrityRules.coarse)
        let remaining = max(0, 1 - passed / span.whole)
        let distance = plane.squaredDistance(from: start, to: coordinate).squareRoot()
        let part = distance - explained * IntegrityRules.speedFactor
        let sum = max(0, excess * remaining + part)
        let sumOfSquares = squares * remaining + errors * errors
        if isPrecise {
            begin(at: coordinate, error)
            (excess, squares) = (sum, sumOfSquares)
        }
        // A leap must not hide in the noise of the chords before it.
        return max(
            sum - IntegrityRules.errorFactor * sumOfSquares.squareRoot(), part - IntegrityRules.errorFactor * errors)
    }

    /// Limits what is left of an excess that was observed, so that it does not last longer than a minute.
    mutating func limit(to metres: Double) {
        excess = min(excess, metres + IntegrityRules.errorFactor * squares.squareRoot())
    }

    private mutating func begin(at coordinate: Coordinate, _ error: Double) {
        (start, self.error) = (coordinate, error)
        (passed, explained) = (0, 0)
    }
}
