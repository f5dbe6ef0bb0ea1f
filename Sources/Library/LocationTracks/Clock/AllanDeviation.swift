import LocationCore

/// The overlapping Allan deviation of a clock: how much its rate differs between one interval and the next.
package struct AllanDeviation: Hashable, Sendable {
    /// The length of the interval, in seconds.
    package var interval: Int
    /// The deviation, without a unit: seconds per second.
    package var deviation: Double

    /// The intervals, in seconds.
    private static let intervals = [1, 10, 100, 1000]
    private static let leastTerms = 10

    /// Computes the deviations of offsets that come once a second, for the intervals that have enough of them.
    ///
    /// A term needs three offsets that are one interval apart; a second without an offset leaves its terms out.
    static func all(of points: [ClockSeries.Point]) -> [AllanDeviation] {
        guard let first = points.first else { return [] }
        var offsets: [Int64: Double] = [:]
        for point in points {
            // Relative to the first point, so that nanoseconds are not lost in large numbers.
            let second = Int64(clamping: (Double(point.time.subtractingClamped(first.time)) * 1e-9).rounded())
            offsets[second] = Double(point.offset.subtractingClamped(first.offset)) * 1e-9
        }
        let seconds = offsets.keys.sorted()
        return intervals.compactMap { interval in
            var (sum, terms) = (0.0, 0)
            for second in seconds {
                guard let start = offsets[second], let middle = offsets[second + Int64(interval)],
                    let end = offsets[second + 2 * Int64(interval)]
                else { continue }
                let change = end - 2 * middle + start
                sum += change * change
                terms += 1
            }
            guard terms >= leastTerms else { return nil }
            let variance = sum / (2 * Double(terms) * Double(interval * interval))
            return AllanDeviation(interval: interval, deviation: variance.squareRoot())
        }
    }
}
