public import LocationCore

/// The scatter of a stationary receiver's positions around their mean.
public struct Scatter: Hashable, Sendable {
    /// The number of positions.
    public var count: Int
    package var duration: Duration
    /// The mean of the positions, which minimizes the sum of the squared distances along the ellipsoid.
    public var mean: Coordinate
    /// The error of the mean, or `nil` if the time is too short to tell.
    public var meanError: MeanError?
    /// The radius in metres around the mean that contains half of the positions.
    public var cep50: Double
    /// The radius in metres around the mean that contains 95 % of the positions.
    public var cep95: Double
    /// The root mean square of the distances from the mean in metres.
    public var drms: Double
    /// The radius in metres of the sphere that contains half of the positions with a height.
    public var sep: Double?
    /// The mean of the heights in metres.
    public var meanHeight: Double?
    /// The standard deviation of the heights in metres.
    package var heightDeviation: Double?
    /// The difference between the highest and the lowest height in metres.
    package var heightRange: Double?
    /// The median of the reported accuracies in metres.
    package var medianReported: Double?
    /// The share of the positions whose distance from the mean is within the reported accuracy, ideally 0.95.
    package var shareWithinReported: Double?

    package var twiceDRMS: Double { 2 * drms }
    /// The ratio of `cep95` to the reported accuracy; above 1 the receiver reports an accuracy that is too good.
    package var reportedRatio: Double? { medianReported.flatMap { $0 > 0 ? cep95 / $0 : nil } }
}
