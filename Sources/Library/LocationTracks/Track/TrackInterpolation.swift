public import LocationCore

/// The assumptions about the movement between two epochs, of which nothing is known.
private enum UnknownMovement {
    /// The acceleration in metres per second squared of a car that brakes or turns without haste.
    static let acceleration = 2.5
    /// The speed in metres per second of a walk, which a receiver may have made and returned from.
    static let walk = 1.5
    /// The vertical speed in metres per second of a person on stairs.
    static let stairs = 0.5

    /// Returns the distance from a straight and even movement at which the receiver can have been.
    ///
    /// An even movement between two points differs from one with a bounded acceleration by at most half the product of the
    /// acceleration and both times. After a long time a bounded speed says more.
    ///
    /// - Parameters:
    ///   - passed: The time since the epoch before, in seconds.
    ///   - left: The time to the epoch after.
    ///   - mean: The speed of the even movement.
    ///   - fastest: The greatest speed that is known of the movement, or assumed.
    static func drift(_ passed: Double, _ left: Double, mean: Double, fastest: Double) -> Double {
        let turned = acceleration * passed * left / 2
        let strayed = (max(fastest, mean) + mean) * min(passed, left)
        return min(turned, strayed)
    }
}

extension TrackPoint {
    /// Returns the point at a time between two points of a segment, or `nil` if the time is not between theirs.
    ///
    /// The place is on the geodesic between them. Its accuracy is that of the less accurate point, and in addition the distance that
    /// an unknown movement can have made in between, so that it is never better than either of them, and worse the longer the time
    /// is; it is unknown if that of one point is. A value that only one of the points has is unknown.
    ///
    /// - Parameters:
    ///   - start: The point before.
    ///   - end: The point after.
    ///   - time: The time of the new point.
    public static func interpolated(from start: TrackPoint, to end: TrackPoint, at time: Timestamp) -> TrackPoint? {
        let (before, after) = (start.location, end.location)
        guard let began = before.timestamp, let ended = after.timestamp, began < time, time < ended else { return nil }
        let passed = time.since(began).inSeconds
        let left = ended.since(time).inSeconds
        let share = passed / (passed + left)
        let way = Geodesic(from: before.coordinate, to: after.coordinate)
        let mean = way.distance / (passed + left)

        func between(_ path: (Location) -> Double?) -> Double? {
            guard let first = path(before), let second = path(after) else { return nil }
            return (first + (second - first) * share).toFourDecimals
        }
        func worse(_ path: (Location) -> Double?, by loss: Double) -> Double? {
            guard let first = path(before), let second = path(after) else { return nil }
            return ((max(first, second) + loss) * 10_000).rounded(.up) / 10_000
        }
        func fastest(_ path: (Location) -> Double?, least: Double) -> Double {
            max(path(before)?.magnitude ?? 0, path(after)?.magnitude ?? 0, least)
        }

        var location = Location(
            coordinate: before.coordinate.destination(distance: way.distance * share, bearing: way.initialBearing)
                .toNineDecimals,
            fix: min(before.fix, after.fix), timestamp: time)
        if let first = before.received, let second = after.received {
            location.received = first.advanced(by: second.since(first) * share)
        }
        location.device = before.device == after.device ? before.device : nil
        location.quality = before.quality == after.quality ? before.quality : .ordinary
        location.horizontalAccuracy = worse(
            \.horizontalAccuracy,
            by: UnknownMovement.drift(
                passed, left, mean: mean, fastest: fastest(\.speed, least: UnknownMovement.walk)))
        location.altitudeMSL = between(\.altitudeMSL)
        location.altitudeHAE = between(\.altitudeHAE)
        location.geoidSeparation = between(\.geoidSeparation)
        let rise = [before.altitudeMSL, before.altitudeHAE, after.altitudeMSL, after.altitudeHAE]
        location.verticalAccuracy = worse(
            \.verticalAccuracy,
            by: UnknownMovement.drift(
                passed, left, mean: steepness(rise, over: passed + left),
                fastest: fastest(\.climb, least: UnknownMovement.stairs)))
        let gained = UnknownMovement.acceleration * min(passed, left)
        location.speed = between(\.speed)
        location.speedAccuracy = worse(\.speedAccuracy, by: gained)
        location.climb = between(\.climb)
        location.climbAccuracy = worse(\.climbAccuracy, by: gained)
        location.course = turned(from: before.course, to: after.course, share)
        location.magneticVariation = between(\.magneticVariation)

        var point = TrackPoint(location)
        point.interpolatedOver = (passed + left).toFourDecimals
        point.verdict = max(start.verdict, end.verdict)
        point.isStationary = start.isStationary && end.isStationary
        return point
    }

    /// Returns the mean vertical speed between two points by whichever height both have.
    private static func steepness(_ heights: [Double?], over seconds: Double) -> Double {
        if let first = heights[0], let second = heights[2] { return abs(second - first) / seconds }
        if let first = heights[1], let second = heights[3] { return abs(second - first) / seconds }
        return 0
    }

    /// Returns the course between two others by the shorter turn; a turn of more than a right angle tells nothing about it.
    private static func turned(from start: Double?, to end: Double?, _ share: Double) -> Double? {
        guard let start, let end else { return nil }
        let turn = (end - start).remainder(dividingBy: 360)
        guard abs(turn) <= 90 else { return nil }
        let course = (start + turn * share).remainder(dividingBy: 360).toFourDecimals
        return course < 0 ? course + 360 : course
    }
}
