package import LocationCore

/// A path of places with times, along which a simulated receiver moves instead of a route.
package struct TrackPath: Hashable, Sendable {
    package struct Place: Hashable, Sendable {
        /// The point on the ground.
        package var coordinate: Coordinate
        /// The altitude in metres above mean sea level, if known.
        package var altitude: Double?
        /// The time since the start of the path.
        package var offset: Duration

        package init(_ coordinate: Coordinate, altitude: Double? = nil, offset: Duration) {
            self.coordinate = coordinate
            self.altitude = altitude
            self.offset = offset
        }
    }

    struct PathState {
        var coordinate: Coordinate
        var altitude: Double?
        var speed: Double
        /// The course in degrees, or `nil` while the receiver stands.
        var course: Double?
    }

    /// The places in the order of their times.
    package let places: [Place]
    /// Whether the path begins again after its end; otherwise the receiver stays at the last place.
    package let loops: Bool

    /// Creates a path, or returns `nil` without a place.
    ///
    /// A place that is not later than the one before is left out.
    package init?(_ places: [Place], loops: Bool = false) {
        guard let first = places.first else { return nil }
        var kept = [first]
        kept.reserveCapacity(places.count)
        for place in places.dropFirst() where place.offset > (kept.last?.offset ?? .zero) { kept.append(place) }
        self.places = kept
        self.loops = loops
    }

    /// The time from the first place to the last.
    package var duration: Duration { (places.last?.offset ?? .zero) - places[0].offset }

    /// Returns the state at a time since the start.
    func state(at elapsed: Duration) -> PathState {
        var elapsed = max(.zero, elapsed)
        let length = duration
        if elapsed >= length {
            guard loops, length > .zero else { return standing(at: places[places.count - 1]) }
            elapsed = .nanoseconds(elapsed.nanoseconds % length.nanoseconds)
        }
        let goal = places[0].offset + elapsed
        // The last place that is not later.
        var (low, high) = (0, places.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if places[middle].offset <= goal { low = middle } else { high = middle }
        }
        let (from, to) = (places[low], places[high])
        let time = to.offset - from.offset
        guard time > .zero else { return standing(at: from) }
        let leg = from.coordinate.offset(to: to.coordinate)
        guard leg.length > 0 else { return standing(at: from) }
        let share = (goal - from.offset) / time
        var altitude = from.altitude
        if let start = from.altitude, let end = to.altitude { altitude = start + share * (end - start) }
        return PathState(
            coordinate: from.coordinate.moved(by: leg * share),
            altitude: altitude, speed: leg.length / time.inSeconds, course: leg.course)
    }

    private func standing(at place: Place) -> PathState {
        PathState(coordinate: place.coordinate, altitude: place.altitude, speed: 0, course: nil)
    }
}
