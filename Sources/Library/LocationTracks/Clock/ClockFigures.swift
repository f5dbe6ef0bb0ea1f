import LocationCore

/// The figures of a series of clock comparisons.
///
/// Times are in seconds; offsets are positive if the host's clock is ahead.
package struct ClockFigures: Hashable, Sendable {
    /// The number of comparisons in the figures.
    package var count: Int
    /// The median offset, in nanoseconds.
    package var median: Int64
    /// The smallest offset, in nanoseconds.
    package var smallest: Int64
    /// The largest offset, in nanoseconds.
    package var largest: Int64
    /// The width of the range that holds the middle 90 % of the offsets, in nanoseconds.
    package var spread: Int64
    /// The change of the offset in parts per million, or `nil` below `leastForDrift` comparisons.
    ///
    /// It is positive if the host's clock is too fast.
    package var drift: Double?
    /// The standard deviation of the drift in parts per million; `nil` without a drift.
    package var driftDeviation: Double?
    /// The standard deviation of the offsets from the line of the drift, in nanoseconds; `nil` without a drift.
    package var jitter: Double?
    /// The Allan deviations for the intervals that have enough comparisons.
    package var allanDeviations: [AllanDeviation]

    /// The least number of comparisons for a drift.
    package static let leastForDrift = 10

    /// Computes the figures of a series; `nil` if it is empty.
    package init?(_ series: ClockSeries) {
        let points = series.points
        guard !points.isEmpty else { return nil }
        count = points.count
        let sorted = points.map(\.offset).sorted()
        median = Self.middle(sorted)
        (smallest, largest) = (sorted[0], sorted[sorted.count - 1])
        let tail = sorted.count / 20
        spread = sorted[sorted.count - 1 - tail].subtractingClamped(sorted[tail])
        if let line = OffsetLine(points) {
            (drift, jitter) = (line.slope * 1e6, line.deviation * 1e9)
            driftDeviation = line.slopeDeviation * 1e6
        }
        allanDeviations = AllanDeviation.all(of: points)
    }

    /// Whether the drift is more than what the scatter of so few comparisons can look like.
    package var isDriftKnown: Bool {
        guard let drift, let driftDeviation else { return false }
        return drift.magnitude >= 3 * driftDeviation
    }

    /// Returns the middle of sorted values: the mean of the middle two if their number is even, rounded down.
    private static func middle(_ sorted: [Int64]) -> Int64 {
        let upper = sorted[sorted.count / 2]
        guard sorted.count.isMultiple(of: 2) else { return upper }
        let lower = sorted[sorted.count / 2 - 1]
        return Int64((Int128(lower) + Int128(upper)) >> 1)
    }
}
