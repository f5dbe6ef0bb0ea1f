import LocationCore

/// A filter that leaves out points that add little to a track.
///
/// No point that the interval and the distance exclude is kept, so that a segment can begin later, or be left out. Simplifying
/// keeps the first and the last of the remaining points of a segment.
package struct TrackThinning: Sendable {
    private var grid: IntervalGrid?
    private let distance: Double?
    private var simplifier: LineSimplifier?
    private var lastKept: Location?
    private var segmentHasPoints = false
    private var skippedCount = 0

    /// Creates a filter.
    ///
    /// - Parameters:
    ///   - every: The shortest interval between points, on a grid of their own times, with half a cycle of the receiver
    ///     as tolerance.
    ///   - minMove: The shortest distance in metres from the last point.
    ///   - simplify: The tolerance in metres by which the line may move when a point is left out (Douglas–Peucker on
    ///     the ellipsoid). Points are then returned later, at the end of a segment or after `window` points.
    ///   - window: The number of points simplified at a time, which does not affect the tolerance.
    package init(every: Duration? = nil, minMove: Double? = nil, simplify: Double? = nil, window: Int = 4096) {
        grid = every.map { IntervalGrid($0) }
        distance = minMove
        simplifier = simplify.map { LineSimplifier(tolerance: max(0, $0), window: max(3, window)) }
    }

    package var leftOut: Int { skippedCount + (simplifier?.leftOut ?? 0) }

    /// Processes the next element of a track and returns the elements that are decided by now.
    ///
    /// - Parameter arrival: The session time, by which points without a time go, and those after a clock was set back.
    package mutating func process(_ element: TrackElement, at arrival: Duration) -> [TrackElement] {
        guard admits(element, at: arrival) else { return [] }
        switch element {
        case .point(let point):
            guard let points = simplifier?.process(point) else { return [element] }
            return points.map { .point($0) }
        case .gap: return finish() + [element]
        }
    }

    /// Processes the next element of a track that is not simplified, and returns whether it is one of the result.
    package mutating func admits(_ element: TrackElement, at arrival: Duration) -> Bool {
        switch element {
        case .point(let point): return admits(point.location, arrival)
        case .gap(let gap):
            defer { segmentHasPoints = false }
            if segmentHasPoints { return true }
            // The name of a track comes before its first point.
            if case .track = gap { return true }
            return false
        }
    }

    /// Returns the remaining elements at the end of the track.
    package mutating func finish() -> [TrackElement] { simplifier?.finish().map { .point($0) } ?? [] }

    private mutating func admits(_ location: Location, _ arrival: Duration) -> Bool {
        guard grid != nil || distance != nil else {
            segmentHasPoints = true
            return true
        }
        let time = IntervalGrid.Time(location.timestamp, arrival: arrival)
        grid?.note(time)
        guard isFarEnough(location, time) else {
            skippedCount += 1
            return false
        }
        lastKept = location
        segmentHasPoints = true
        grid?.pass(time)
        return true
    }

    private func isFarEnough(_ location: Location, _ time: IntervalGrid.Time) -> Bool {
        guard let last = lastKept else { return true }
        if let grid, !grid.admits(time) { return false }
        if let distance, last.coordinate.distance(to: location.coordinate) < distance { return false }
        return true
    }
}
