import LocationCore

/// A position, and what lies between it and the one before.
struct MotionStep: Sendable {
    let location: Location
    let moment: Moment
    /// The position before, if any.
    let previous: Coordinate?
    /// The distance in metres, and the time since then.
    var distance: Double
    var time: Duration
    /// The distance that the reported speeds allow since then, if that was just before.
    let bound: Double?
    /// Whether neither the speed, the errors nor the time since then explain the distance.
    let isJump: Bool
    /// The speeds in a row, up to this one.
    let runs: SpeedRuns

    var elapsed: Duration { moment.elapsed }
    /// The speed in metres per second: the reported one, or that from point to point if none is reported.
    var speed: Double? { location.speed ?? (time > .zero ? distance / time.inSeconds : nil) }
    /// Whether reported speeds say nothing about the way from the position before.
    var isSeldom: Bool { time > MotionThresholds.seldom }

    /// The distance in metres from a place up to which a receiver that stands there can be reported here.
    var reach: Double {
        location.speed == nil ? error : IntegrityRules.stillRadius(location.horizontalAccuracy)
    }

    /// The error of the position in metres, as far as it is believed: at least five, and at most thirty.
    var error: Double { max(MotionThresholds.least, min(30, location.horizontalAccuracy ?? 10)) }

    /// The same position as the first one of a place, before which nothing counts.
    var asFirst: MotionStep {
        var first = self
        (first.distance, first.time) = (0, .zero)
        return first
    }

    /// Whether the receiver has rested since the position before, of which it reported nothing, as a watch that pauses does.
    var isRest: Bool {
        isSeldom && distance <= reach && distance < MotionThresholds.strolling * time.inSeconds
    }
}

/// The numbers of speeds in a row that are those of a walk, and that are lower.
struct SpeedRuns: Sendable {
    private(set) var fast = 0
    private(set) var slow = 0

    mutating func count(_ speed: Double?) {
        guard let speed else { return slow = 0 }
        fast = speed >= MotionThresholds.walking ? fast + 1 : 0
        slow = speed < MotionThresholds.walking ? slow + 1 : 0
    }
}
