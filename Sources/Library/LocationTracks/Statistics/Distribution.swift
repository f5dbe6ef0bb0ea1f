import Glibc
import LocationCore

/// The distribution of measured numbers, in bounded memory.
///
/// Count, mean and extremes are exact. Quantiles are exact for up to `exactLimit` values; beyond that the values are
/// only counted in bins whose bounds grow by one percent, so quantiles are accurate to half a percent of the value.
public struct Distribution: Sendable {
    /// The number of values up to which quantiles are exact.
    package static let exactLimit = 16_384

    /// The number of values.
    public private(set) var count = 0
    /// The smallest value.
    public private(set) var minimum: Double?
    /// The largest value.
    public private(set) var maximum: Double?

    private var average = 0.0
    private var squares = 0.0
    private var values: [Double] = []
    private var bins = Bins()

    /// The number of values in each bin, from the lowest to the highest bin in use.
    private struct Bins: Sendable {
        private(set) var lowest = 0
        private(set) var counts: [Int] = []

        /// Counts a value, and adds empty bins between it and the others.
        mutating func process(_ bin: Int) {
            if counts.isEmpty { lowest = bin }
            if bin < lowest {
                counts.insert(contentsOf: repeatElement(0, count: lowest - bin), at: 0)
                lowest = bin
            }
            while counts.count <= bin - lowest { counts.append(0) }
            counts[bin - lowest] += 1
        }
    }

    /// The number of values up to which the quantiles of this distribution are exact.
    private let limit: Int

    /// Creates an empty distribution, which takes less memory the fewer values have exact quantiles.
    package init(exactLimit: Int = Distribution.exactLimit) { limit = exactLimit }

    /// Adds a value; values that are not finite are ignored.
    package mutating func process(_ value: Double) {
        guard value.isFinite else { return }
        count += 1
        minimum = min(minimum ?? value, value)
        maximum = max(maximum ?? value, value)
        // Welford's method does not lose small differences of large numbers.
        let difference = value - average
        average += difference / Double(count)
        squares += difference * (value - average)
        guard bins.counts.isEmpty else { return bins.process(Self.bin(value)) }
        values.append(value)
        if values.count > limit {
            for value in values { bins.process(Self.bin(value)) }
            values = []
        }
    }

    package mutating func process(_ value: Double?) {
        if let value { process(value) }
    }

    /// The mean, or `nil` if there are no values.
    public var mean: Double? { count > 0 ? average : nil }
    /// The standard deviation of the values as a whole population, or `nil` if there are no values.
    public var deviation: Double? { count > 0 ? (squares / Double(count)).squareRoot() : nil }
    /// The median, or `nil` if there are no values.
    public var median: Double? { quantile(0.5) }

    /// Returns the quantile at a share (0 … 1), interpolated linearly; `nil` if there are no values.
    public func quantile(_ share: Double) -> Double? {
        guard count > 0, let minimum, let maximum else { return nil }
        if bins.counts.isEmpty { return Self.quantile(of: values.sorted(), share) }
        let rank = max(0, min(1, share)) * Double(count - 1)
        var below = 0
        for (index, number) in bins.counts.enumerated() {
            below += number
            if Double(below) > rank { return min(maximum, max(minimum, Self.middle(of: bins.lowest + index))) }
        }
        return maximum
    }

    package static func quantile(of sorted: [Double], _ share: Double) -> Double? {
        guard let last = sorted.indices.last else { return nil }
        let rank = max(0, min(1, share)) * Double(last)
        let below = Int(clamping: rank)
        guard below < last else { return sorted[last] }
        return sorted[below] + (rank - Double(below)) * (sorted[below + 1] - sorted[below])
    }

    // Bins of 1 % lie on both sides of one bin for values that are practically zero.
    private static let least = 1e-6
    private static let growth = log(1.01)

    private static func bin(_ value: Double) -> Int {
        let size = abs(value)
        guard size > least else { return 0 }
        // The difference of the logarithms is finite, unlike the quotient of the values.
        let number = 1 + Int(clamping: ((log(size) - log(least)) / growth).rounded(.down))
        return value < 0 ? -number : number
    }

    private static func middle(of bin: Int) -> Double {
        guard bin != 0 else { return 0 }
        let size = least * exp((Double(abs(bin)) - 0.5) * growth)
        return bin < 0 ? -size : size
    }
}
