extension Motion {
    /// The mean, the time and the first speeds of a standstill, with which a departure is compared.
    struct Standstill {
        private(set) var mean = PlaceMean()
        private var began: Int64 = 0
        private var ended: Int64 = 0
        /// The sum, the greatest one and the number of the first speeds.
        private(set) var speedSum = 0.0
        private(set) var fastest = 0.0
        private(set) var speeds: Int32 = 0
        private static let speedLimit: Int32 = 100

        var isEmpty: Bool { mean.count == 0 }
        var duration: Int64 { ended - began }
        /// Whether the speeds are all; the first position of a session often has none.
        var knowsSpeeds: Bool { Int(speeds) >= mean.count - 1 }

        /// Adds a position at an offset from the first one.
        mutating func add(_ step: Step, at offset: GroundOffset, speed: Double?) {
            if let speed, speeds < Self.speedLimit {
                speedSum += speed
                fastest = max(fastest, speed)
                speeds += 1
            }
            if isEmpty { began = step.elapsed }
            ended = step.elapsed
            mean.add(step.place, at: offset)
        }
    }

    /// The positions since a speed or a position first suggested a departure; they belong to motion or standstill once that is decided.
    struct Departure {
        private(set) var steps: [Step] = []
        /// The way from point to point since the standstill began.
        private(set) var way = Stretch()

        /// Creates a departure at a standstill that begins with its next position.
        init() {}

        /// Creates a departure of a standstill's first position.
        init(_ first: Step) { steps = [first] }

        /// The time of the positions that suggest a departure.
        var time: Int64 { steps.reduce(0) { $0 + $1.time } }

        /// Adds the step to a position, which suggests nothing yet.
        mutating func addWay(_ step: Step) { way.add(step.distance, in: step.time, bound: step.bound) }

        mutating func suspect(_ step: Step) { steps.append(step) }

        mutating func removeFirst(_ number: Int) { steps.removeFirst(number) }

        mutating func clear() { steps.removeAll(keepingCapacity: true) }

        /// Returns whether the receiver has walked all the time since the first position of a standstill.
        ///
        /// It then was halfway at half the time, which the mean position tells; a receiver that stood before was not. Its mean speed
        /// is at least 0.5 m/s, of which the positions show half. Without speeds, the positions must show 0.2 m/s.
        func hasWalked(from anchor: SurfacePoint, _ standstill: Standstill) -> Bool {
            guard let last = steps.last else { return false }
            let distance = (standstill.mean.origin ?? anchor).distance(to: last.place)
            let whole = standstill.duration + time
            var pace = Rules.strolling
            if last.reported != nil {
                let speeds = steps.compactMap { $0.speed }
                let sum = speeds.reduce(standstill.speedSum, +)
                let speed = sum / Double(max(1, Int(standstill.speeds) + speeds.count))
                guard standstill.knowsSpeeds, speed >= Rules.walking else { return false }
                pace = speed / 2
            }
            guard distance >= pace * whole.inSeconds else { return false }
            let share = whole > 0 ? Double(standstill.duration) / Double(whole) : 0
            return standstill.mean.centre.length >= distance * share / 4
        }
    }

    /// The number of positions in a row without a speed that are farther from a place than their accuracy.
    ///
    /// Four in a row (two if they are seldom) must be farther away than both five metres and the reported accuracy (at most thirty), or
    /// one twice as far, because one position in twenty is farther from the true place than its accuracy.
    struct Exits {
        private(set) var count = 0

        /// Returns whether a position is so far from a place that neither its accuracy nor a few bad positions explain it.
        mutating func isAway(_ step: Step, by distance: Double) -> Bool {
            let reach = step.reach
            guard step.reported == nil else {
                count = 0
                return distance > reach
            }
            count = distance > reach ? count + 1 : 0
            // With seldom positions more of them would be minutes of rest.
            return count >= (step.isSeldom ? 2 : Rules.several) || distance > 2 * reach
        }
    }
}
