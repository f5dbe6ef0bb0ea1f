import LocationCore

/// The distance, speed and climb of a receiver.
public struct MotionStatistics: Sendable {
    /// The distance in metres from point to point, including drift.
    ///
    /// The way over a gap is not in it, because it is unknown: a gap is a loss of the position, a change of the current receiver,
    /// or a step of a receiver's time, back or a day or more ahead.
    package internal(set) var rawDistance = 0.0
    /// The distance in metres while moving.
    ///
    /// The drift of a receiver at rest is left out, and noise and jumps of the position count only as far as the speeds allow.
    public internal(set) var distance = 0.0
    /// The time during which the receiver moved.
    public internal(set) var movingTime = Duration.zero
    /// The time during which the receiver stood.
    public internal(set) var standingTime = Duration.zero
    /// The speeds while moving in metres per second, as reported, or from point to point if none is reported.
    public internal(set) var speeds = Distribution()
    /// The ascent in metres; a change of direction of less than `heightStep` counts as noise.
    public internal(set) var ascent = 0.0
    /// The descent in metres; a change of direction of less than `heightStep` counts as noise.
    public internal(set) var descent = 0.0

    /// Whether a height was reported; otherwise the ascent and the descent are unknown.
    package internal(set) var isHeightKnown = false

    /// The change of height in metres below which it counts as noise.
    package static let heightStep = 5.0

    /// The mean speed while moving in metres per second.
    public var averageMovingSpeed: Double? {
        movingTime > .zero ? distance / movingTime.inSeconds : nil
    }
}

extension MotionStatistics {
    /// Creates the statistics of a motion and its figures.
    init(_ motion: Motion, _ figures: MotionFigures, isHeightKnown: Bool) {
        rawDistance = motion.rawDistance
        distance = motion.settledDistance
        movingTime = motion.movingTime
        standingTime = motion.standingTime
        speeds = figures.speeds
        ascent = figures.ascent
        descent = figures.descent
        self.isHeightKnown = isHeightKnown
    }
}
