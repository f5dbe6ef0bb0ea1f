import LocationCore
import LocwatchSupport

/// A collector of the points of a file, which chooses those of the track and gives them times.
///
/// A file can hold a track, a route and waypoints, of which the track counts. Without a track, those points count that come
/// first in the order of `ElementKind`; they are held back until enough have come, or the file ends.
final class PointCollector {
    /// The kind of a point, the better the greater.
    enum ElementKind: Int, Comparable, CaseIterable {
        case waypoint, line, route, track

        static func < (left: ElementKind, right: ElementKind) -> Bool { left.rawValue < right.rawValue }

        /// Returns a number of points of the kind in words.
        func words(_ count: Int) -> String {
            switch self {
            case .waypoint: count.counting("waypoint")
            case .line: "\(count.counting("point")) of lines"
            case .route: "\(count.counting("point")) of routes"
            case .track: "\(count.counting("point")) of tracks"
            }
        }
    }

    private struct Held {
        var kind: ElementKind
        var isTimed: Bool
        var points: [(point: TrackPoint, startsSegment: Bool)] = []

        func isWorse(than kind: ElementKind, isTimed: Bool) -> Bool {
            self.kind != kind && (self.isTimed == isTimed ? self.kind < kind : isTimed)
        }
    }

    /// The last points of a receiver.
    private struct Receiver {
        /// The time of the last point that was emitted.
        var time: Timestamp
        var place: Coordinate
        /// The time of that point in the file.
        var written: Timestamp
        /// The points behind it that have the same time at other places.
        var repeats: [TrackPoint] = []
    }

    /// The number of points that are held back; a file that begins with as many waypoints has no better track.
    private static let limit = 20_000
    /// The numbers of points with the same time that are held back, of one receiver and of all.
    private static let repeatLimits = (one: 999, all: 10_000)
    /// The longest time over which points with the same time are spread.
    private static let second = Duration.seconds(1)
    /// The length of the time between the last point of a track or segment and its end.
    static let ending = Duration.seconds(1)
    /// The length of that time if there is none.
    private static let instant = Duration.milliseconds(1)
    /// The time before the end of the last segment from which on a segment that begins there is more than a late point.
    private static let overlap = Duration.seconds(60)

    private let times: TimelessPoints
    /// Whether the points of all receivers are in the order of their times.
    private let isInOrder: Bool
    private let emit: (ReadElement) -> Void
    private var held: Held?
    /// The kind of the points that are emitted, once it is known.
    private var chosen: ElementKind?
    /// Whether receivers report side by side, so that a segment ends that of its own receiver and not the last one.
    var isSideBySide = false
    private var receivers = PerDevice<Receiver>()
    /// The places of the receivers with points that are held back because of their times, and the number of those points.
    private var holding: (places: [Int], points: Int) = ([], 0)
    /// The last point that was emitted: its time, place and receiver.
    private var last: (time: Timestamp, place: Coordinate, device: String?)?
    /// The number of points without a time, of each kind.
    private var untimed = [Int](repeating: 0, count: ElementKind.allCases.count)
    /// Whether a point without a time, which was skipped, was the first of its segment.
    private var startsLater = false
    private var invalid = (count: 0, cause: "")
    /// The number of all points of each kind, and of each value that no position has.
    private var total = [Int](repeating: 0, count: ElementKind.allCases.count)
    private var unread = [[Int]](
        repeating: [Int](repeating: 0, count: UnreadValue.allCases.count), count: ElementKind.allCases.count)
    /// The first point without a time that was skipped, if the only point of a file is accepted.
    private var lone: TrackPoint?
    /// The number of segments that begin before the end of the one before them.
    private var overlaps = 0
    /// The number of points of receivers beyond `TrackStatistics.receiverLimit`, of which a file may name any number.
    private var ignored = 0
    private var pointCount = 0

    init(times: TimelessPoints, isInOrder: Bool, emit: @escaping (ReadElement) -> Void) {
        self.times = times
        self.isInOrder = isInOrder
        self.emit = emit
    }

    /// Notes a point whose position cannot be read.
    func skip(_ cause: @autoclosure () -> String) {
        if invalid.count == 0 { invalid.cause = cause() }
        invalid.count += 1
    }

    /// Notes a value of a point that no position has.
    func noteUnread(_ value: UnreadValue, of kind: ElementKind) { unread[kind.rawValue][value.rawValue] += 1 }

    func add(_ point: TrackPoint, _ kind: ElementKind, startsSegment: Bool) {
        total[kind.rawValue] += 1
        if let chosen, kind != chosen { return }
        let isTimed = point.location.timestamp != nil
        if !isTimed {
            untimed[kind.rawValue] += 1
            if times.speed == nil {
                if times.acceptsLonePoint { lone = lone ?? point }
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
    func finish(isTorn: Bool) throws(LocationError) {
        release()
        releaseRepeats()
        if pointCount == 0, let lone, untimed.reduce(0, +) == 1 {
            pass(timed: lone, times.start)
            return
        }
        let withoutTime = chosen.map { untimed[$0.rawValue] } ?? untimed.reduce(0, +)
        guard pointCount > 0 else {
            if withoutTime > 0 { throw .untimedTrack(path: "", points: withoutTime) }
            let cause = isTorn ? "it ends before the end of its first point or line" : "there is no point in it"
            throw .malformedTrack(invalid.count > 0 ? invalid.cause : cause)
        }
        report(invalid.count, "was skipped: \(invalid.cause)", "were skipped: \(invalid.cause)")
        report(
            overlaps, "begins before the end of the one before it, and they are read one after another",
            "begin before the end of the one before them, and they are read one after another", of: "segment")
        let limit = TrackStatistics.receiverLimit
        report(
            ignored, "of more than \(limit) receivers was skipped", "of more than \(limit) receivers were skipped")
        if times.speed == nil {
            report(withoutTime, "without a valid time was skipped", "without a valid time were skipped")
        }
        reportUnread()
    }

    /// Says what the file has beside the points that were emitted.
    private func reportUnread() {
        guard let chosen else { return }
        let values = UnreadValue.allCases.compactMap { value -> String? in
            let count = unread[chosen.rawValue][value.rawValue]
            return count > 0 ? "\(value.words) of \(count.counting("point"))" : nil
        }
        let points = ElementKind.allCases.filter { $0 != chosen && total[$0.rawValue] > 0 }.map {
            $0.words(total[$0.rawValue])
        }
        let parts = values + points
        if !parts.isEmpty { emit(.leftOut(parts.joined(separator: ", "))) }
    }

    private func report(_ count: Int, _ one: String, _ several: String, of kind: String = "point") {
        if count > 0 { emit(.message(count == 1 ? "1 \(kind) \(one)" : "\(count) \(kind)s \(several)")) }
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
        guard var time = point.location.timestamp else { return }
        let device = point.location.device
        let known = receivers.index(of: device)
        guard known != nil || receivers.count < TrackStatistics.receiverLimit else {
            ignored += 1
            return
        }
        if let place = known, time == receivers[place: place].written {
            let coordinate = receivers[place: place].repeats.last?.location.coordinate ?? receivers[place: place].place
            // A long line can be stored in pieces, each of which begins with the last point of the one before.
            if coordinate == point.location.coordinate, !startsSegment || point.track == nil { return }
            // Programs write such points that record more than one a second, without fractions.
            if !startsSegment { return hold(point, behindReceiverAt: place) }
        }
        if !holding.places.isEmpty { releaseRepeats(before: time, of: device) }
        let written = time
        if point.track != nil, let place = known, time == receivers[place: place].written {
            // The first point of a segment of GPX with the time of the last one would be a part of that epoch.
            time = receivers[place: place].time.advanced(by: Self.instant * 2)
            point.location.timestamp = time
        }
        if times.speed == nil, let end = known.map({ receivers[place: $0].time }) ?? (isInOrder ? last?.time : nil),
            startsSegment || known == nil, time < end.advanced(by: .zero - Self.overlap)
        {
            overlaps += 1
        }
        let isInterrupted = known.map { time.since(receivers[place: $0].time) > TrackProvider.longestInterval } ?? false
        if startsSegment || isInterrupted, let last {
            endSegment(of: isSideBySide || isInterrupted ? device : last.device, before: time, last: last.time)
        }
        // The points that were held back behind its last one have been emitted.
        let receiver = Receiver(time: time, place: point.location.coordinate, written: written)
        if let place = known { receivers[place: place] = receiver } else { receivers.set(receiver, for: device) }
        pass(point, time)
    }

    /// Ends the segment of a receiver before a time, also if another receiver has reported since its last point.
    private func endSegment(of device: String?, before time: Timestamp, last: Timestamp) {
        guard let place = receivers.index(of: device) else { return }
        spreadRepeats(ofReceiverAt: place, before: nil)
        let own = receivers[place: place].time
        // A segment that begins in the past of the last one, such as that of a late point, does not interrupt the track.
        guard time >= own else { return }
        let distance = time.since(own)
        let end = own.advanced(by: distance > .zero ? min(Self.ending, distance / 2) : Self.instant)
        emit(.gap(isInOrder ? min(time, max(end, last)) : end, device: device))
    }

    private func pass(_ point: TrackPoint, _ time: Timestamp) {
        last = (time, point.location.coordinate, point.location.device)
        pointCount += 1
        emit(.point(point))
    }

    /// Emits a point without a time, at a time.
    private func pass(timed point: TrackPoint, _ time: Timestamp) {
        var point = point
        point.dilution.removeZeros()
        point.location.timestamp = time
        pass(point, time)
    }

    private func hold(_ point: TrackPoint, behindReceiverAt place: Int) {
        receivers[place: place].repeats.append(point)
        if receivers[place: place].repeats.count == 1 { holding.places.append(place) }
        holding.points += 1
        let limits = Self.repeatLimits
        if receivers[place: place].repeats.count >= limits.one || holding.points >= limits.all { releaseRepeats() }
    }

    /// Emits the points that are held back, but for those of other receivers that a later point can still follow within a second.
    private func releaseRepeats(before time: Timestamp, of device: String?) {
        for place in holding.places {
            if receivers.device(at: place) == device {
                spreadRepeats(ofReceiverAt: place, before: time)
            } else if time >= receivers[place: place].written.advanced(by: Self.second) {
                spreadRepeats(ofReceiverAt: place, before: nil)
            }
        }
        holding.places.removeAll { receivers[place: $0].repeats.isEmpty }
    }

    private func releaseRepeats() {
        for place in holding.places { spreadRepeats(ofReceiverAt: place, before: nil) }
        holding.places = []
    }

    /// Emits the points that have the time of the one before them, spread evenly over the time until the next point.
    ///
    /// They are spread over a second if that time is longer or unknown. With equal times each would count as a correction of the
    /// one before it.
    private func spreadRepeats(ofReceiverAt place: Int, before next: Timestamp?) {
        guard !receivers[place: place].repeats.isEmpty else { return }
        let repeats = receivers[place: place].repeats
        receivers[place: place].repeats = []
        holding.points -= repeats.count
        let written = receivers[place: place].written
        let distance = next?.since(written) ?? Self.second
        let span = distance > .zero ? min(distance, Self.second) : Self.second
        // At most half a second, in whole milliseconds if it is one.
        let exact = span / (repeats.count + 1)
        let milliseconds = exact.components.attoseconds / 1_000_000_000_000_000
        let step = milliseconds > 0 ? .milliseconds(milliseconds) : exact
        for (index, var point) in repeats.enumerated() {
            let time = written.advanced(by: step * (index + 1))
            point.location.timestamp = time
            receivers[place: place].time = time
            receivers[place: place].place = point.location.coordinate
            pass(point, time)
        }
    }

    /// Returns the time of a point at the given speed, counted from the last point.
    private func time(at place: Coordinate) -> Timestamp? {
        guard let speed = times.speed, speed > 0 else { return nil }
        guard let last else { return times.start }
        let seconds = last.place.distance(to: place) / speed
        // Two points at one place are two epochs.
        return last.time.advanced(by: max(.milliseconds(1), Duration(clampingSeconds: seconds)))
    }
}
