import Glibc

/// The correlation of errors that is estimated from the means of blocks, as that of errors of first order.
///
/// The likeness of such errors falls with the time between them to 1/e within the correlation time. Means of blocks that are not much
/// longer are alike, too, and the mean of all of them takes a part of the errors away, which makes them look more different than they
/// are. The estimate therefore compares the covariances of the blocks with those that errors of first order would show, less their
/// mean, and finds the correlation time with which they agree.
struct ErrorCorrelation: Hashable, Sendable {
    /// The number of correlation times that the blocks span.
    let times: Double
    /// The variance of the mean of all blocks, along one axis.
    let varianceOfMean: Double

    /// The lengths of a block that are looked for, in correlation times.
    private static let lengths = (shortest: 0.01, longest: 12.0)
    /// The least variance of the blocks in square metres; a receiver that holds one place shows no errors.
    private static let leastVariance = 1e-8

    /// Creates the estimate from the means of consecutive blocks along each axis, which are `nil` for an empty block.
    ///
    /// Neighbours tell short correlations best, and three neighbours together the long ones beside them. The longer correlation counts.
    /// The result is `nil` if the errors are alike for longer than the blocks last, or if there are none.
    init?(_ axes: [[Double?]]) {
        let estimates = [1, 3].compactMap { Self.estimate(axes, lags: $0) }
        guard estimates.count == 2, let longest = estimates.min(by: { $0.times < $1.times }) else { return nil }
        (times, varianceOfMean) = longest
    }

    private static func estimate(_ axes: [[Double?]], lags: Int) -> (times: Double, varianceOfMean: Double)? {
        guard let count = axes.first?.count, count > 2 * lags else { return nil }
        let deviations = axes.map { Self.deviations($0) }
        let variance = deviations.reduce(0) { $0 + covariance($1, lag: 0) } / Double(axes.count)
        guard variance > leastVariance else { return nil }
        let covariances = (1...lags).reduce(0) { sum, lag in
            sum + deviations.reduce(0) { $0 + covariance($1, lag: lag) } / Double(axes.count)
        }
        let likeness = covariances / Double(lags) / variance
        var (short, long) = (log(lengths.shortest), log(lengths.longest))
        guard likeness < FirstOrderBlocks(length: lengths.shortest, count: count).likeness(lags: lags) else {
            return nil
        }
        for _ in 0..<40 {
            let middle = (short + long) / 2
            if FirstOrderBlocks(length: exp(middle), count: count).likeness(lags: lags) > likeness {
                short = middle
            } else {
                long = middle
            }
        }
        let model = FirstOrderBlocks(length: exp(long), count: count)
        return (Double(count) * model.length, variance * model.varianceOfMean / model.variance)
    }

    private static func deviations(_ means: [Double?]) -> [Double?] {
        let known = means.compactMap(\.self)
        let mean = known.reduce(0, +) / Double(max(1, known.count))
        return means.map { $0.map { $0 - mean } }
    }

    /// Returns the sum of the products of values that are `lag` apart, divided by the number of values, as if none was absent.
    private static func covariance(_ values: [Double?], lag: Int) -> Double {
        var (sum, pairs) = (0.0, 0.0)
        for (first, second) in zip(values, values.dropFirst(lag)) {
            guard let first, let second else { continue }
            sum += first * second
            pairs += 1
        }
        guard pairs > 0 else { return 0 }
        return sum / pairs * Double(values.count - lag) / Double(values.count)
    }
}

/// The covariances that the means of blocks of errors of first order have, for errors of variance 1.
private struct FirstOrderBlocks {
    /// The length of a block in correlation times.
    let length: Double
    let count: Int
    /// The covariance of blocks by their distance, and its sums up to it.
    private let covariances: [Double]
    private let sums: [Double]
    /// The variance of the mean of all blocks.
    let varianceOfMean: Double

    init(length: Double, count: Int) {
        self.length = length
        self.count = count
        let end = exp(-length)
        let near = (1 - end) * (1 - end) / (length * length)
        covariances =
            [2 * (length - 1 + end) / (length * length)]
            + (1..<count).map { near * exp(-length * Double($0 - 1)) }
        var sum = 0.0
        sums = covariances.map { covariance in
            sum += covariance
            return sum
        }
        var all = 0.0
        for place in 0..<count { all += Self.sum(around: place, sums, covariances[0], count) }
        varianceOfMean = all / Double(count * count)
    }

    /// Returns the sum of the covariances of one block with each.
    private static func sum(around place: Int, _ sums: [Double], _ own: Double, _ count: Int) -> Double {
        sums[place] + sums[count - 1 - place] - own
    }

    /// Returns the mean product, over all blocks, of those that are `lag` apart, less the mean of all.
    private func covariance(lag: Int) -> Double {
        func withMean(_ place: Int) -> Double { Self.sum(around: place, sums, covariances[0], count) / Double(count) }
        var sum = 0.0
        for place in 0..<(count - lag) {
            sum += covariances[lag] - withMean(place) - withMean(place + lag) + varianceOfMean
        }
        return sum / Double(count)
    }

    /// The mean square of a block, less the mean of all.
    var variance: Double { covariance(lag: 0) }

    /// Returns the mean covariance of blocks up to `lags` apart, relative to their variance.
    func likeness(lags: Int) -> Double {
        (1...lags).reduce(0) { $0 + covariance(lag: $1) } / Double(lags) / variance
    }
}
