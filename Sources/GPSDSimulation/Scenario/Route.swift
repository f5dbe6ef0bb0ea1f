import Glibc
package import LocationCore

/// A route of straight legs; it is a loop if it ends where it began, and otherwise leads there and back.
package struct Route: Hashable, Sendable {
    /// The places along the route, in order.
    package let places: [Coordinate]
    /// The length of each leg in metres.
    private let legs: [Double]
    /// The length of the route from the first place to the last, in metres.
    package let length: Double

    /// Creates a route from `start` through the other places.
    package init(_ start: Coordinate, _ others: Coordinate...) {
        self.init(places: [start] + others)
    }

    private init(places: [Coordinate]) {
        self.places = places
        legs = zip(places, places.dropFirst()).map { Route.offset(from: $0, to: $1).length }
        length = legs.reduce(0, +)
    }

    /// Returns the route of the same shape that begins at another place.
    package func starting(at place: Coordinate) -> Route {
        Route(
            places: places.map { old in
                let offset = Route.offset(from: places[0], to: old)
                return Route.moved(place, east: offset.east, north: offset.north)
            })
    }

    /// Returns the position and the course in degrees after a distance; the course is `nil` on a route of one place.
    package func place(after metres: Double) -> (coordinate: Coordinate, course: Double?) {
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

    /// Returns the place at an offset in metres; accurate enough for the short distances of legs and errors.
    package static func moved(_ place: Coordinate, east: Double, north: Double) -> Coordinate {
        let radii = radii(at: place.latitude)
        let latitude = place.latitude + north / radii.meridian * 180 / .pi
        let longitude = place.longitude + east / radii.parallel * 180 / .pi
        return Coordinate(checking: latitude, longitude.remainder(dividingBy: 360)) ?? place
    }

    /// Returns the offset between two places in metres, its length, and its course in degrees.
    static func leg(
        from: Coordinate, to: Coordinate
    ) -> (east: Double, north: Double, length: Double, course: Double) {
        let offset = offset(from: from, to: to)
        let degrees = atan2(offset.east, offset.north) * 180 / .pi
        return (offset.east, offset.north, offset.length, degrees < 0 ? degrees + 360 : degrees)
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
            // Never zero, which it would be at a pole, because longitudes are computed by dividing by it.
            max(1, Ellipsoid.equatorialRadius / root * cos(latitude.radians))
        )
    }
}
