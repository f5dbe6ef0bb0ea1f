public import LocationCore

/// A lookup of positions at given times in a track, which is read once.
///
/// A time of a point gives that point, a time between two points of a segment an interpolated one, and any other time the nearest
/// points. The memory does not depend on the length of the track. If a time is in several segments, the more accurate position counts.
///
/// ```swift
/// var lookup = TrackLookup(of: photographs)
/// for element in track { lookup.process(element) }
/// for result in lookup.results { … }
/// ```
public struct TrackLookup: Sendable {
    /// The answer of a track for a time.
    public enum Result: Hashable, Sendable {
        /// The position at that time.
        case found(TrackPoint)
        /// There is none: the times of the last point before and of the first one after, if any.
        case missing(before: Timestamp?, after: Timestamp?)
    }

    /// The earliest and the latest of the points between two times that follow each other.
    private struct Interval {
        var earliest: Timestamp
        var latest: Timestamp
    }

    /// The order in which the times were given, as places in `times`.
    private let order: [Int]
    /// The times, each once and sorted.
    private let times: [Timestamp]
    private var found: [TrackPoint?]
    /// The points before the first time, between each two times, and after the last one.
    private var intervals: [Interval?]
    /// The last point of the segment, if it has one with a time.
    private var last: TrackPoint?

    /// Creates a lookup of times, in any order.
    public init(of times: [Timestamp]) {
        let sorted = Set(times).sorted()
        self.times = sorted
        order = times.map { Self.count(before: $0, in: sorted) }
        found = Array(repeating: nil, count: sorted.count)
        intervals = Array(repeating: nil, count: sorted.count + 1)
    }

    /// Processes the next element of the track.
    ///
    /// A point without a time is ignored, and does not end its segment.
    public mutating func process(_ element: TrackElement) {
        guard case .point(let point) = element else {
            last = nil
            return
        }
        guard let time = point.location.timestamp else { return }
        let place = Self.count(before: time, in: times)
        if place < times.count, times[place] == time {
            keep(point, at: place)
        } else if let interval = intervals[place] {
            intervals[place] = Interval(earliest: min(interval.earliest, time), latest: max(interval.latest, time))
        } else {
            intervals[place] = Interval(earliest: time, latest: time)
        }
        if let last { interpolate(from: last, to: point, before: place) }
        last = point
    }

    /// Keeps the positions at the times between two points.
    private mutating func interpolate(from start: TrackPoint, to end: TrackPoint, before place: Int) {
        guard let began = start.location.timestamp else { return }
        var place = place - 1
        while place >= 0, times[place] > began {
            if let point = TrackPoint.interpolated(from: start, to: end, at: times[place]) { keep(point, at: place) }
            place -= 1
        }
    }

    private mutating func keep(_ point: TrackPoint, at place: Int) {
        if let known = found[place], !point.location.isBetter(than: known.location) { return }
        found[place] = point
    }

    /// The results, in the order of the times that were given.
    public var results: [Result] {
        var earlier: [Timestamp?] = []
        var latest: Timestamp?
        for place in times.indices {
            latest = intervals[place].map { max($0.latest, latest ?? $0.latest) } ?? latest
            earlier.append(latest)
            if found[place]?.interpolatedOver == nil, found[place] != nil { latest = times[place] }
        }
        var later: [Timestamp?] = Array(repeating: nil, count: times.count)
        var earliest: Timestamp?
        for place in times.indices.reversed() {
            earliest = intervals[place + 1]?.earliest ?? earliest
            later[place] = earliest
            if found[place]?.interpolatedOver == nil, found[place] != nil { earliest = times[place] }
        }
        return order.map { place in
            found[place].map { .found($0) } ?? .missing(before: earlier[place], after: later[place])
        }
    }

    /// Returns the number of times before another one.
    private static func count(before time: Timestamp, in times: [Timestamp]) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
