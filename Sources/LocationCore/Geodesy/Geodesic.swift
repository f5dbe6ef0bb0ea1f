/// The shortest way between two coordinates on the WGS 84 ellipsoid.
///
/// Distances are right to a hundredth of a millimetre everywhere, between antipodal points, at the poles and over the
/// date line included. Where there are several shortest ways it is one of them.
public struct Geodesic: Hashable, Sendable {
    /// Length in metres.
    public let distance: Double
    /// Azimuth at the start, in degrees clockwise from north, 0 ..< 360; 0 where both ends coincide.
    public let initialBearing: Double
    /// Azimuth at the end, going on in the same direction, 0 ..< 360.
    public let finalBearing: Double

    /// The shortest way from one coordinate to another.
    public init(from start: Coordinate, to end: Coordinate) {
        let chord = Chord(from: start, to: end)
        let azimuths: (initial: Double, final: Double)
        if chord.squared < Geodesic.directionLimit * Geodesic.directionLimit {
            distance = chord.arc
            azimuths = chord.azimuths
        } else {
            let solution = GeodesicInverse(from: start, to: end)
            distance = solution.distance
            azimuths = (solution.initial.degrees, solution.final.degrees)
        }
        initialBearing = Geodesic.bearing(azimuths.initial)
        finalBearing = Geodesic.bearing(azimuths.final)
    }

    /// Up to so many metres the chord gives the length to 0.002 mm.
    static let lengthLimit = 150_000.0
    /// Up to so many metres the chord gives the direction to 0.01 mm at the other end.
    static let directionLimit = 8_000.0

    /// A compass direction, 0 ..< 360, of an azimuth within ±360°.
    private static func bearing(_ azimuth: Double) -> Double {
        let turned = azimuth < 0 ? azimuth + 360 : azimuth
        // What is barely below zero rounds to 360; a negative zero becomes a zero.
        return turned >= 360 ? 0 : abs(turned)
    }
}

extension Coordinate {
    /// Metres to another coordinate along the surface of the WGS 84 ellipsoid.
    public func distance(to other: Coordinate) -> Double {
        let chord = Chord(from: self, to: other)
        guard chord.squared < Geodesic.lengthLimit * Geodesic.lengthLimit else {
            return GeodesicInverse(from: self, to: other).distance
        }
        return chord.arc
    }

    /// The direction in which to set out for another coordinate, in degrees clockwise from north, 0 ..< 360.
    public func bearing(to other: Coordinate) -> Double {
        Geodesic(from: self, to: other).initialBearing
    }
}
