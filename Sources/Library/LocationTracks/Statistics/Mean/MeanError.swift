import Glibc

/// The error of the mean of a standstill's positions, from their scatter alone.
///
/// Errors of positions are alike for seconds to hours, so that a thousand positions of a quarter of an hour are worth only a few. The
/// estimate counts correlation times and not positions: it finds how long errors are alike, and from it the variance of the mean. The
/// fewer correlation times there are, the less is known of both, which the factor for 95 % accounts for.
///
/// It does not contain what stays the same for the whole time, such as the error of an ionosphere's model, of a reflection or of a map
/// datum, nor errors that change more slowly than it can see.
public struct MeanError: Hashable, Sendable {
    /// The radius in metres within which the true place is with a probability of 95 %.
    public let radius: Double
    /// The error of the mean height in metres that is not exceeded with a probability of 95 %, if it is known.
    public let vertical: Double?
    /// The time in seconds within which errors are alike.
    public let correlationTime: Double
    /// The number of correlation times that have passed.
    package let correlationTimes: Double

    /// The least time in seconds that suffices: eight minutes.
    package static let leastTime = 480.0
    /// The least number of correlation times that suffices.
    ///
    /// The estimate scatters by a third at ten, and by more upwards: of sessions of ten correlation times, one in twenty seems to have
    /// this many, and of those of four one in two hundred.
    static let leastTimes = 22.0
    /// The number of correlation times that widens the error, relative to those that have passed: their number is an estimate itself,
    /// and only the greater ones suffice.
    private static let widening = 6.0

    /// Creates the estimate, or returns `nil` if the time is too short to tell, or if the positions do not scatter.
    init?(_ blocks: ErrorBlocks) {
        guard blocks.end >= Self.leastTime, let whole = blocks.whole else { return nil }
        func means(_ sum: (ErrorBlocks.Block) -> Double, _ count: (ErrorBlocks.Block) -> Double) -> [Double?] {
            whole.blocks.map { count($0) > 0 ? sum($0) / count($0) : nil }
        }
        let ground = ErrorCorrelation([means(\.east, \.count), means(\.north, \.count)])
        guard let ground, ground.times >= Self.leastTimes else { return nil }
        correlationTimes = ground.times
        correlationTime = whole.length * Double(whole.blocks.count) / ground.times
        radius = Self.radius(ground)
        let heights = means(\.up, \.heights)
        let isHeightKnown = heights.count { $0 == nil } * 10 <= heights.count
        let height = isHeightKnown ? ErrorCorrelation([heights]) : nil
        vertical = height.flatMap { $0.times >= Self.leastTimes ? Self.distance($0) : nil }
    }

    private static func widening(_ correlation: ErrorCorrelation) -> Double { 1 + widening / correlation.times }

    /// Returns the radius that holds 95 % of two normal errors whose variance was estimated: twice a quantile of Fisher's F with 2
    /// degrees of freedom and half as many as correlation times, the accuracy with which both axes tell the variance.
    private static func radius(_ correlation: ErrorCorrelation) -> Double {
        let freedom = correlation.times / 2
        let square = freedom * (pow(0.05, -2 / freedom) - 1)
        return widening(correlation) * (square * correlation.varianceOfMean).squareRoot()
    }

    /// Returns the distance that 95 % of normal errors do not exceed whose variance was estimated along one axis.
    private static func distance(_ correlation: ErrorCorrelation) -> Double {
        widening(correlation) * studentQuantile(correlation.times / 4) * correlation.varianceOfMean.squareRoot()
    }

    /// Returns the number that Student's t exceeds in magnitude with a probability of 5 %, to three digits from 5 degrees of freedom on.
    ///
    /// The series is Fisher's and Cornish's (Abramowitz and Stegun 26.7.5).
    static func studentQuantile(_ freedom: Double) -> Double {
        let x = 1.959963984540054
        let square = x * x
        let terms = [
            x, x * (square + 1) / 4, x * ((5 * square + 16) * square + 3) / 96,
            x * (((3 * square + 19) * square + 17) * square - 15) / 384,
            x * ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) / 92_160,
        ]
        return terms.reversed().reduce(0) { $0 / freedom + $1 }
    }
}
