/// The length and the azimuth at the start of the shortest path between two points that are not close together.
struct GeodesicInverse {
    let distance: Double
    let initial: Angle

    init(from start: Coordinate, to end: Coordinate) {
        // By symmetry the problem is reduced to a start in the south, no nearer to the equator than the end, which lies
        // to its east.
        let turn = longitudeDifference(start, end)
        let swapped = abs(start.latitude) < abs(end.latitude)
        let (first, second) = swapped ? (end.latitude, start.latitude) : (start.latitude, end.latitude)
        let mirrored = first > 0
        let problem = InverseProblem(
            from: Ellipsoid.reduced(Angle(degrees: mirrored ? -first : first)),
            to: Ellipsoid.reduced(Angle(degrees: mirrored ? -second : second)),
            turn: Angle(degrees: abs(turn)))
        let way = problem.shortestWay()

        distance = way.length
        let away = swapped ? way.end : way.start
        let eastwards: Double = turn < 0 ? -1 : 1
        let northwards: Double = swapped != mirrored ? -1 : 1
        initial = Angle(sine: eastwards * away.sine, cosine: northwards * away.cosine)
    }
}

/// The inverse problem between two reduced latitudes, the first in the south and no nearer to the equator than the
/// second.
///
/// The only unknown is the azimuth at the start: a trial azimuth leads to the other latitude at some longitude, which
/// increases with the azimuth all the way from 0° to 180° (Karney 2013). Newton's method therefore stays between two
/// bounds, bisects if a step would leave them, and also converges for nearly antipodal points.
private struct InverseProblem {
    let from: Angle
    let to: Angle
    let turn: Angle

    init(from: Angle, to: Angle, turn: Angle) {
        // Slightly south of the equator, so that a geodesic between two points on the equator has a node to count from.
        self.from = Angle(sine: min(from.sine, -1e-100), cosine: from.cosine)
        self.to = to
        self.turn = turn
    }

    func shortestWay() -> GeodesicByAzimuth {
        // On an oblate earth a meridian is always a shortest path, even across a pole.
        if turn.sine == 0 || from.cosine <= 1e-100 {
            return GeodesicByAzimuth(from, to, azimuth: turn, final: Angle(sine: 0, cosine: 1))
        }
        if from.sine == -1e-100, turn.radians <= Ellipsoid.axisRatio * .pi {
            return GeodesicByAzimuth(alongEquator: turn.radians)
        }
        return wayByAzimuth()
    }

    private func wayByAzimuth() -> GeodesicByAzimuth {
        var lower = Angle(sine: 1e-100, cosine: 1)
        var upper = Angle(sine: 1e-100, cosine: -1)
        var way = trial(firstGuess())
        // Newton's method needs three or four iterations; the limit is enough for bisection alone.
        for _ in 0..<70 {
            let error = excess(of: way)
            if abs(error) < 4e-15 { break }
            if error > 0 { upper = way.start } else { lower = way.start }

            let turned = way.start + Angle(radians: clampedStep(-error / way.longitudeByAzimuth(to)))
            var next = Angle(towards: turned.sine, turned.cosine)
            if !(next.isBeyond(lower) && upper.isBeyond(next)) {
                next = Angle(towards: lower.sine + upper.sine, lower.cosine + upper.cosine)
            }
            way = trial(next)
        }
        return way
    }

    /// Returns the azimuth on the auxiliary sphere, with the longitude stretched as at the mean latitude.
    private func firstGuess() -> Angle {
        let cosine = (from.cosine + to.cosine) / 2
        let stretch = (1 - Ellipsoid.eccentricitySquared * cosine * cosine).squareRoot()
        let stretched = turn.radians / stretch
        // Between nearly antipodal points the sphere gives no estimate of the azimuth.
        guard stretched < 0.99 * .pi else { return Angle(sine: 1, cosine: 0) }
        let sphere = Angle(radians: stretched)
        return Angle(towards: to.cosine * sphere.sine, from.cosine * to.sine - from.sine * to.cosine * sphere.cosine)
    }

    /// Returns the step, or π if it is zero, NaN or at least half a turn: π leaves the bounds and so forces a
    /// bisection.
    private func clampedStep(_ step: Double) -> Double {
        abs(step) > 0 && abs(step) < .pi ? step : .pi
    }

    /// Returns the geodesic with a given azimuth at the start, as far as the other latitude.
    private func trial(_ azimuth: Angle) -> GeodesicByAzimuth {
        // Clairaut: sin α · cos β is constant along a geodesic. The cosine is computed from differences to keep its
        // digits.
        let sine = azimuth.sine * from.cosine / to.cosine
        let difference =
            from.cosine < -from.sine
            ? (to.cosine - from.cosine) * (to.cosine + from.cosine)
            : (from.sine - to.sine) * (from.sine + to.sine)
        let along = azimuth.cosine * from.cosine
        let cosine = max(0, along * along + difference).squareRoot() / to.cosine
        return GeodesicByAzimuth(from, to, azimuth: azimuth, final: Angle(sine: sine, cosine: cosine))
    }

    /// Returns how far east of the target a geodesic ends, in radians.
    private func excess(of way: GeodesicByAzimuth) -> Double { (way.turn - turn).radians - way.longitudeDefect }
}

/// A geodesic between two reduced latitudes with a known azimuth at the start.
private struct GeodesicByAzimuth {
    let start: Angle
    let end: Angle
    /// The length in radians on the auxiliary sphere.
    let arc: Double
    /// The longitude difference on the auxiliary sphere.
    let turn: Angle
    private let series: GeodesicSeries
    private let startArc: Angle
    private let endArc: Angle

    init(_ from: Angle, _ to: Angle, azimuth: Angle, final: Angle) {
        start = azimuth
        end = final
        let atNode = azimuth.atNode(from: from)
        series = GeodesicSeries(azimuthAtNode: atNode)
        startArc = Angle(towards: from.sine, azimuth.cosine * from.cosine)
        endArc = Angle(towards: to.sine, final.cosine * to.cosine)
        // The geodesic runs eastwards, so a slightly negative value is a rounding error.
        let along = endArc - startArc
        arc = arcTangent(max(0, along.sine), along.cosine)
        let startTurn = Angle(sine: atNode.sine * from.sine, cosine: azimuth.cosine * from.cosine)
        let endTurn = Angle(sine: atNode.sine * to.sine, cosine: final.cosine * to.cosine)
        let eastwards = endTurn - startTurn
        turn = Angle(sine: max(0, eastwards.sine), cosine: eastwards.cosine)
    }

    /// Creates the geodesic along the equator over `turn` radians of longitude.
    init(alongEquator turn: Double) {
        let east = Angle(sine: 1, cosine: 0)
        (start, end) = (east, east)
        arc = turn / Ellipsoid.axisRatio
        startArc = Angle(sine: 0, cosine: 1)
        endArc = Angle(radians: arc)
        self.turn = Angle(radians: turn)
        series = GeodesicSeries(azimuthAtNode: east)
    }

    var length: Double { series.metresPerRadian * (arc + series.length(endArc) - series.length(startArc)) }

    var longitudeDefect: Double { series.longitudeDefect(from: startArc, to: endArc, across: arc) }

    /// The reduced length: the distance between neighbouring geodesics at the end, in polar radii per radian of azimuth
    /// at the start.
    private var reducedLength: Double {
        let first = length / Ellipsoid.polarRadius
        let parting = first - series.secondLength(from: startArc, to: endArc, across: arc)
        let startScale = (1 + series.kSquared * startArc.sine * startArc.sine).squareRoot()
        let endScale = (1 + series.kSquared * endArc.sine * endArc.sine).squareRoot()
        return endScale * startArc.cosine * endArc.sine - startScale * startArc.sine * endArc.cosine
            - startArc.cosine * endArc.cosine * parting
    }

    /// Returns the derivative of the longitude at the end, on the latitude `to`, by the azimuth at the start.
    func longitudeByAzimuth(_ to: Angle) -> Double {
        Ellipsoid.axisRatio * reducedLength / (end.cosine * to.cosine)
    }
}

extension Angle {
    /// Returns whether an azimuth between 0° and 180° is greater than another one.
    fileprivate func isBeyond(_ other: Angle) -> Bool { sine * other.cosine > cosine * other.sine }
}
