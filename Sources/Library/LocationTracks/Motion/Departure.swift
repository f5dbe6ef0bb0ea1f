import LocationCore

/// The positions since a speed or a position first suggested a departure; they belong to motion or standstill once that is decided.
struct Departure: Sendable {
    private(set) var steps: [MotionStep] = []
    /// The way from point to point since the standstill began.
    private(set) var way = Stretch()

    /// Creates a departure at a standstill that begins with its next position.
    init() {}

    /// Creates a departure of a standstill's first position.
    init(_ first: MotionStep) { steps = [first] }

    /// The time of the positions that suggest a departure.
    var time: Duration { steps.reduce(.zero) { $0 + $1.time } }
    var speeds: [Double] { steps.compactMap { $0.speed } }

    mutating func add(_ step: MotionStep) {
        way.add(step.distance, in: step.time, bound: step.bound)
        steps.append(step)
    }

    mutating func removeFirst(_ number: Int) { steps.removeFirst(number) }

    mutating func clear() { steps.removeAll(keepingCapacity: true) }

    /// Returns whether the receiver has walked all the time since the first position of a standstill.
    ///
    /// It then was halfway at half the time, which the mean position tells; a receiver that stood before was not. Its mean speed is
    /// at least 0.5 m/s, of which the positions show half. Without speeds, the positions must show 0.2 m/s.
    func hasWalked(from anchor: Coordinate, _ standstill: Standstill) -> Bool {
        guard let location = steps.last?.location else { return false }
        let (origin, mean) = (standstill.origin ?? anchor, standstill.mean ?? anchor)
        let distance = origin.distance(to: location.coordinate)
        let whole = standstill.duration + time
        var pace = MotionThresholds.strolling
        if location.speed != nil {
            let speeds = standstill.speeds + speeds
            let speed = speeds.reduce(0, +) / Double(max(1, speeds.count))
            guard standstill.knowsSpeeds, speed >= MotionThresholds.walking else { return false }
            pace = speed / 2
        }
        guard distance >= pace * whole.inSeconds else { return false }
        let expected = whole > .zero ? distance * (standstill.duration / whole) / 2 : 0
        return origin.distance(to: mean) >= expected / 2
    }
}

/// The number of positions in a row without a speed that are farther from a place than their accuracy.
///
/// Four in a row (two if they are seldom) must be farther away than both five metres and the reported accuracy (at most thirty), or
/// one twice as far, because one position in twenty is farther from the true place than its accuracy.
struct ExitCount: Sendable {
    private(set) var count = 0

    /// Returns whether a position is so far from a place that neither its accuracy nor a few bad positions explain it.
    mutating func isAway(_ step: MotionStep, by distance: Double) -> Bool {
        let reach = step.reach
        guard step.location.speed == nil else {
            count = 0
            return distance > reach
        }
        count = distance > reach ? count + 1 : 0
        // With seldom positions more of them would be minutes of rest.
        return count >= (step.isSeldom ? 2 : MotionThresholds.several) || distance > 2 * reach
    }
}
