/// A meter of ascents and descents, for which a change of direction counts from `MotionStatistics.heightStep` on.
///
/// While the receiver climbs, each new greatest height counts at once, and a descent begins when the height is a step below it; and
/// the other way round. The noise of a height therefore adds its amplitude once, and not with each report.
struct Climb {
    private enum Direction { case unknown, up, down }

    private var direction = Direction.unknown
    /// The least height since the last descent began, and the greatest one since the last ascent began.
    private var extremes: (low: Double, high: Double)?

    /// Whether no height was processed yet.
    var isEmpty: Bool { extremes == nil }

    /// Processes the next height; returns the ascent in metres that it adds, or a descent as a negative number.
    mutating func process(_ height: Double) -> Double {
        guard let (low, high) = extremes else {
            extremes = (height, height)
            return 0
        }
        let step = MotionStatistics.heightStep
        if direction == .up ? height > high : height - low >= step {
            let start = direction == .up ? high : low
            direction = .up
            extremes = (height, height)
            return height - start
        }
        if direction == .down ? height < low : high - height >= step {
            let start = direction == .down ? low : high
            direction = .down
            extremes = (height, height)
            return height - start
        }
        if direction == .unknown { extremes = (min(low, height), max(high, height)) }
        return 0
    }
}
