package import LocationCore
import LocwatchSupport

/// The positions of a way along coordinates at an even speed, each with its time since the start.
///
/// Speed and course agree with the way; the last position is the last coordinate, when that is reached.
package struct RouteWalk: Sequence, IteratorProtocol {
    private let speed: Double
    private let interval: Duration
    private let accuracy: Double
    /// The coordinates that are not passed yet, after the last one that is.
    private var rest: ArraySlice<Coordinate>
    private var from: Coordinate?
    /// The distance that is travelled since `from`.
    private var travelled = 0.0
    private var elapsed = Duration.zero
    private var course: Double?
    private var hasBegun = false

    /// Creates a walk; with a speed or an interval that is not positive it has the first position only.
    package init(_ route: [Coordinate], speed: Double, every interval: Duration, accuracy: Double = 5) {
        let isMoving = speed > 0 && speed.isFinite && interval > .zero
        self.speed = isMoving ? speed : 0
        self.interval = interval
        self.accuracy = accuracy
        from = route.first
        rest = isMoving ? route.dropFirst() : []
    }

    package mutating func next() -> (location: Location, elapsed: Duration)? {
        guard let from else { return nil }
        guard hasBegun else {
            hasBegun = true
            skipRepeats()
            course = rest.first.map { from.bearing(to: $0) }
            return location(at: from)
        }
        guard !rest.isEmpty else { return nil }
        var step = speed * interval.inSeconds
        while let end = rest.first, let start = self.from {
            let line = Geodesic(from: start, to: end)
            if travelled + step < line.distance {
                travelled += step
                elapsed += interval
                let place = start.destination(distance: travelled, bearing: line.initialBearing)
                course = place.bearing(to: end)
                return location(at: place)
            }
            step -= line.distance - travelled
            course = end.arrivalBearing(from: start)
            (self.from, travelled) = (end, 0)
            rest.removeFirst()
            skipRepeats()
        }
        // The rest of the way is shorter than a step.
        elapsed += interval - Swift.min(interval, Duration(clampingSeconds: step / speed))
        return self.from.map { location(at: $0) }
    }

    /// Removes coordinates that are where the way is, which have no direction.
    private mutating func skipRepeats() {
        while let next = rest.first, next == from { rest.removeFirst() }
    }

    private func location(at place: Coordinate) -> (location: Location, elapsed: Duration) {
        (Location(coordinate: place, horizontalAccuracy: accuracy, speed: speed, course: course), elapsed)
    }
}
