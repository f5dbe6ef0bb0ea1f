import Glibc
import LocationCore

/// Leaves out the points of a line without which it moves by no more than a tolerance (Douglas and Peucker's way).
///
/// Memory is bounded: a window of points is simplified at a time, and its last point begins the next.
struct LineSimplifier: Sendable {
    private let tolerance: Double
    private let window: Int
    private var points: [TrackPoint] = []
    /// Whether the first point of the window has come out already.
    private var firstIsOut = false
    private(set) var leftOut = 0

    init(tolerance: Double, window: Int) {
        self.tolerance = tolerance
        self.window = window
    }

    mutating func take(_ point: TrackPoint) -> [TrackPoint] {
        guard points.count >= window else {
            points.append(point)
            return []
        }
        let kept = reduce()
        points = points.suffix(1) + [point]
        firstIsOut = true
        return kept
    }

    mutating func revise(_ point: TrackPoint) {
        guard !points.isEmpty, !(points.count == 1 && firstIsOut) else { return }
        points[points.count - 1] = point
    }

    mutating func finish() -> [TrackPoint] {
        let kept = reduce()
        points = []
        firstIsOut = false
        return kept
    }

    private mutating func reduce() -> [TrackPoint] {
        guard points.count > 2 else { return Array(points.dropFirst(firstIsOut ? 1 : 0)) }
        var isKept = [Bool](repeating: false, count: points.count)
        isKept[0] = true
        isKept[points.count - 1] = true
        var open = [(0, points.count - 1)]
        while let (start, end) = open.popLast() {
            guard let (index, distance) = farthest(start, end), distance > tolerance else { continue }
            isKept[index] = true
            open.append((start, index))
            open.append((index, end))
        }
        var kept = points.indices.filter { isKept[$0] }.map { points[$0] }
        leftOut += points.count - kept.count
        if firstIsOut { kept.removeFirst() }
        return kept
    }

    private func farthest(_ start: Int, _ end: Int) -> (Int, Double)? {
        guard end - start > 1 else { return nil }
        let way = Way(from: points[start].location.coordinate, to: points[end].location.coordinate)
        var farthest = (start, -1.0)
        for index in (start + 1)..<end {
            let distance = way.distance(of: points[index].location.coordinate)
            if distance > farthest.1 { farthest = (index, distance) }
        }
        return farthest
    }
}

/// The shortest way between two points on the ellipsoid, to which the distance of others is measured.
struct Way: Sendable {
    private let start: Coordinate
    private let end: Coordinate
    private let length: Double
    private let bearing: Double

    init(from start: Coordinate, to end: Coordinate) {
        self.start = start
        self.end = end
        let way = Geodesic(from: start, to: end)
        length = way.distance
        bearing = way.initialBearing
    }

    /// Metres from a point to the nearest on the way, its ends included.
    func distance(of point: Coordinate) -> Double {
        let fromStart = Geodesic(from: start, to: point)
        guard length > 0 else { return fromStart.distance }
        var along = fromStart.distance * cos((fromStart.initialBearing - bearing) * .pi / 180)
        // Each step drops a perpendicular from where the last one arrived; the first is right to some metres in a thousand km.
        for _ in 0..<4 {
            if along <= 0 { return fromStart.distance }
            if along >= length { return end.distance(to: point) }
            let foot = start.destination(distance: along, bearing: bearing)
            let across = Geodesic(from: foot, to: point)
            let onwards = Geodesic(from: foot, to: end).initialBearing
            let step = across.distance * cos((across.initialBearing - onwards) * .pi / 180)
            if abs(step) < 1e-4 * max(1, across.distance) { return across.distance }
            along += step
        }
        let foot = start.destination(distance: min(length, max(0, along)), bearing: bearing)
        return foot.distance(to: point)
    }
}
