package import LocationCore

/// The statistics of the errors of positions against a reference point.
package struct ReferenceFigures: Sendable {
    package let point: ReferencePoint
    /// The errors on the ground in metres; their median is CEP50, and their quantile at 0.95 is CEP95.
    package private(set) var distances = Distribution()
    /// The errors of the height in metres, upwards.
    package private(set) var heights = Distribution()
    /// The mean of the errors in metres; the distance of the mean position from the point.
    package private(set) var mean: (east: Double, north: Double) = (0, 0)
    private var first: Duration?
    private var last = Duration.zero
    // The sums of a line of least squares, relative to the means.
    private var meanTime = 0.0
    private var squaredTime = 0.0
    private var timeByEast = 0.0
    private var timeByNorth = 0.0

    /// The time that a drift needs at least, and the number of positions.
    private static let leastTime = Duration.seconds(60)
    private static let leastCount = 10

    package init(_ point: ReferencePoint) { self.point = point }

    package mutating func process(_ location: Location, at moment: Moment) {
        let error = point.error(of: location)
        distances.process(error.distance)
        heights.process(error.up)
        first = first ?? moment.elapsed
        last = moment.elapsed
        let time = (last - (first ?? last)).inSeconds
        let count = Double(distances.count)
        // Welford's method does not lose small differences of large numbers.
        let step = time - meanTime
        meanTime += step / count
        squaredTime += step * (time - meanTime)
        timeByEast += (time - meanTime) * (error.east - mean.east)
        timeByNorth += (time - meanTime) * (error.north - mean.north)
        mean.east += (error.east - mean.east) / count
        mean.north += (error.north - mean.north) / count
    }

    /// The speed in metres per hour at which the positions move away from the point, or `nil` before a minute.
    package var drift: (east: Double, north: Double)? {
        guard let first, last - first >= Self.leastTime, distances.count >= Self.leastCount, squaredTime > 0 else {
            return nil
        }
        return (timeByEast / squaredTime * 3600, timeByNorth / squaredTime * 3600)
    }
}
