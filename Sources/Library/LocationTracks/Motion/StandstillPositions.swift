import LocationCore

/// The positions of one standstill.
///
/// Mean, DRMS and the figures of the height cover all positions. CEP, SEP and the comparison with the reported accuracy
/// cover all positions up to `limit`, and beyond it a random sample of that size, which makes them uncertain by a tenth
/// of a percent of rank.
struct StandstillPositions: Sendable {
    static let limit = 131_072

    /// A position relative to the first, in metres.
    private struct Offset: Sendable {
        var east: Float
        var north: Float
        /// NaN if unknown, so that a position takes 16 bytes.
        var height: Float
        var reported: Float
    }

    private var average = PositionMean()
    private var offsets: [Offset] = []
    private(set) var originHeight: Double?
    /// The first speeds, which belong to motion if the standstill turns out to have been a walk.
    private(set) var speeds: [Double] = []
    private static let speedLimit = 100
    private var began: Int64?
    private var ended: Int64 = 0
    private var sumSquares = 0.0
    private var heights = Distribution()
    // A fixed seed gives the same figures for the same session every time.
    private var random = SplitMix64(seed: 0)

    /// Processes a position at a time in nanoseconds.
    mutating func process(_ location: Location, at elapsed: Int64, speed: Double?) {
        if let speed, speeds.count < Self.speedLimit { speeds.append(speed) }
        began = began ?? elapsed
        ended = elapsed
        let place = average.add(location, at: duration.inSeconds)
        sumSquares += place.east * place.east + place.north * place.north
        let height = location.altitude
        originHeight = originHeight ?? height
        heights.process(height)
        let offset = Offset(
            east: Float(place.east), north: Float(place.north),
            height: height.map { Float($0 - (originHeight ?? 0)) } ?? .nan,
            reported: location.horizontalAccuracy.map(Float.init) ?? .nan)
        if offsets.count < Self.limit {
            offsets.append(offset)
        } else {
            // In a reservoir sample each position has the same chance to be included.
            let place = random.below(count)
            if place < offsets.count { offsets[place] = offset }
        }
    }

    var count: Int { average.count }

    var duration: Duration { .nanoseconds(began.map { ended - $0 } ?? 0) }

    /// The mean of the positions, if there are any.
    var mean: Coordinate? { average.coordinate }

    /// Returns whether it lasted longer than another, or has more positions in the same time.
    func isLonger(than other: StandstillPositions) -> Bool { (duration, count) > (other.duration, other.count) }

    /// The mean relative to the first position.
    var centre: GroundOffset { average.centre }

    /// The positions relative to their mean.
    var places: [GroundOffset] {
        let centre = centre
        return offsets.map { GroundOffset(east: Double($0.east), north: Double($0.north)) - centre }
    }

    var scatter: Scatter? {
        guard let mean, count > 1 else { return nil }
        let squares = sumSquares / Double(count) - centre.east * centre.east - centre.north * centre.north
        let radii = places.map(\.length)
        let positions = zip(offsets, radii)
        let known = positions.filter { !$0.0.height.isNaN }
        let middle = known.reduce(0.0) { $0 + Double($1.0.height) } / Double(max(1, known.count))
        let spheres = known.map { offset, radius in
            let up = Double(offset.height) - middle
            return (radius * radius + up * up).squareRoot()
        }.sorted()
        let told = positions.filter { !$0.0.reported.isNaN }
        var reported = Distribution()
        for (offset, _) in told { reported.process(Double(offset.reported)) }
        let within = told.count { offset, radius in radius <= Double(offset.reported) }
        let sorted = radii.sorted()
        let range = heights.maximum.flatMap { high in heights.minimum.map { high - $0 } }
        return Scatter(
            count: count, duration: duration, mean: mean, meanError: average.error,
            cep50: Distribution.quantile(of: sorted, 0.5) ?? 0, cep95: Distribution.quantile(of: sorted, 0.95) ?? 0,
            drms: max(0, squares).squareRoot(), sep: Distribution.quantile(of: spheres, 0.5),
            meanHeight: heights.mean, heightDeviation: heights.deviation, heightRange: range,
            medianReported: reported.median.map { Float($0).decimal },
            shareWithinReported: reported.count > 0 ? Double(within) / Double(reported.count) : nil)
    }
}
