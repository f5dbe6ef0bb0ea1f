import Glibc
import LocationCore

/// A place on the ellipsoid with its place in space and the direction that is up there.
struct EarthVector: Sendable {
    let coordinate: Coordinate
    /// Metres from the centre of the earth.
    let position: SIMD3<Double>
    let up: SIMD3<Double>

    init(_ coordinate: Coordinate) {
        self.coordinate = coordinate
        let (latitude, longitude) = (coordinate.latitude * .pi / 180, coordinate.longitude * .pi / 180)
        up = SIMD3(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
        // WGS 84.
        let (equator, squared) = (6_378_137.0, 0.0066943799901413165)
        let radius = equator / (1 - squared * up.z * up.z).squareRoot()
        position = radius * SIMD3(up.x, up.y, (1 - squared) * up.z)
    }
}

/// The shortest way between two places on the ellipsoid, to which the distance of others is measured.
struct Way: Sendable {
    private let start: EarthVector
    private let end: EarthVector
    private let chord: SIMD3<Double>
    private let chordSquared: Double
    /// Along the ground, across the way.
    private let across: SIMD3<Double>

    /// Up to so many metres the plane through both ends and upwards is the way to a thousandth of a metre.
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

    /// Metres from a place to the nearest on the way, its ends included.
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

    /// The same by dropping perpendiculars, for ways of any length.
    func exactDistance(of place: EarthVector) -> Double {
        let way = Geodesic(from: start.coordinate, to: end.coordinate)
        let fromStart = Geodesic(from: start.coordinate, to: place.coordinate)
        guard way.distance > 0 else { return fromStart.distance }
        var along = fromStart.distance * cos((fromStart.initialBearing - way.initialBearing) * .pi / 180)
        // Each step drops a perpendicular from where the last one arrived.
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
