import LocationCore

/// Leaves out points of a track that add little to it; the first and the last point of a segment stay.
public struct TrackThinning: Sendable {
    private let interval: Duration?
    private let distance: Double?
    private var simplifier: LineSimplifier?
    private var lastKept: TrackPoint?
    /// The last point that was left out: it stays if the segment ends with it.
    private var skipped: TrackPoint?
    private var lastWasKept = false
    private var skippedCount = 0

    /// Thins a track.
    ///
    /// - Parameters:
    ///   - every: points at most so often, by their own times.
    ///   - minMove: points at least so many metres from the last one.
    ///   - simplify: leaves out the points whose absence moves the line by no more than so many metres (Douglas–Peucker on the
    ///     ellipsoid). Points come out later then, at the end of a segment or after `window` points.
    ///   - window: how many points are simplified at a time; the line keeps to its tolerance whatever it is.
    public init(every: Duration? = nil, minMove: Double? = nil, simplify: Double? = nil, window: Int = 4096) {
        interval = every
        distance = minMove
        simplifier = simplify.map { LineSimplifier(tolerance: max(0, $0), window: max(3, window)) }
    }

    /// How many points were left out.
    public var leftOut: Int { skippedCount + (simplifier?.leftOut ?? 0) }

    /// Takes the next element of a track, and answers with what can be told by now.
    public mutating func take(_ element: TrackElement) -> [TrackElement] {
        switch element {
        case .point(let point): return takePoint(point)
        case .revision(let point): return takeRevision(point)
        case .gap: return endSegment() + [element]
        }
    }

    /// What is left at the end of the track.
    public mutating func finish() -> [TrackElement] { endSegment() }

    private mutating func takePoint(_ point: TrackPoint) -> [TrackElement] {
        guard isFarEnough(point.location) else {
            if skipped != nil { skippedCount += 1 }
            skipped = point
            lastWasKept = false
            return []
        }
        if skipped != nil { skippedCount += 1 }
        skipped = nil
        return keep(point)
    }

    private mutating func takeRevision(_ point: TrackPoint) -> [TrackElement] {
        guard lastWasKept else {
            if skipped != nil { skipped = point }
            return []
        }
        lastKept = point
        guard simplifier != nil else { return [.revision(point)] }
        simplifier?.revise(point)
        return []
    }

    private mutating func keep(_ point: TrackPoint) -> [TrackElement] {
        lastKept = point
        lastWasKept = true
        guard let points = simplifier?.take(point) else { return [.point(point)] }
        return points.map { .point($0) }
    }

    private mutating func endSegment() -> [TrackElement] {
        var elements: [TrackElement] = []
        if let last = skipped {
            skipped = nil
            elements = keep(last)
        }
        if let points = simplifier?.finish() { elements += points.map { .point($0) } }
        lastKept = nil
        lastWasKept = false
        return elements
    }

    private func isFarEnough(_ location: Location) -> Bool {
        guard let last = lastKept?.location else { return true }
        if let interval, let time = location.timestamp, let before = last.timestamp, time.since(before) < interval {
            return false
        }
        if let distance, last.coordinate.distance(to: location.coordinate) < distance { return false }
        return true
    }
}
