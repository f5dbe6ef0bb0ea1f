extension Motion {
    /// A position, and what lies between it and the one before.
    package struct Step: Sendable {
        package let location: Location
        package let elapsed: Int64
        let place: SurfacePoint
        /// The reported accuracy.
        @OptionalDouble var accuracy: Double?
        /// The reported speed, or the mean one since the position before, if the reported one cannot be that of the way.
        @OptionalDouble package internal(set) var reported: Double?
        /// The distance in metres, and the time since the position before.
        var distance = 0.0
        var time: Int64 = 0
        /// The distance that the reported speeds allow since then, if that was just before.
        @OptionalDouble var bound: Double?
        /// Whether neither the speed, the errors nor the time since then explain the distance.
        var isJump = false
        /// The speeds in a row, up to this one.
        var runs = SpeedRuns()

        /// Creates the step of a first position.
        init(_ location: Location, at elapsed: Int64) {
            self.location = location
            self.elapsed = elapsed
            place = SurfacePoint(location.coordinate)
            accuracy = location.horizontalAccuracy
            reported = location.speed
        }

        /// The speed in metres per second: the reported one, or that from point to point if none is reported.
        package var speed: Double? { reported ?? (time > 0 ? distance / time.inSeconds : nil) }

        /// Whether reported speeds say nothing about the way from the position before.
        var isSeldom: Bool { time > Rules.seldom }

        /// The distance in metres from a place up to which a receiver that stands there can be reported here.
        var reach: Double { reported == nil ? error : IntegrityRules.stillRadius(accuracy) }

        /// The error of the position in metres, as far as it is believed: at least five, and at most thirty.
        var error: Double { max(Rules.least, min(30, accuracy ?? 10)) }

        /// The same position as the first one of a place, before which nothing counts.
        var asFirst: Step {
            var first = self
            (first.distance, first.time) = (0, 0)
            return first
        }

        /// Whether the receiver has rested since the position before, of which it reported nothing, as a watch that pauses does.
        var isRest: Bool { isSeldom && distance <= reach && distance < Rules.strolling * time.inSeconds }
    }

    /// The numbers of speeds in a row that are those of a walk, and that are lower.
    struct SpeedRuns: Sendable {
        private(set) var fast: Int32 = 0
        private(set) var slow: Int32 = 0

        mutating func count(_ speed: Double?) {
            guard let speed else { return slow = 0 }
            fast = speed >= Rules.walking ? fast &+ 1 : 0
            slow = speed < Rules.walking ? slow &+ 1 : 0
        }
    }

    /// A decision on positions, which is told in its order.
    package enum Decision: Sendable {
        /// A position belongs to the current standstill.
        case stands(Step)
        /// The receiver departs with some positions, which belong to motion; if it has walked since the first position of its
        /// standstill, so do all positions of that, as far as they are a way.
        case departs([Step], hasWalked: Bool)
        /// A position belongs to motion.
        case moves(Step)
        /// A motion ends at a position, with which a standstill begins.
        case stops(Step)
        /// Nothing is known of the way to the next position.
        case breaks
        /// The motion that begins is an excursion, until it counts or is taken back to this point.
        case excursionBegins
        case excursionCounts
        case excursionIsTakenBack
    }
}
