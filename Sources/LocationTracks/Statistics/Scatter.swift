import Glibc
public import LocationCore

/// How the positions of a receiver that stands still lie around their mean.
public struct Scatter: Hashable, Sendable {
    /// How many positions.
    public var count: Int
    /// How long it stood.
    public var duration: Duration
    /// The mean of the positions: the sum of the squared distances along the ellipsoid is least from there.
    public var mean: Coordinate
    /// Half of the positions lie within so many metres of the mean.
    public var cep50: Double
    /// 95 % of the positions do.
    public var cep95: Double
    /// Root of the mean of the squared distances from the mean.
    public var drms: Double
    /// Half of the positions lie within so many metres in three dimensions; of those that have a height.
    public var sep: Double?
    /// The mean of the heights.
    public var meanHeight: Double?
    /// Standard deviation of the heights.
    public var heightDeviation: Double?
    /// Between the lowest and the highest.
    public var heightRange: Double?
    /// The accuracy that the receiver reported, in the middle of all reports.
    public var medianReported: Double?
    /// The share of the positions that lie no farther from the mean than the receiver reported, which should be 0.95.
    public var shareWithinReported: Double?

    /// Twice the `drms`.
    public var twiceDRMS: Double { 2 * drms }
    /// How many times the reported accuracy what 95 % keep to is; more than 1 where the receiver promises too much.
    public var reportedRatio: Double? { medianReported.flatMap { $0 > 0 ? cep95 / $0 : nil } }
}

/// Collects the positions of one standstill.
///
/// Mean, DRMS and the figures of the height are of all positions. CEP, SEP and the comparison with what was reported are of all
/// up to `limit`, and of a random sample of so many beyond that, which makes them uncertain by a tenth of a percent of rank.
struct Standstill: Sendable {
    static let limit = 131_072

    /// A position as seen from the first, metres.
    struct Offset: Sendable {
        var east: Float
        var north: Float
        /// NaN where it is unknown, so that a position is 16 bytes.
        var height: Float
        var reported: Float
    }

    private(set) var count = 0
    private(set) var offsets: [Offset] = []
    private(set) var origin: Coordinate?
    private var originHeight: Double?
    private var began: Moment?
    private var ended: Moment?
    private var sumEast = 0.0
    private var sumNorth = 0.0
    private var sumSquares = 0.0
    private var heights = Distribution()
    // A fixed seed gives the same figures for the same session.
    private var random = SplitMix64(seed: 0)

    mutating func take(_ location: Location, at moment: Moment) {
        let origin = origin ?? location.coordinate
        self.origin = origin
        began = began ?? moment
        ended = moment
        let way = Geodesic(from: origin, to: location.coordinate)
        let east = way.distance * sin(way.initialBearing * .pi / 180)
        let north = way.distance * cos(way.initialBearing * .pi / 180)
        count += 1
        sumEast += east
        sumNorth += north
        sumSquares += east * east + north * north
        let height = location.altitudeMSL ?? location.altitudeHAE
        heights.take(height)
        originHeight = originHeight ?? height
        let offset = Offset(
            east: Float(east), north: Float(north), height: height.map { Float($0 - (originHeight ?? 0)) } ?? .nan,
            reported: location.horizontalAccuracy.map(Float.init) ?? .nan)
        if offsets.count < Self.limit {
            offsets.append(offset)
        } else {
            // Each position has the same chance to be in the sample.
            let place = random.below(count)
            if place < offsets.count { offsets[place] = offset }
        }
    }

    /// How long it has lasted.
    var duration: Duration { began.flatMap { began in ended.map { began.duration(to: $0) } } ?? .zero }

    /// Whether it has lasted longer than another, or has more positions in the same time.
    func isLonger(than other: Standstill) -> Bool { (duration, count) > (other.duration, other.count) }

    var centre: (east: Double, north: Double) {
        (sumEast / Double(max(1, count)), sumNorth / Double(max(1, count)))
    }

    /// How far a position lies from the mean so far; nothing where there is none.
    func distance(of coordinate: Coordinate) -> Double? { mean?.distance(to: coordinate) }

    var mean: Coordinate? {
        let centre = centre
        return origin?.destination(
            distance: (centre.east * centre.east + centre.north * centre.north).squareRoot(),
            bearing: atan2(centre.east, centre.north) * 180 / .pi)
    }

    var scatter: Scatter? {
        guard let mean, count > 1 else { return nil }
        let centre = centre
        let squares = sumSquares / Double(count) - centre.east * centre.east - centre.north * centre.north
        var radii: [Double] = []
        var spheres: [Double] = []
        var reported = Distribution()
        var within = 0
        let known = offsets.filter { !$0.height.isNaN }
        let middle = known.map { Double($0.height) }.reduce(0, +) / Double(max(1, known.count))
        for offset in offsets {
            let east = Double(offset.east) - centre.east
            let north = Double(offset.north) - centre.north
            let radius = (east * east + north * north).squareRoot()
            radii.append(radius)
            if !offset.height.isNaN {
                let up = Double(offset.height) - middle
                spheres.append((radius * radius + up * up).squareRoot())
            }
            if !offset.reported.isNaN {
                reported.take(Double(offset.reported))
                if radius <= Double(offset.reported) { within += 1 }
            }
        }
        radii.sort()
        spheres.sort()
        let range = heights.maximum.flatMap { high in heights.minimum.map { high - $0 } }
        return Scatter(
            count: count, duration: duration, mean: mean,
            cep50: Distribution.quantile(of: radii, 0.5) ?? 0, cep95: Distribution.quantile(of: radii, 0.95) ?? 0,
            drms: max(0, squares).squareRoot(), sep: Distribution.quantile(of: spheres, 0.5),
            meanHeight: heights.mean, heightDeviation: heights.deviation, heightRange: range,
            medianReported: reported.median,
            shareWithinReported: reported.count > 0 ? Double(within) / Double(reported.count) : nil)
    }
}
