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
        legs = zip(places, places.dropFirst()).map { $0.offset(to: $1).length }
        length = legs.reduce(0, +)
    }

    /// Returns the route of the same shape that begins at another place.
    package func starting(at place: Coordinate) -> Route {
        Route(
            places: places.map { place.moved(by: places[0].offset(to: $0)) })
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
        let offset = from.offset(to: to)
        return (from.moved(by: offset * share), (offset * (isReturning ? -1 : 1)).course)
    }
}
