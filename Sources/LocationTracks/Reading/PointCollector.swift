import LocationCore

/// A collector of the points of a file, which chooses those of the track and gives them times.
///
/// A file can hold a track, a route and waypoints, of which the track counts. Without a track, those points count that come
/// first in the order of `Kind`; they are held back until enough have come, or the file ends.
final class PointCollector {
    /// The kind of a point, the better the greater.
    enum Kind: Int, Comparable, CaseIterable {
        case waypoint, line, route, track

        static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
    }

    private struct Held {
        var kind: Kind
        var isTimed: Bool
        var points: [(point: TrackPoint, startsSegment: Bool)] = []

        /// Returns whether other points are a better track.
        func isWorse(than kind: Kind, isTimed: Bool) -> Bool {
            self.kind != kind && (self.isTimed == isTimed ? self.kind < kind : isTimed)
        }
    }

    /// The number of points that are held back; a file that begins with as many waypoints has no better track.
    private static let limit = 20_000
    /// The length of the time between the last point of a segment and its end.
    private static let ending = Duration.seconds(1)

    private let times: TimelessPoints
    private let emit: (ReadElement) -> Void
    private var held: Held?
    /// The kind of the points that are emitted, once it is known.
    private var chosen: Kind?
    /// The last point that was emitted.
    private var last: TrackPoint?
    /// The time and the place of that point; a question to these does not copy it as a whole.
    private var lastEpoch: (time: Timestamp, place: Coordinate)?
    /// The time of the last point as the file has it, and the number of points before it with the same one.
    private var lastTime: (time: Timestamp, repetitions: Int)?
    /// The number of points without a time, of each kind.
    private var untimed = [Int](repeating: 0, count: Kind.allCases.count)
    /// Whether a point without a time, which was skipped, was the first of its segment.
    private var startsLater = false
    private var invalid = (count: 0, cause: "")
    private var pointCount = 0

    init(times: TimelessPoints, emit: @escaping (ReadElement) -> Void) {
        self.times = times
        self.emit = emit
    }

    /// Notes a point whose position cannot be read.
    func skip(_ cause: @autoclosure () -> String) {
        if invalid.count == 0 { invalid.cause = cause() }
        invalid.count += 1
    }

    /// Adds the next point of the file.
    func add(_ point: TrackPoint, _ kind: Kind, startsSegment: Bool) {
        if let chosen, kind != chosen { return }
        let isTimed = point.location.timestamp != nil
        if !isTimed {
            untimed[kind.rawValue] += 1
            if times.speed == nil {
                startsLater = startsLater || startsSegment
                return
            }
        }
        let startsSegment = startsSegment || startsLater
        startsLater = false
        if chosen != nil { return put(point, startsSegment: startsSegment) }
        if held?.isWorse(than: kind, isTimed: isTimed) ?? true { held = Held(kind: kind, isTimed: isTimed) }
        guard held?.kind == kind else { return }
        if isTimed { held?.isTimed = true }
        held?.points.append((point, startsSegment))
        if kind == .track && isTimed || held?.points.count ?? 0 >= Self.limit { release() }
    }

    /// Ends the file; throws if no point has a time.
    ///
    /// - Parameter isTorn: Whether the file ends in the middle.
    func finish(isTorn: Bool) throws(TrackFault) {
        release()
        let withoutTime = chosen.map { untimed[$0.rawValue] } ?? untimed.reduce(0, +)
        guard pointCount > 0 else {
            if withoutTime > 0 { throw .untimed(points: withoutTime) }
            let cause = isTorn ? "it ends before the end of its first point or line" : "there is no point in it"
            throw .malformed(line: 0, cause: invalid.count > 0 ? invalid.cause : cause)
        }
        report(invalid.count, "was skipped: \(invalid.cause)", "were skipped: \(invalid.cause)")
        if times.speed == nil {
            report(withoutTime, "without a valid time was skipped", "without a valid time were skipped")
        }
    }

    private func report(_ count: Int, _ one: String, _ several: String) {
        if count > 0 { emit(.message(count == 1 ? "1 point \(one)" : "\(count) points \(several)")) }
    }

    private func release() {
        guard let held else { return }
        self.held = nil
        chosen = held.kind
        for (point, startsSegment) in held.points { put(point, startsSegment: startsSegment) }
    }

    private func put(_ point: TrackPoint, startsSegment: Bool) {
        var point = point
        point.dilution.removeZeros()
        if point.location.timestamp == nil {
            point.location.timestamp = time(at: point.location.coordinate)
            // Speeds in the file do not fit times that are made from another speed.
            point.location.speed = nil
            point.location.climb = nil
        }
        guard let time = point.location.timestamp else { return }
        if let lastEpoch {
            // A long line can be stored in pieces, each of which begins with the last point of the one before.
            if time == lastTime?.time, point.location.coordinate == lastEpoch.place, !startsSegment || point == last {
                return
            }
            // A segment that begins in the past of the last one, such as that of a late point, does not interrupt the track.
            if startsSegment, time >= lastEpoch.time {
                emit(.gap(end(of: lastEpoch.time, before: time), device: last?.location.device))
            }
        }
        separate(&point, at: time, startsSegment: startsSegment)
        last = point
        lastEpoch = (point.location.timestamp ?? time, point.location.coordinate)
        pointCount += 1
        emit(.point(point))
    }

    /// Dates a point a millisecond after the last one if both have the same time at different places, which would count as a
    /// correction of the last one: programs write such points that record more than one a second, without fractions.
    private func separate(_ point: inout TrackPoint, at time: Timestamp, startsSegment: Bool) {
        guard let lastTime, lastTime.time == time, lastTime.repetitions < 999, !startsSegment, let lastEpoch,
            lastEpoch.place != point.location.coordinate, last?.location.device == point.location.device
        else {
            lastTime = (time, 0)
            return
        }
        self.lastTime = (time, lastTime.repetitions + 1)
        point.location.timestamp = time.advanced(by: .milliseconds(lastTime.repetitions + 1))
    }

    private func end(of last: Timestamp, before next: Timestamp) -> Timestamp {
        let distance = next.since(last)
        return last.advanced(by: distance > .zero ? min(Self.ending, distance / 2) : .milliseconds(1))
    }

    /// Returns the time of a point at the given speed, counted from the last point.
    private func time(at place: Coordinate) -> Timestamp? {
        guard let speed = times.speed, speed > 0 else { return nil }
        guard let lastEpoch else { return times.start }
        let seconds = lastEpoch.place.distance(to: place) / speed
        // Two points at one place are two epochs.
        return lastEpoch.time.advanced(by: max(.milliseconds(1), Duration(clampingSeconds: seconds)))
    }
}
