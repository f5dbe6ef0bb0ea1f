/// The straight line through the earth between two near points, from which the way on the surface is had without
/// iteration.
///
/// Its direction is that of the normal section, which leaves the geodesic's by 10⁻⁹ rad over 8 km.
struct Chord {
    /// Square of the length.
    let squared: Double
    private let from: Angle
    private let to: Angle
    /// Distances of both ends from the earth's axis.
    private let fromAxis: Double
    private let toAxis: Double
    private let halfTurn: Angle
    /// How much farther along the axis, northwards, and away from it the second end is.
    private let rise: Double
    private let outwards: Double
    private let meanRadius: Double

    @inline(__always) init(from start: Coordinate, to end: Coordinate) {
        from = Angle(degrees: start.latitude)
        to = Angle(degrees: end.latitude)
        // Of the difference, not of each, so that nothing cancels between points metres apart.
        halfTurn = Angle(degrees: longitudeDifference(start, end) / 2)
        let startRadius = Chord.transverseRadius(from.sine)
        let endRadius = Chord.transverseRadius(to.sine)
        fromAxis = startRadius * from.cosine
        toAxis = endRadius * to.cosine
        let flat = 1 - Ellipsoid.eccentricitySquared
        rise = flat * (endRadius * to.sine - startRadius * from.sine)
        outwards = toAxis - fromAxis
        squared = rise * rise + outwards * outwards + 4 * fromAxis * toAxis * halfTurn.sine * halfTurn.sine
        meanRadius = (startRadius + endRadius) / 2
    }

    /// Radius of curvature across the meridian.
    @inline(__always) private static func transverseRadius(_ sine: Double) -> Double {
        Ellipsoid.equatorialRadius / (1 - Ellipsoid.eccentricitySquared * sine * sine).squareRoot()
    }

    /// Metres along the surface: the arc over the chord with the curvature of the section in its middle.
    @inline(__always) var arc: Double {
        guard squared > 0 else { return 0 }
        let curvature = 1 + Ellipsoid.secondEccentricitySquared * rise * rise / squared
        let bend = squared * curvature * curvature / (meanRadius * meanRadius)
        return squared.squareRoot() * (1 + bend * (1 / 24.0 + bend * (3 / 640.0)))
    }

    /// Azimuths in degrees, −180 … 180, at the first end and, going on, at the second; north where the ends coincide.
    var azimuths: (initial: Double, final: Double) {
        let turn = 2 * halfTurn.sine * halfTurn.cosine
        let lost = 2 * halfTurn.sine * halfTurn.sine
        let initial = arcTangent(toAxis * turn, rise * from.cosine - (outwards - toAxis * lost) * from.sine)
        let final = arcTangent(fromAxis * turn, rise * to.cosine - (outwards + fromAxis * lost) * to.sine)
        return (initial * (180 / .pi), final * (180 / .pi))
    }
}

/// Degrees from one meridian to another the short way, −180 … 180.
@inline(__always) func longitudeDifference(_ start: Coordinate, _ end: Coordinate) -> Double {
    let difference = end.longitude - start.longitude
    return difference > 180 ? difference - 360 : difference < -180 ? difference + 360 : difference
}
