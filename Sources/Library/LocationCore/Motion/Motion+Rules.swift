extension Motion {
    /// The thresholds of motion, whose rules the comment of `Motion` explains.
    enum Rules {
        static let walking = 0.5
        /// The least speed of a walk that positions alone tell, once it has led away from its beginning.
        static let strolling = 0.2
        /// The time of low speeds that is a stop, also if they are few because positions are seldom.
        static let stop: Int64 = 4_000_000_000
        /// The number of low speeds in a row that is a stop.
        static let slow = 5
        /// The distance in metres below which nothing has moved.
        static let least = 5.0
        /// The number of fast speeds in a row that cannot be noise.
        static let sure = 5
        /// The number of fast speeds in a row that still count as noise if the receiver has not moved five metres.
        static let most = 10
        /// The number of positions in a row outside of their accuracy that cannot be noise.
        static let several = 4
        /// The time between positions up to which their speeds are those of the way between them.
        static let brief: Int64 = 2_000_000_000
        /// The time between positions above which their speeds say nothing about the way between them.
        static let seldom = Int64(clamping: IntegrityRules.pause * 1e9)
        /// The step of a receiver's time after which its motion is unknown.
        static let day: Int64 = 86_400_000_000_000
        /// The unexplained distance in metres beyond which a position has jumped.
        static let jump = IntegrityRules().jump
    }
}

extension Int64 {
    /// The seconds of a time in nanoseconds.
    var inSeconds: Double { Double(self) / 1e9 }
}
