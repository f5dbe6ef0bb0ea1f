import LocationCore

/// A filter that leaves out points whose absence moves the line by at most a tolerance (Douglas–Peucker).
///
/// To bound memory, it simplifies a window of points at a time, whose last point begins the next window.
struct LineSimplifier: Sendable {
    private let tolerance: Double
    private let window: Int
    private var points: [TrackPoint] = []
    private var places: [EarthVector] = []
    /// Whether the first point of the window was already returned.
    private var firstIsOut = false
    private(set) var leftOut = 0

    init(tolerance: Double, window: Int) {
        self.tolerance = tolerance
        self.window = window
    }

    mutating func process(_ point: TrackPoint) -> [TrackPoint] {
        guard points.count >= window else {
            points.append(point)
            return []
        }
        let kept = reduce()
        points = points.suffix(1) + [point]
        firstIsOut = true
        return kept
    }

    mutating func finish() -> [TrackPoint] {
        let kept = reduce()
        points = []
        firstIsOut = false
        return kept
    }

    private mutating func reduce() -> [TrackPoint] {
        guard points.count > 2 else { return Array(points.dropFirst(firstIsOut ? 1 : 0)) }
        places = points.map { EarthVector($0.location.coordinate) }
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
        let way = GeodesicSegment(from: places[start], to: places[end])
        var farthest = (start, -1.0)
        for index in (start + 1)..<end {
            let distance = way.distance(of: places[index])
            if distance > farthest.1 { farthest = (index, distance) }
        }
        return farthest
    }
}
