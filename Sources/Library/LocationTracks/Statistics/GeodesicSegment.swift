import Glibc
import LocationCore

/// A position on the ellipsoid with its geocentric vector and the direction up.
struct EarthVector: Sendable {
    let coordinate: Coordinate
    /// The position in metres from the centre of the earth.
    let position: SIMD3<Double>
    let up: SIMD3<Double>

    init(_ coordinate: Coordinate) {
        self.coordinate = coordinate
        let (latitude, longitude) = (coordinate.latitude * .pi / 180, coordinate.longitude * .pi / 180)
        up = SIMD3(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
        let squared = Ellipsoid.eccentricitySquared
        let radius = Ellipsoid.equatorialRadius / (1 - squared * up.z * up.z).squareRoot()
        position = radius * SIMD3(up.x, up.y, (1 - squared) * up.z)
    }
}

/// The geodesic between two positions, to which distances of other positions are measured.
struct GeodesicSegment: Sendable {
    private let start: EarthVector
    private let end: EarthVector
    private let chord: SIMD3<Double>
    private let chordSquared: Double
    /// The horizontal unit vector perpendicular to the segment.
    private let across: SIMD3<Double>

    /// The length in metres up to which the vertical plane through both ends is accurate to a millimetre.
    private static let planar = 20_000.0

    init(from start: EarthVector, to end: EarthVector) {
        self.start = start
        self.end = end
        chord = end.position - start.position
        chordSquared = (chord * chord).sum()
        let up = start.up + end.up
        let normal = SIMD3(
            up.y * chord.z - up.z * chord.y, up.z * chord.x - up.x * chord.z, up.x * chord.y - up.y * chord.x)
        let length = (normal * normal).sum().squareRoot()
        across = length > 0 ? normal / length : .zero
    }

    /// Returns the distance in metres from a position to the nearest point of the segment, including its ends.
    func distance(of place: EarthVector) -> Double {
        let offset = place.position - start.position
        guard max(chordSquared, (offset * offset).sum()) < Self.planar * Self.planar else {
            return exactDistance(of: place)
        }
        let along = (offset * chord).sum()
        if along <= 0 { return (offset * offset).sum().squareRoot() }
        if along >= chordSquared {
            let rest = place.position - end.position
            return (rest * rest).sum().squareRoot()
        }
        return abs((offset * across).sum())
    }

    /// Returns the distance by dropping perpendiculars, for segments of any length.
    func exactDistance(of place: EarthVector) -> Double {
        let way = Geodesic(from: start.coordinate, to: end.coordinate)
        let fromStart = Geodesic(from: start.coordinate, to: place.coordinate)
        guard way.distance > 0 else { return fromStart.distance }
        var along = fromStart.distance * cos((fromStart.initialBearing - way.initialBearing) * .pi / 180)
        // Each step drops a perpendicular from the foot of the last one.
        for _ in 0..<8 {
            if along <= 0 { return fromStart.distance }
            if along >= way.distance { return end.coordinate.distance(to: place.coordinate) }
            let foot = start.coordinate.destination(distance: along, bearing: way.initialBearing)
            let towards = Geodesic(from: foot, to: place.coordinate)
            let onwards = Geodesic(from: foot, to: end.coordinate).initialBearing
            let step = towards.distance * cos((towards.initialBearing - onwards) * .pi / 180)
            if abs(step) < 1e-4 * max(1, towards.distance) { return towards.distance }
            along += step
        }
        let foot = start.coordinate.destination(
            distance: min(way.distance, max(0, along)), bearing: way.initialBearing)
        return foot.distance(to: place.coordinate)
    }
}
