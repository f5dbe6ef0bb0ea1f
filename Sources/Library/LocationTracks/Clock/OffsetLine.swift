/// The line of least squares through the offsets of a series.
struct OffsetLine {
    /// The change of the offset, in seconds per second.
    let slope: Double
    /// The standard deviation of the slope that the scatter of the offsets causes.
    let slopeDeviation: Double
    /// The standard deviation of the offsets from the line, in seconds.
    let deviation: Double

    init?(_ points: [ClockSeries.Point]) {
        guard points.count >= ClockFigures.leastForDrift else { return nil }
        // Relative to the first point, so that nanoseconds are not lost in large numbers.
        let x = points.map { Double($0.time.subtractingClamped(points[0].time)) * 1e-9 }
        let y = points.map { Double($0.offset.subtractingClamped(points[0].offset)) * 1e-9 }
        let count = Double(points.count)
        let (meanX, meanY) = (x.reduce(0, +) / count, y.reduce(0, +) / count)
        var (xx, xy) = (0.0, 0.0)
        for (x, y) in zip(x, y) {
            xx += (x - meanX) * (x - meanX)
            xy += (x - meanX) * (y - meanY)
        }
        guard xx > 0 else { return nil }
        let slope = xy / xx
        let squares = zip(x, y).reduce(0.0) { sum, point in
            let residual = point.1 - meanY - slope * (point.0 - meanX)
            return sum + residual * residual
        }
        self.slope = slope
        deviation = (squares / (count - 2)).squareRoot()
        slopeDeviation = deviation / xx.squareRoot()
    }
}
