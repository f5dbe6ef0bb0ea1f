import LocationCore

/// The thresholds of motion, whose rules the comment of `MotionPhases` explains.
enum MotionThresholds {
    static let walking = 0.5
    /// The least speed of a walk that positions alone tell, once it has led away from its beginning.
    static let strolling = 0.2
    /// The time of low speeds that is a stop, also if they are few because positions are seldom.
    static let stop = Duration.seconds(4)
    /// The distance in metres below which nothing has moved.
    static let least = 5.0
    /// The number of fast speeds in a row that cannot be noise.
    static let sure = 5
    /// The number of fast speeds in a row that still count as noise if the receiver has not moved five metres.
    static let most = 10
    /// The number of positions in a row outside of their accuracy that cannot be noise.
    static let several = 4
    /// The time between positions up to which their speeds are those of the way between them.
    static let brief = Duration.seconds(2)
    /// The time between positions above which their speeds say nothing about the way between them.
    static let seldom = Duration.seconds(IntegrityRules.pause)
    /// The unexplained distance in metres beyond which a position has jumped.
    static let jump = IntegrityRules().jump
}
