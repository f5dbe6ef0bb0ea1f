import Glibc
import LocationCore

/// How measured numbers are distributed, in bounded memory.
///
/// Count, mean and extremes are exact. Quantiles are exact too for as many values as `exactLimit`; of more they are right to
/// half a percent of the value, as the values are then only counted in bins whose bounds grow by one percent.
public struct Distribution: Sendable {
    /// For so many values quantiles are exact.
    public static let exactLimit = 16_384

    /// How many values there are.
    public private(set) var count = 0
    /// The least value.
    public private(set) var minimum: Double?
    /// The greatest value.
    public private(set) var maximum: Double?

    private var average = 0.0
    private var squares = 0.0
    private var values: [Double] = []
    private var bins = Bins()

    /// How many values fell into each bin, from the lowest to the highest that had one.
    private struct Bins: Sendable {
        private(set) var lowest = 0
        private(set) var counts: [Int] = []

        /// Counts a value; the bins between it and the others begin with none.
        mutating func take(_ bin: Int) {
            if counts.isEmpty { lowest = bin }
            if bin < lowest {
                counts.insert(contentsOf: repeatElement(0, count: lowest - bin), at: 0)
                lowest = bin
            }
            while counts.count <= bin - lowest { counts.append(0) }
            counts[bin - lowest] += 1
        }
    }

    /// A distribution of nothing yet.
    public init() {}

    /// Takes a value in; what is no finite number is passed over.
    public mutating func take(_ value: Double) {
        guard value.isFinite else { return }
        count += 1
        minimum = min(minimum ?? value, value)
        maximum = max(maximum ?? value, value)
        // Welford's way, which does not lose small differences of large numbers.
        let difference = value - average
        average += difference / Double(count)
        squares += difference * (value - average)
        guard bins.counts.isEmpty else { return bins.take(Self.bin(value)) }
        values.append(value)
        if values.count > Self.exactLimit {
            for value in values { bins.take(Self.bin(value)) }
            values = []
        }
    }

    /// Takes a value in, if it is known.
    public mutating func take(_ value: Double?) {
        if let value { take(value) }
    }

    /// The mean, or `nil` of nothing.
    public var mean: Double? { count > 0 ? average : nil }
    /// The standard deviation of the values as the whole population.
    public var deviation: Double? { count > 0 ? (squares / Double(count)).squareRoot() : nil }
    /// The value in the middle.
    public var median: Double? { quantile(0.5) }

    /// The value below which a share of all lies (0 … 1), with a straight line between neighbours; `nil` of nothing.
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

    /// The same of sorted values.
    static func quantile(of sorted: [Double], _ share: Double) -> Double? {
        guard let last = sorted.indices.last else { return nil }
        let rank = max(0, min(1, share)) * Double(last)
        let below = Int(clamping: rank)
        guard below < last else { return sorted[last] }
        return sorted[below] + (rank - Double(below)) * (sorted[below + 1] - sorted[below])
    }

    // Bins of 1 % on both sides of a bin for what is as good as zero.
    private static let least = 1e-6
    private static let growth = log(1.01)

    private static func bin(_ value: Double) -> Int {
        let size = abs(value)
        guard size > least else { return 0 }
        // A difference of logarithms, as the quotient of the numbers can be infinite.
        let number = 1 + Int(clamping: ((log(size) - log(least)) / growth).rounded(.down))
        return value < 0 ? -number : number
    }

    private static func middle(of bin: Int) -> Double {
        guard bin != 0 else { return 0 }
        let size = least * exp((Double(abs(bin)) - 0.5) * growth)
        return bin < 0 ? -size : size
    }
}
