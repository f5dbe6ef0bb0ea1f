import Glibc
public import LocationCore

/// A way over the ground: straight legs between places; one that ends where it began is a round, others go there and back.
public struct Route: Hashable, Sendable {
    /// The places on the way, in order.
    public let places: [Coordinate]
    /// Metres of each leg, and of the whole way.
    private let legs: [Double]
    /// Metres from the first place to the last.
    public let length: Double

    /// A way over `start` and the places after it.
    public init(_ start: Coordinate, _ others: Coordinate...) {
        places = [start] + others
        legs = zip(places, places.dropFirst()).map { Route.offset(from: $0, to: $1).length }
        length = legs.reduce(0, +)
    }

    /// Where one is, and the course in degrees, after so many metres; the course is `nil` on a route of one place.
    public func place(after metres: Double) -> (coordinate: Coordinate, course: Double?) {
        guard length > 0 else { return (places[0], nil) }
        let isRound = places.first == places.last
        var rest = metres.truncatingRemainder(dividingBy: isRound ? length : 2 * length)
        let isReturning = rest > length
        if isReturning { rest = 2 * length - rest }
        var leg = 0
        while leg < legs.count - 1, rest >= legs[leg] {
            rest -= legs[leg]
            leg += 1
        }
        let (from, to) = (places[leg], places[leg + 1])
        let share = legs[leg] > 0 ? min(1, rest / legs[leg]) : 0
        let offset = Route.offset(from: from, to: to)
        let course = atan2(isReturning ? -offset.east : offset.east, isReturning ? -offset.north : offset.north)
        let degrees = course * 180 / .pi
        return (
            Route.moved(from, east: offset.east * share, north: offset.north * share),
            degrees < 0 ? degrees + 360 : degrees
        )
    }

    /// A place some metres away; good for the short distances of legs and of errors.
    static func moved(_ place: Coordinate, east: Double, north: Double) -> Coordinate {
        let radii = radii(at: place.latitude)
        let latitude = place.latitude + north / radii.meridian * 180 / .pi
        let longitude = place.longitude + east / radii.parallel * 180 / .pi
        return Coordinate(checking: latitude, longitude.remainder(dividingBy: 360)) ?? place
    }

    private static func offset(from: Coordinate, to: Coordinate) -> (east: Double, north: Double, length: Double) {
        let radii = radii(at: from.latitude)
        let east = (to.longitude - from.longitude).remainder(dividingBy: 360).radians * radii.parallel
        let north = (to.latitude - from.latitude).radians * radii.meridian
        return (east, north, (east * east + north * north).squareRoot())
    }

    private static func radii(at latitude: Double) -> (meridian: Double, parallel: Double) {
        let eccentricity = Ellipsoid.eccentricitySquared
        let root = (1 - eccentricity * sin(latitude.radians) * sin(latitude.radians)).squareRoot()
        return (
            Ellipsoid.equatorialRadius * (1 - eccentricity) / (root * root * root),
            // Never zero, so that a pole is no trap.
            max(1, Ellipsoid.equatorialRadius / root * cos(latitude.radians))
        )
    }
}
