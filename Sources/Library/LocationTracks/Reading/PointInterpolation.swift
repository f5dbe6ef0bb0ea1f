import LocationCore
import LocwatchSupport

/// The elements of a track with positions between its points, which are made only as they are taken.
///
/// A position between two points lies on the shortest line between them, and is passed at an even speed. A track of one point holds its
/// place for a day, as Xcode does with such a file.
struct PointInterpolation {
    /// A way from one point to the next.
    fileprivate struct Leg {
        let start: TrackPoint
        let end: TrackPoint
        let line: Geodesic
        let duration: Duration
        /// The time between two positions.
        let interval: Duration
        /// The time of the next position since the start of the leg.
        var next: Duration
        /// Whether the end is itself a point of the track.
        var hasEnd = true
    }

    /// The largest number of positions between two points: a file of a few bytes can have points that are days apart.
    private static let mostPositions = 1000

    private let interval: Duration?
    private var elements = ReusedQueue<ReadElement>()
    private var leg: Leg?
    /// The last point of each receiver in its segment.
    private var last = PerDevice<TrackPoint?>()
    /// The number of points, and the last one of all.
    private var points: (count: Int, last: TrackPoint?) = (0, nil)
    private var holdsLonePoint = false

    /// Creates the interpolation of a track; without an interval, the elements are those of the track.
    init(every interval: Duration?) {
        self.interval = interval.flatMap { $0 > .zero ? max(.milliseconds(1), $0) : nil }
    }

    var hasMore: Bool { leg != nil || elements.count > 0 }

    mutating func append(_ element: ReadElement) { elements.append(element) }

    /// Ends the track, after which one of a single point holds its place.
    mutating func finish() { holdsLonePoint = true }

    /// Returns the next element, or `nil` if there is none yet.
    mutating func next() -> ReadElement? {
        guard let interval else { return elements.popFirst() }
        if let leg {
            if leg.next < leg.duration {
                self.leg?.next += leg.interval
                return .point(leg.point(at: leg.next))
            }
            self.leg = nil
            if leg.hasEnd { return .point(leg.arrival) }
        }
        guard let element = elements.popFirst() else {
            guard holdsLonePoint, points.count == 1, let point = points.last else { return nil }
            holdsLonePoint = false
            begin(point, point, TrackProvider.longestInterval, every: interval, hasEnd: false)
            return next()
        }
        switch element {
        case .message, .leftOut: return element
        case .gap(_, let device):
            last.set(nil, for: device)
            return element
        case .point(let point):
            points = (points.count + 1, point)
            let device = point.location.device
            let before = last[device] ?? nil
            last.set(point, for: device)
            guard let before, point.location.fix != .none, before.location.fix != .none,
                let duration = point.location.timestamp.flatMap({ end in
                    before.location.timestamp.map { end.since($0) }
                }), duration > .zero
            else { return element }
            begin(before, point, duration, every: interval)
            return next()
        }
    }

    private mutating func begin(
        _ start: TrackPoint, _ end: TrackPoint, _ duration: Duration, every interval: Duration, hasEnd: Bool = true
    ) {
        let line = Geodesic(from: start.location.coordinate, to: end.location.coordinate)
        let interval = hasEnd ? max(interval, duration / Self.mostPositions) : interval
        leg = Leg(
            start: start, end: end, line: line, duration: duration, interval: interval, next: interval, hasEnd: hasEnd)
    }
}

extension PointInterpolation.Leg {
    private var speed: Double { line.distance / duration.inSeconds }

    /// Returns the position at a time since the start of the leg.
    fileprivate func point(at time: Duration) -> TrackPoint {
        let share = time.inSeconds / duration.inSeconds
        let (from, to) = (start.location, end.location)
        let place = from.coordinate.destination(distance: line.distance * share, bearing: line.initialBearing)
        var location = Location(
            coordinate: place, fix: from.fix, timestamp: from.timestamp?.advanced(by: time), device: from.device)
        location.horizontalAccuracy = from.horizontalAccuracy
        if let low = from.altitudeMSL, let high = to.altitudeMSL {
            location.altitudeMSL = low + (high - low) * share
        }
        location.speed = speed
        if line.distance > 0 { location.course = place.bearing(to: to.coordinate) }
        var point = TrackPoint(location)
        point.track = start.track
        return point
    }

    /// The point at the end, with the speed and the course of the leg if it has none of its own.
    fileprivate var arrival: TrackPoint {
        var point = end
        point.location.speed = point.location.speed ?? speed
        if point.location.course == nil, line.distance > 0 {
            point.location.course = end.location.coordinate.arrivalBearing(from: start.location.coordinate)
        }
        return point
    }
}
